import ServiceLifecycle
import Telemetry

/// The service that sends spans to a collector, and what is left at the end.
struct TraceExportService: Service {
    let exporter: TraceExporter

    func run() async throws {
        // Cancelled at shutdown.
        await cancelWhenGracefulShutdown { await exporter.run() }
        await exporter.flush(within: .seconds(5))
    }
}

extension TraceExporter {
    /// The numbers of the exporter.
    var samples: [MetricSample] {
        let status = status
        return [
            ("exported", status.exported), ("dropped", status.dropped), ("failed", status.failed),
            ("queued", status.queued),
        ].map { state, count in
            MetricSample("underway_trace_spans", Double(count), labels: [("state", state)])
        }
    }
}
