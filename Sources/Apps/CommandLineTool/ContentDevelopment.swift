import Foundation
import Logging
import Publishing
import ServerApplication
import ServiceLifecycle
import UnixSignals

/// The development of a content folder: `dev` and the demo watch, publish and serve it by the same code.
struct ContentDevelopment {
    private let loop: DevelopmentLoop
    private let content: String
    private let release: String

    init(content: String, release: String) throws {
        self.content = content
        self.release = release
        loop = try DevelopmentLoop(folder: content, releaseDirectory: release) {
            let now = Date()
            return (Int(now.timeIntervalSince1970), now.formatted(.iso8601))
        }
    }

    /// Returns the services of the development in one group.
    func group(
        host: String, port: Int, names: [String] = [], signals: [UnixSignal] = [],
        isQuiet: Bool = false,
        onListening: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> ServiceGroup {
        var logger = Logger(label: "underway.dev") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        let server = DevelopmentServer(
            release: release, host: host, port: port, names: names,
            onListening: { [content] port in
                if !isQuiet {
                    Console.note(
                        "Watching \(content), serving http://\(host):\(port); Ctrl-C ends it.")
                }
                onListening(port)
            },
            publishing: { [loop, content] send in
                await loop.run { outcome in
                    send(outcome.event)
                    if !isQuiet { outcome.say() }
                }
                // Otherwise it ends only with its folder.
                if !Task.isShuttingDownGracefully, !isQuiet {
                    Console.note("underway: \(content) is gone; there is nothing to watch.")
                }
            })
        return ServiceGroup(
            configuration: .init(
                services: server.services(logger: logger), gracefulShutdownSignals: signals,
                logger: logger))
    }
}
