import ContentServer
package import Logging
package import ServiceAPI
package import ServiceLifecycle

/// A server for content under development: serves the release, publishes each change, and sends the event of each
/// publish to the connected apps.
///
/// ```swift
/// let server = DevelopmentServer(release: "release") { send in
///     await loop.run { send($0.event) }
/// }
/// let configuration = ServiceGroupConfiguration(
///     services: server.services(logger: logger), logger: logger)
/// try await ServiceGroup(configuration: configuration).run()
/// ```
package struct DevelopmentServer: Sendable {
    /// A function that publishes until it is cancelled or its folder is removed, and reports each event.
    package typealias Publishing =
        @Sendable (_ send: @escaping @Sendable (DevelopmentEvent) -> Void) async -> Void

    private let options: ServerOptions
    private let publishing: PublishingService

    /// Creates a server.
    ///
    /// It accepts only the host, the names and the loopback, so that no foreign page can read the content.
    ///
    /// - Parameters:
    ///   - release: The release directory for development.
    ///   - host: The address for listening.
    ///   - port: The port for listening; 0 chooses a free one.
    ///   - names: Further host names to accept.
    ///   - onListening: A function that is called with the actual port when the server listens.
    ///   - publishing: The publishing of each change.
    package init(
        release: String, host: String = "127.0.0.1", port: Int = 0, names: [String] = [],
        onListening: @escaping @Sendable (Int) async -> Void = { _ in },
        publishing: @escaping Publishing
    ) {
        let broadcast = DevelopmentBroadcast()
        var options = ServerOptions(release: release, host: host, port: port)
        options.development = broadcast
        options.hosts = HostPolicy(names: names + [host])
        options.onListening = onListening
        self.options = options
        self.publishing = PublishingService(broadcast: broadcast, publishing: publishing)
    }

    /// Returns the services, which end together, also when the publishing ends.
    package func services(logger: Logger) -> [ServiceGroupConfiguration.ServiceConfiguration] {
        [
            .init(service: ContentApplication.build(options, logger: logger)),
            .init(
                service: publishing, successTerminationBehavior: .gracefullyShutdownGroup),
        ]
    }
}

/// The service that publishes each change and sends its event.
private struct PublishingService: Service {
    let broadcast: DevelopmentBroadcast
    let publishing: DevelopmentServer.Publishing

    func run() async throws {
        // Cancelled at shutdown: the folder stays as it is.
        await cancelWhenGracefulShutdown {
            await publishing { broadcast.send($0) }
        }
    }
}
