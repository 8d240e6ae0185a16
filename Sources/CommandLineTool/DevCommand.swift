import ArgumentParser
import ContentModel
import ContentServer
import Foundation
import Logging
import Publishing
import ServiceAPI
import ServiceLifecycle
import UnixSignals

struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev",
        abstract: "Watch a content folder and push each save to the apps that listen.",
        discussion: """
            Each save is checked and published to a development release of its own; what has errors is \
            shown here and in the apps, and the last good content stays. Apps follow with a \
            DevelopmentChannel.
            """)

    @Option(help: "The content folder (default: content).", transform: PathArgument.path)
    var content = "content"

    @Option(
        help: "The release directory for development; keep it out of git (default: .underway-dev).",
        transform: PathArgument.path)
    var release = ".underway-dev"

    @Option(help: "The address to listen on; 0.0.0.0 for phones in the same network.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port = 8090

    @Option(help: "Answer under this name too, as mymac.local; may be repeated.")
    var allowHost: [String] = []

    @Flag(help: "Say each save as a line of JSON.")
    var json = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("A port is 0 to 65535.") }
    }

    func run() async throws {
        try await reportingErrors {
            let server = try DevelopmentServer(content: content, release: release)
            try await serving(on: host, port) {
                try await server.group(
                    host: host, port: port, names: allowHost, signals: [.sigterm, .sigint]
                ).run()
            }
        }
    }
}

/// Watches, publishes and serves a content folder; the command and the demo run the same.
struct DevelopmentServer {
    private let loop: DevelopmentLoop
    private let board = DevelopmentBoard()
    private let content: String
    private let release: String

    init(content: String, release: String) throws {
        self.content = content
        self.release = release
        loop = try DevelopmentLoop(folder: content, release: release) {
            let moment = Moment()
            return (moment.seconds, moment.text)
        }
    }

    /// Both services in one group, to be run.
    func group(
        host: String, port: Int, names: [String] = [], signals: [UnixSignal] = [],
        isQuiet: Bool = false,
        onListening: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> ServiceGroup {
        var logger = Logger(label: "underway.dev") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        var options = ServerOptions(release: release, host: host, port: port)
        options.development = board
        options.hosts = HostPolicy(names: names + [host])
        options.onListening = { [content] port in
            if !isQuiet {
                Console.note("Watching \(content), serving http://\(host):\(port); Ctrl-C ends it.")
            }
            onListening(port)
        }
        return ServiceGroup(
            configuration: .init(
                services: [
                    .init(service: ContentApplication.build(options, logger: logger)),
                    .init(
                        service: LoopService(
                            loop: loop, board: board, isQuiet: isQuiet, content: content),
                        successTerminationBehavior: .gracefullyShutdownGroup),
                ], gracefulShutdownSignals: signals, logger: logger))
    }
}

/// Publishes each change and tells terminal and apps.
private struct LoopService: Service {
    let loop: DevelopmentLoop
    let board: DevelopmentBoard
    let isQuiet: Bool
    let content: String

    func run() async throws {
        // Cancelled at shutdown: the folder stays as it is.
        await cancelWhenGracefulShutdown {
            await loop.run { outcome in
                board.send(outcome.event)
                if !isQuiet { outcome.say() }
            }
        }
        // Otherwise it ends only with its folder.
        if !Task.isShuttingDownGracefully, !isQuiet {
            Console.note("underway: \(content) is gone; there is nothing to watch.")
        }
    }
}

extension DevelopmentOutcome {
    /// One line of JSON, or text for people.
    func say() {
        guard Console.isJSON else { return Console.say(text) }
        var release: Int?
        var failure: String?
        switch event {
        case .release(let number): release = number
        case .problems: failure = "contentErrors"
        case .failure(let reason): failure = reason
        }
        Console.say(
            jsonLine: .compact([
                "release": release.map { .integer($0) }, "failure": failure.map { .string($0) },
                "changed": .array(changed.map { .string($0) }),
                "problems": ProblemReport.json(problems)["problems"],
                "milliseconds": .integer(Int(duration / .milliseconds(1))),
            ]))
    }

    /// What a terminal shows: problems as compilers write them, then one line.
    var text: String {
        let milliseconds = Int(duration / .milliseconds(1))
        let found = problems.isEmpty ? "" : ProblemReport.text(problems)
        switch event {
        case .release(let number) where changed.isEmpty:
            return found + "release \(number) is current, nothing changed (\(milliseconds) ms)"
        case .release(let number):
            let listed = changed.prefix(3).joined(separator: ", ")
            let more = changed.count > 3 ? " and \(changed.count - 3) more" : ""
            return found
                + Console.styled("release \(number)", .green)
                + ": \(listed)\(more) (\(milliseconds) ms)"
        case .problems(let problems):
            return found
                + Console.styled(Console.count(problems.count, "error"), .red)
                + "; the last good release stays"
        case .failure(let reason):
            return found + Console.styled("not published", .red) + ": \(reason)"
        }
    }
}
