import ContentModel
import Foundation
public import SyncClient

/// A reply of a host in memory.
///
/// ```swift
/// let host = ScriptedHost(.json(#"{"dailyGoal": 30}"#), .unavailable(retryAfter: .seconds(60)))
/// let transport: any Transport = TestNetwork(host)
/// ```
public struct TestReply: Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// The header fields by lowercase name.
    public var headers: [String: String]
    /// The body, without a content encoding.
    public var body: [UInt8]
    /// The number of bytes of the body after which the connection breaks; `nil` for none.
    public var breaksAfterBytes: Int?
    /// The failure in place of the reply; `nil` for none.
    public var failure: TransportError?

    /// Creates a reply.
    ///
    /// `content-length` is added to the header fields if it is missing.
    public init(_ status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Returns a reply with status 200 and a JSON body.
    public static func json(_ text: String) -> TestReply {
        .bytes(Array(text.utf8), type: "application/json")
    }

    /// Returns a reply with status 200 and a body of bytes.
    public static func bytes(
        _ body: [UInt8], type: String = "application/octet-stream"
    ) -> TestReply {
        TestReply(200, headers: ["content-type": type], body: body)
    }

    /// Returns a reply with status 503.
    ///
    /// - Parameter retryAfter: The value of `Retry-After`, in whole seconds; `nil` to omit the field.
    /// - Returns: The reply.
    public static func unavailable(retryAfter: Duration? = nil) -> TestReply {
        TestReply(
            503, headers: retryAfter.map { ["retry-after": "\($0.components.seconds)"] } ?? [:])
    }

    /// A reply with status 304: the device's copy is current.
    public static let unchanged = TestReply(304)

    /// A reply with status 404.
    public static let notFound = TestReply(404)

    /// The page of a network that requires a sign-in, with status 200.
    public static let captivePortal = TestReply.bytes(
        Array("<!DOCTYPE html><html><body>Please sign in to this network.</body></html>".utf8),
        type: "text/html")

    /// A failure without a reply: there is no network.
    public static let offline = failing(.init(.offline, "There is no network in this test."))

    /// A failure without a reply: the deadline of the request passes at once.
    public static let timedOut = failing(.init(.timedOut, "No reply came in this test."))

    private static func failing(_ failure: TransportError) -> TestReply {
        var reply = TestReply(0)
        reply.failure = failure
        return reply
    }
}

extension TestReply {
    /// Returns the reply of a static host to a request for a file, with an entity tag and ranges.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - type: The value of `content-type`.
    ///   - tag: The entity tag; `nil` for one derived from the file's checksum.
    ///   - request: The request, whose `If-None-Match`, `Range` and `If-Range` are evaluated.
    /// - Returns: Status 304 for a current tag, 206 for a range to the end, else 200.
    public static func file(
        _ bytes: [UInt8], type: String = "application/json", tag: String? = nil,
        for request: TransportRequest
    ) -> TestReply {
        let tag = tag ?? "\"\(Checksum(of: bytes).hex.prefix(16))\""
        if request.headers["If-None-Match"] == tag { return TestReply(304, headers: ["etag": tag]) }
        var reply = TestReply(200, headers: ["etag": tag, "content-type": type], body: bytes)
        if let range = request.headers["Range"], range.hasPrefix("bytes="),
            request.headers["If-Range"] ?? tag == tag,
            let start = Int(range.dropFirst(6).dropLast()), start < bytes.count
        {
            reply.status = 206
            reply.headers["content-range"] = "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
            reply.body = Array(bytes[start...])
        }
        reply.headers["content-length"] = "\(reply.body.count)"
        return reply
    }

    /// Returns the response of a transport: the body in chunks, and no more of it than the request allows.
    ///
    /// - Throws: `TransportError` for a reply with a failure.
    public func response(to request: TransportRequest) throws -> TransportResponse {
        if let failure { throw failure }
        var headers = headers
        // A reply without a body (304) says nothing about the length of one.
        if headers["content-length"] == nil, status != 304 {
            headers["content-length"] = "\(body.count)"
        }
        let bytes = Array(body.prefix(min(breaksAfterBytes ?? .max, request.bodyBytesMax)))
        let failure = bodyFailure(request)
        let stream = AsyncThrowingStream<[UInt8], any Error> { continuation in
            for start in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
                let end = min(start + Self.pieceBytes, bytes.count)
                continuation.yield(Array(bytes[start..<end]))
            }
            continuation.finish(throwing: failure)
        }
        return TransportResponse(status: status, headers: headers, body: stream)
    }

    /// The bytes of a piece, fewer than most bodies have.
    private static let pieceBytes = 700

    private func bodyFailure(_ request: TransportRequest) -> TransportError? {
        if let breaksAfterBytes, breaksAfterBytes < body.count {
            return TransportError(.offline, "The connection broke in this test.")
        }
        guard body.count > request.bodyBytesMax else { return nil }
        return TransportError(.tooLong, "The reply is longer than \(request.bodyBytesMax) bytes.")
    }
}
