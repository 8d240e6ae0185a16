public import Foundation
public import SyncClient
import Synchronization
import UnderwayTesting

/// A static web host over a release directory, without a socket: ETag, 304, Range, 404; and
/// faults that a test asks for.
public final class StaticHost: Transport {
    /// What goes wrong with an answer.
    public enum Fault: Sendable, Hashable {
        case offline
        case status(Int, retryAfter: Int? = nil)
        /// The connection breaks after so many bytes of body.
        case cut(after: Int)
        case flipBit(at: Int)
        case extraBytes(Int)
        /// Never ends; only the client's bound stops it.
        case endless
        /// The head comes, the body never does.
        case stalls
        case wrongContentType
        /// Other bytes than those on the disk.
        case bytes([UInt8])
        /// An answer of its own, whatever is on the disk.
        case answer(Int, [String: String], [UInt8] = [])
    }

    private struct State {
        var root: String
        var faults: [(matches: @Sendable (String) -> Bool, fault: Fault, remaining: Int)] = []
        var requests: [TransportRequest] = []
        var onRequest: (@Sendable (String) -> Void)?
        var fixedTag: String?
        var rangeFault: Fault?
        var line: SlowLine?
    }

    private let state: Mutex<State>

    public init(root: String) {
        state = Mutex(State(root: root))
    }

    /// The requests so far.
    public var requests: [TransportRequest] { state.withLock { $0.requests } }

    public func forgetRequests() { state.withLock { $0.requests = [] } }

    /// Lets the next `times` requests whose path contains `part` fail.
    public func fail(_ part: String, _ fault: Fault, times: Int = .max) {
        state.withLock { $0.faults.append(({ $0.contains(part) }, fault, times)) }
    }

    public func heal() { state.withLock { $0.faults = [] } }

    /// Gives every answer the same validator, as a host does that makes it of times which its files do not
    /// keep.
    public func fixTag(_ tag: String?) { state.withLock { $0.fixedTag = tag } }

    /// Answers each request for a part like this.
    public func refuseRanges(_ fault: Fault?) { state.withLock { $0.rangeFault = fault } }

    /// Lets all answers together have so many bytes a second.
    public func limit(bytesPerSecond: Int?) {
        state.withLock { $0.line = bytesPerSecond.map { SlowLine(bytesPerSecond: $0) } }
    }

    /// Called before each answer with the path.
    public func onRequest(_ body: (@Sendable (String) -> Void)?) {
        state.withLock { $0.onRequest = body }
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let path = request.url.absoluteString.split(separator: "/").dropFirst(2).joined(
            separator: "/")
        let (root, fault, hook, fixedTag, line) = state.withLock { state in
            state.requests.append(request)
            let refusal = request.headers["Range"] == nil ? nil : state.rangeFault
            let index =
                refusal == nil
                ? state.faults.firstIndex { $0.remaining > 0 && $0.matches(path) } : nil
            if let index { state.faults[index].remaining -= 1 }
            return (
                state.root, refusal ?? index.map { state.faults[$0].fault }, state.onRequest,
                state.fixedTag, state.line
            )
        }
        hook?(path)
        switch fault {
        case .offline: throw TransportError(.offline, "no network")
        case .status(let status, let retryAfter):
            return Self.response(
                status, retryAfter.map { ["retry-after": "\($0)"] } ?? [:], [])
        case .answer(let status, let headers, let bytes):
            return Self.response(status, headers, bytes)
        default: break
        }
        guard let data = FileManager.default.contents(atPath: "\(root)/\(path)") else {
            return Self.response(404, [:], [])
        }
        let response = Self.answer(request, [UInt8](data), fault, fixedTag)
        return line.map { $0.slowed(response) } ?? response
    }

    private static func answer(
        _ request: TransportRequest, _ bytes: [UInt8], _ fault: Fault?, _ fixedTag: String?
    ) -> TransportResponse {
        var bytes = bytes
        if case .bytes(let other)? = fault { bytes = other }
        let reply = TestReply.file(bytes, tag: fixedTag, for: request)
        var headers = reply.headers
        let status = reply.status
        bytes = reply.body
        if status == 304 { return response(304, headers, []) }
        switch fault {
        case .cut(let after): return cut(response(status, headers, bytes), bytes, after)
        case .flipBit(let index) where !bytes.isEmpty:
            bytes[index % bytes.count] ^= 1
            return response(status, headers, bytes)
        case .extraBytes(let count):
            return response(status, headers, bytes + Array(repeating: 0x20, count: count))
        case .wrongContentType:
            headers["content-type"] = "text/html"
            return response(status, headers, bytes)
        case .endless:
            let body = AsyncThrowingStream<[UInt8], any Error> {
                Array(repeating: 0x20, count: 4096)
            }
            return TransportResponse(status: status, headers: headers, body: body)
        case .stalls:
            let body = AsyncThrowingStream<[UInt8], any Error> { try await Self.never() }
            return TransportResponse(status: status, headers: headers, body: body)
        default: return response(status, headers, bytes)
        }
    }

    /// Waits until the client gives up.
    private static func never() async throws -> [UInt8]? {
        let (stream, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        throw CancellationError()
    }

    private static func response(
        _ status: Int, _ headers: [String: String], _ bytes: [UInt8]
    ) -> TransportResponse {
        let body = AsyncThrowingStream<[UInt8], any Error> { continuation in
            // In pieces, as a network has them.
            for start in stride(from: 0, to: bytes.count, by: 700) {
                continuation.yield(Array(bytes[start..<min(start + 700, bytes.count)]))
            }
            continuation.finish()
        }
        return TransportResponse(status: status, headers: headers, body: body)
    }

    private static func cut(
        _ whole: TransportResponse, _ bytes: [UInt8], _ after: Int
    ) -> TransportResponse {
        let body = AsyncThrowingStream<[UInt8], any Error> { continuation in
            let part = Array(bytes.prefix(after))
            if !part.isEmpty { continuation.yield(part) }
            if after < bytes.count {
                continuation.finish(throwing: TransportError(.offline, "the connection broke"))
            } else {
                continuation.finish()
            }
        }
        return TransportResponse(status: whole.status, headers: whole.headers, body: body)
    }
}

/// A clock that a test moves by hand.
public final class ManualClock: Sendable {
    private let date: Mutex<Date>

    public init(_ seconds: TimeInterval = 1_800_000_000) {
        date = Mutex(Date(timeIntervalSince1970: seconds))
    }

    public var now: Date { date.withLock { $0 } }

    public func advance(_ seconds: TimeInterval) { date.withLock { $0 += seconds } }
}
