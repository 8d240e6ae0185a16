import ArgumentParser
import Foundation
import Ledger
import Logging
import ServerApplication
import ServiceLifecycle
import UnixSignals

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Play the whole story with sample content: author, server, device.",
        discussion: "The command works on a copy, and serves it until you press Ctrl-C.",
        examples: ["underway demo", "underway demo --once"])

    @Option(help: "The sample content (default: Sample/content).", transform: PathArgument.path)
    var content = "Sample/content"

    @Option(
        help: "The folder for all files of the demo (default: a temporary one).",
        transform: PathArgument.path)
    var folder: String?

    @Option(help: "The port to serve on; 0 chooses a free one.")
    var port = 0

    @Flag(help: "End after the story instead of continuing to serve.")
    var once = false

    func run() async throws {
        let root =
            folder.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory.appending(
                path: "underway-demo-\(ProcessInfo.processInfo.processIdentifier)")
        let isTemporary = folder == nil && once
        defer {
            // Files of a demo in a temporary folder do no harm.
            if isTemporary { try? FileManager.default.removeItem(at: root) }
        }
        try await reportingErrors {
            let story = try DemoStory(root: root, sample: URL(fileURLWithPath: content))
            try await story.authorPublishes()
            try await story.deviceStartsOffline()
            try await withServer(story) { port in
                try await story.deviceCatchesUp(port: port)
                let result = try await story.keyIsCorrected(port: port)
                try await story.answersComeBack(port: port)
                try await story.learnersCompare(port: port)
                try await story.learnersCompete(port: port)
                try await story.savesAreLive()
                try await story.keyIsFound(port: port)
                try await story.hostIsTakenOver(port: port)
                try await story.releaseGoesToSomeFirst(port: port)
                guard !once else { return Console.say(result) }
                Console.say(story.howToPlayOn(port: port))
                try await story.studyApp(port: port).run()
            }
        }
    }

    /// Serves while `body` runs; then stops or, unless `once`, continues until Ctrl-C.
    private func withServer(
        _ story: DemoStory, _ body: (Int) async throws -> Void
    ) async throws {
        var logger = Logger(label: "underway.server") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        let ports = AsyncStream.makeStream(of: Int.self)
        var options = UserServiceOptions(folder: story.root.appending(path: "users"))
        options.rateLimits = DemoRateLimits()
        let users = try await UserBackend(options)
        let application = ContentApplication.build(
            ServerOptions(
                release: story.release.path, port: port, users: users,
                onListening: { ports.continuation.yield($0) }), logger: logger)
        let group = ServiceGroup(
            services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        try await whileRunning(group, ports: ports, keepsRunning: !once, body)
    }
}
