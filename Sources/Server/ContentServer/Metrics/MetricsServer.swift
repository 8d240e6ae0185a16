import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import ServiceLifecycle
package import Telemetry

/// The address at which a server exposes its metrics.
package struct MetricsAddress: Sendable {
    /// An address of this machine.
    package var host: String
    /// The port; 0 chooses a free one.
    package var port: Int
    /// A function that is called with the actual port when it listens.
    package var onListening: @Sendable (Int) async -> Void

    /// Creates an address.
    package init(
        host: String = "127.0.0.1", port: Int,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.host = host
        self.port = port
        self.onListening = onListening
    }

    /// Parses `127.0.0.1:9464`, `[::1]:9464` or a port; `nil` for another text.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let last = parts.last, let port = Int(last), (0...65_535).contains(port) else {
            return nil
        }
        var host = parts.dropLast().joined(separator: ":")
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard parts.count == 1 || !host.isEmpty else { return nil }
        self.init(host: parts.count == 1 ? "127.0.0.1" : host, port: port)
    }
}

extension MetricsAddress {
    /// The host in the form of a URL.
    package var urlHost: String { host.contains(":") ? "[\(host)]" : host }
}

/// The failure to listen at the address of the metrics.
package struct MetricsListenError: Error {
    /// The address.
    package let address: MetricsAddress
    /// The reason.
    package let reason: any Error
}

/// The server of the metrics at a separate address, which only the operator's network should reach.
package struct MetricsServer: Service {
    /// The most connections: a few programs look, each every few seconds.
    private static let connectionsMax = 32
    /// The time after which a connection without a request is closed: dead ones must not keep others out.
    private static let idleTimeout = TimeAmount.seconds(10)

    let metrics: ServerMetrics
    let address: MetricsAddress
    let logger: Logger
    let samples: @Sendable () async -> [MetricSample]

    package init(
        metrics: ServerMetrics, address: MetricsAddress, logger: Logger,
        _ samples: @escaping @Sendable () async -> [MetricSample]
    ) {
        self.metrics = metrics
        self.address = address
        self.logger = logger
        self.samples = samples
    }

    func run() async throws {
        let router = Router()
        router.get("/metrics") { _, _ -> Response in
            let text = metrics.text(adding: await samples())
            return Response(
                status: .ok,
                headers: [
                    .contentType: PrometheusExporter.contentType, .cacheControl: "no-store",
                ],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        }
        let application = Application(
            router: router,
            server: .http1(configuration: .init(idleTimeout: Self.idleTimeout)),
            configuration: .init(
                address: .hostname(address.host, port: address.port),
                availableConnectionsDelegate: MaximumAvailableConnections(Self.connectionsMax)),
            onServerRunning: { [address] channel in
                await address.onListening(channel.localAddress?.port ?? address.port)
            },
            logger: logger)
        do {
            try await application.run()
        } catch let error where !(error is CancellationError) {
            throw MetricsListenError(address: address, reason: error)
        }
    }
}
