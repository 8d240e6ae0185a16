import Synchronization
import Tracing

@testable import Telemetry

/// The records of ended spans, in the order of their ends, and a tracer that fills it.
final class SpanCollection: Sendable {
    private let state = Mutex<[SpanRecord]>([])

    var records: [SpanRecord] { state.withLock { $0 } }

    func add(_ record: SpanRecord) { state.withLock { $0.append(record) } }

    func tracer(share: Double = 1, followsParent: Bool = true, seed: UInt64 = 1) -> SpanTracer {
        SpanTracer(
            sampling: TraceSampling(share: share, followsParent: followsParent),
            using: SeededGenerator(seed: seed)
        ) { self.add($0) }
    }
}

/// A request's fields, as a carrier.
struct Fields: Extractor, Injector {
    func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }

    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
        carrier[key] = value
    }
}
