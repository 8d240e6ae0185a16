import Foundation
import Synchronization

@testable import Telemetry

/// A collector that parses what it gets, enforces the protocol's limits, keeps each span's identity, and fails on demand.
final class FakeCollector: Sendable {
    private struct State {
        var outages: [TraceReply] = []
        var spanIDs: [String] = []
        var batchSizes: [Int] = []
    }

    private struct Request: Decodable {
        struct Resource: Decodable { var scopeSpans: [Scope] }
        struct Scope: Decodable { var spans: [Span] }
        struct Span: Decodable {
            var traceId: String
            var spanId: String
        }
        var resourceSpans: [Resource]
    }

    /// The replies that were given, as they are given.
    let replies: AsyncStream<TraceReply>
    private let continuation: AsyncStream<TraceReply>.Continuation
    private let state = Mutex(State())

    init() { (replies, continuation) = AsyncStream.makeStream() }

    /// The identities of all spans that were accepted, in order.
    var spanIDs: [String] { state.withLock { $0.spanIDs } }
    /// The number of spans of each batch that was accepted.
    var batchSizes: [Int] { state.withLock { $0.batchSizes } }

    /// Makes the next requests fail.
    func fail(_ replies: TraceReply...) { state.withLock { $0.outages += replies } }

    func post(_ body: [UInt8]) -> TraceReply {
        let reply = state.withLock { state in
            state.outages.isEmpty ? accept(body, &state) : state.outages.removeFirst()
        }
        continuation.yield(reply)
        return reply
    }

    private func accept(_ body: [UInt8], _ state: inout State) -> TraceReply {
        guard body.count <= 1 << 20 else { return .status(413) }
        // A body that is no request is refused, whatever is wrong with it.
        guard let request = try? JSONDecoder().decode(Request.self, from: Data(body)) else {
            return .status(400)
        }
        let spans = request.resourceSpans.flatMap(\.scopeSpans).flatMap(\.spans)
        let known = Set(state.spanIDs)
        guard (1...512).contains(spans.count),
            spans.allSatisfy({ $0.traceId.utf8.count == 32 && $0.spanId.utf8.count == 16 }),
            spans.allSatisfy({ !known.contains($0.spanId) })
        else { return .status(400) }
        state.spanIDs += spans.map(\.spanId)
        state.batchSizes.append(spans.count)
        return .status(200)
    }
}
