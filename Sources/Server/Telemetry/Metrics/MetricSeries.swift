import CoreMetrics
import Synchronization

/// The values of one name.
struct MetricFamily {
    var kind: MetricKind
    /// The values by their labels as text.
    var series: [String: MetricSeries] = [:]
}

/// One value or histogram, which many threads change.
final class MetricSeries: Sendable {
    enum Shape: Sendable {
        case counter
        case gauge
        case histogram([Double])
    }

    /// A reading.
    struct Value {
        /// The value of a counter or gauge; the sum of a histogram.
        var sum = 0.0
        /// The number of values in a histogram.
        var count = 0
        /// The values of a histogram in each bucket, not cumulated; the last has those beyond all bounds.
        var buckets: [Int] = []
    }

    /// The upper bounds of the buckets of a histogram; `nil` for another shape.
    let bounds: [Double]?
    private let state: Mutex<Value>

    init(_ shape: Shape) {
        if case .histogram(let bounds) = shape {
            self.bounds = bounds
            state = Mutex(Value(buckets: Array(repeating: 0, count: bounds.count + 1)))
        } else {
            bounds = nil
            state = Mutex(Value())
        }
    }

    var value: Value { state.withLock { $0 } }

    func set(_ value: Double) { state.withLock { $0.sum = value } }

    private func add(_ value: Double) { state.withLock { $0.sum += value } }

    private func observe(_ value: Double) {
        guard let bounds else { return set(value) }
        // A value that is no number has no bucket.
        guard !value.isNaN else { return }
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.sum += value
            state.count += 1
            state.buckets[index] += 1
        }
    }
}

extension MetricSeries: CounterHandler, FloatingPointCounterHandler {
    func increment(by amount: Int64) { if amount > 0 { add(Double(amount)) } }
    func increment(by amount: Double) { if bounds == nil { add(amount) } }
    func reset() { set(0.0) }
}

extension MetricSeries: MeterHandler {
    func set(_ value: Int64) {
        let value: Double = Double(value)
        set(value)
    }
    func decrement(by amount: Double) { add(-amount) }
}

extension MetricSeries: RecorderHandler, TimerHandler {
    func record(_ value: Int64) { observe(Double(value)) }
    func record(_ value: Double) { observe(value) }
    func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1e9) }
}
