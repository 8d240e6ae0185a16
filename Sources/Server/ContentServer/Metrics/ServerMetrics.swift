import CoreMetrics
package import ServiceAPI
import Telemetry
import UserData

/// The metrics of a server for `/metrics`; none names a user, a device or an address.
package final class ServerMetrics: Sendable {
    /// The help text of each metric, by its name.
    package static let help = [
        "underway_http_requests_total":
            "Requests that were replied to, by the pattern of their route, method and status.",
        "underway_http_request_seconds":
            "Time from a request's head to its reply's, without published files in memory.",
        "underway_http_response_bytes_total": "Bytes of the bodies of replies.",
        "underway_http_requests_active": "Requests whose reply has not begun.",
        "underway_refusals_total": "Replies that refuse a request, by the code of the problem.",
        "underway_exchanges_total": "Exchanges of user data that were carried out.",
        "underway_answers_received_total": "Answers in these exchanges; repeated ones count again.",
        "underway_operations_total": "Changes of records in these exchanges, by their result.",
        "underway_connections": "Open connections.",
        "underway_connections_max": "The most connections that are accepted.",
        "underway_connections_refused_total":
            "Connections that were closed because their address had too many.",
        "underway_ready": "1 when /health/ready replies 200, else 0.",
        "underway_storage_writable":
            "1 while the storage of users' data answers and takes a write, else 0.",
        "underway_release": "The number of the release that is served.",
        "underway_boards_refresh_age_seconds": "Seconds since this process refreshed the boards.",
        "underway_event_watchers": "Open streams of live events.",
        "underway_devices":
            "Devices by the release that they have and by what stops them, of the last 30 days.",
        "underway_trace_spans": "Spans for the collector of traces, by their state.",
        "underway_redis_connected": "1 while there is a connection to Redis.",
        "underway_redis_in_flight": "Commands to Redis whose reply has not arrived.",
        "underway_database_connections": "Connections to PostgreSQL, by their state.",
        "underway_database_waiting": "Requests that wait for a connection to PostgreSQL.",
        "process_cpu_seconds_total": "Processor time of the process.",
        "process_resident_memory_bytes": "Memory of the process.",
        "process_open_fds": "Open files of the process.",
        "process_start_time_seconds": "Start of the process, in seconds since 1970.",
        "metrics_left_out_total": "Numbers that were not kept because there were too many.",
    ]

    /// The route of what no route serves.
    static let unknownRoute = "other"

    /// Returns the pattern of a route; Hummingbird calls what has none "NotFound".
    static func route(_ endpoint: String?) -> String {
        guard let endpoint, endpoint.hasPrefix("/") else { return unknownRoute }
        return endpoint
    }

    private let exporter = PrometheusExporter(help: ServerMetrics.help)
    private let active: Meter
    private let published: [Int: (requests: Counter, bytes: Counter)]
    private let exchanges: Counter
    private let answers: Counter
    private let refusedConnections: Counter

    /// Creates metrics with the value 0.
    package init() {
        active = Meter(label: "underway_http_requests_active", factory: exporter)
        exchanges = Counter(label: "underway_exchanges_total", factory: exporter)
        answers = Counter(label: "underway_answers_received_total", factory: exporter)
        refusedConnections = Counter(
            label: "underway_connections_refused_total", factory: exporter)
        // Made once: a published file is served in microseconds.
        published = Dictionary(
            uniqueKeysWithValues: [200, 304].map { [exporter] status in
                (status, Self.counters("/api/content/v2/**", "GET", status, exporter))
            })
    }

    /// Returns all numbers as text.
    ///
    /// - Parameter samples: Numbers that are read at this moment.
    /// - Returns: Prometheus' text format.
    func text(adding samples: [MetricSample]) -> String { exporter.text(adding: samples) }

    // MARK: Requests

    func requestBegan() { active.increment() }

    func requestAbandoned() { active.decrement() }

    func requestEnded(route: String, method: String, status: Int, bytes: Int, took: Duration) {
        active.decrement()
        count(route: route, method: method, status: status, bytes: bytes)
        CoreMetrics.Timer(
            label: "underway_http_request_seconds", dimensions: [("route", route)],
            factory: exporter
        ).recordNanoseconds(Int64(took / .nanoseconds(1)))
    }

    /// Counts a reply that no route made.
    func count(route: String, method: String, status: Int, bytes: Int) {
        let counters = Self.counters(route, Self.known(method), status, exporter)
        counters.requests.increment()
        counters.bytes.increment(by: bytes)
    }

    /// Counts a published file that was in memory.
    func countPublished(status: Int, bytes: Int) {
        published[status]?.requests.increment()
        published[status]?.bytes.increment(by: bytes)
    }

    func countRefusal(_ code: ProblemCode) {
        Counter(
            label: "underway_refusals_total", dimensions: [("code", code.rawValue)],
            factory: exporter
        ).increment()
    }

    func countRefusedConnection() { refusedConnections.increment() }

    // MARK: User data

    package func count(_ call: ExchangeCall, _ reply: ExchangeReply) {
        exchanges.increment()
        answers.increment(by: call.answers.reduce(0) { $0 + $1.span.count })
        for result in reply.response.results.values {
            Counter(
                label: "underway_operations_total", dimensions: [("result", result.name)],
                factory: exporter
            ).increment()
        }
    }

    private static func counters(
        _ route: String, _ method: String, _ status: Int, _ exporter: PrometheusExporter
    ) -> (requests: Counter, bytes: Counter) {
        (
            Counter(
                label: "underway_http_requests_total",
                dimensions: [("route", route), ("method", method), ("status", String(status))],
                factory: exporter),
            Counter(
                label: "underway_http_response_bytes_total", dimensions: [("route", route)],
                factory: exporter)
        )
    }

    /// Returns a known method, or the name for unknown ones, since a client may send any word.
    static func known(_ method: String) -> String {
        ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].contains(method)
            ? method : unknownRoute
    }
}

extension OperationResult {
    fileprivate var name: String {
        switch self {
        case .accepted: "accepted"
        case .merged: "merged"
        case .conflict: "conflict"
        case .refused: "refused"
        case .retryLater: "retry-later"
        }
    }
}
