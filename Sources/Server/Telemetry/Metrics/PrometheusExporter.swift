public import CoreMetrics
import Synchronization

/// A backend of swift-metrics that exports Prometheus' text format.
///
/// ```swift
/// let exporter = PrometheusExporter(help: ["app_orders_total": "Orders that were paid."])
/// Counter(label: "app_orders_total", dimensions: [("kind", "new")], factory: exporter).increment()
/// print(exporter.text())
/// ```
///
/// Counters without the suffix `_total` and timers without `_seconds` get it; invalid characters of a name become `_`.
/// Timers and aggregating recorders are histograms. A value continues to count when its handle is destroyed, as
/// Prometheus expects.
///
/// Source: Prometheus' exposition format 0.0.4 and its data model.
public final class PrometheusExporter: MetricsFactory {
    /// The type of the text, for `Content-Type`.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"
    /// The upper bounds of a timer's buckets, in seconds.
    public static let secondsBuckets = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    /// The upper bounds of a recorder's buckets.
    public static let valueBuckets: [Double] = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7]

    private struct State {
        var families: [String: MetricFamily] = [:]
        var seriesCount = 0
        var leftOutCount = 0
    }

    private let state = Mutex(State())
    private let help: [String: String]
    private let seriesMax: Int

    /// Creates an exporter without values.
    ///
    /// - Parameters:
    ///   - help: The help text of each metric, by its exported name.
    ///   - seriesMax: The maximum number of combinations of names and labels. Further ones are dropped; the metric
    ///     `metrics_left_out_total` has their number.
    public init(help: [String: String] = [:], seriesMax: Int = 2_000) {
        self.help = help
        self.seriesMax = seriesMax
    }

    /// Returns all values as text, in the order of their names and labels.
    ///
    /// - Parameter samples: Values that were read for this scrape.
    /// - Returns: The text, in lines that end with a line feed.
    public func text(adding samples: [MetricSample] = []) -> String {
        var (families, leftOut) = state.withLock { ($0.families, $0.leftOutCount) }
        for sample in samples {
            let series = MetricSeries(sample.kind == .counter ? .counter : .gauge)
            series.set(sample.value)
            let name = PrometheusText.name(sample.name)
            families[name, default: MetricFamily(kind: sample.kind)]
                .series[PrometheusText.labels(sample.labels)] = series
        }
        if leftOut > 0 {
            let series = MetricSeries(.counter)
            series.set(Double(leftOut))
            families["metrics_left_out_total"] = MetricFamily(
                kind: .counter, series: [PrometheusText.labels([]): series])
        }
        return PrometheusText.render(families, help: help)
    }

    private func series(
        _ kind: MetricKind, _ label: String, suffix: String, _ dimensions: [(String, String)],
        buckets: [Double] = []
    ) -> MetricSeries {
        let label = PrometheusText.name(label)
        let name = label.hasSuffix(suffix) ? label : label + suffix
        let labels = PrometheusText.labels(dimensions)
        return state.withLock { state in
            let family = state.families[name]
            if let known = family?.series[labels], family?.kind == kind { return known }
            let shape: MetricSeries.Shape =
                switch kind {
                case .counter: .counter
                case .gauge: .gauge
                case .histogram: .histogram(buckets)
                }
            let series = MetricSeries(shape)
            guard state.seriesCount < seriesMax, family == nil || family?.kind == kind else {
                state.leftOutCount += 1
                return series
            }
            state.seriesCount += 1
            state.families[name, default: MetricFamily(kind: kind)].series[labels] = series
            return series
        }
    }

    // MARK: The factory

    /// Returns the counter of a name and labels.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(.counter, label, suffix: "_total", dimensions)
    }

    /// Returns the counter of a name and labels.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(.counter, label, suffix: "_total", dimensions)
    }

    /// Returns the gauge of a name and labels.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(.gauge, label, suffix: "", dimensions)
    }

    /// Returns the histogram of a name and labels, or without `aggregate` the gauge.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        aggregate
            ? series(.histogram, label, suffix: "", dimensions, buckets: Self.valueBuckets)
            : series(.gauge, label, suffix: "", dimensions)
    }

    /// Returns the histogram of a name and labels, in seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(
            .histogram, label, suffix: "_seconds", dimensions, buckets: Self.secondsBuckets)
    }

    /// Does nothing: the values remain.
    public func destroyCounter(_ handler: any CounterHandler) {}
    /// Does nothing: the values remain.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// Does nothing: the values remain.
    public func destroyMeter(_ handler: any MeterHandler) {}
    /// Does nothing: the values remain.
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Does nothing: the values remain.
    public func destroyTimer(_ handler: any TimerHandler) {}
}

/// The behaviour of a metric's value.
public enum MetricKind: String, Sendable {
    /// A value that only grows, from 0 at the start of the process.
    case counter
    /// A value that rises and falls.
    case gauge
    /// Counts of values up to bounds.
    case histogram
}

/// A value that is read for a scrape.
public struct MetricSample: Sendable {
    /// The exported name.
    public var name: String
    /// A counter or a gauge.
    public var kind: MetricKind
    /// The labels.
    public var labels: [(String, String)]
    /// The value.
    public var value: Double

    /// Creates a sample.
    public init(
        _ name: String, _ value: Double, labels: [(String, String)] = [],
        kind: MetricKind = .gauge
    ) {
        self.name = name
        self.kind = kind
        self.labels = labels
        self.value = value
    }
}
