import ArgumentParser
import ServiceLifecycle
import UnixSignals

struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev",
        abstract: "Check and publish each save, and push it to running apps.",
        discussion: """
            Each save is checked, and published to a release directory for development alone. Errors appear here and \
            in the apps, which continue with the last valid content. Apps connect with a DevelopmentChannel.
            """,
        examples: ["underway dev", "underway dev --content content --host 0.0.0.0"])

    @Option(help: "The content folder (default: content).", transform: PathArgument.path)
    var content = "content"

    @Option(
        help: "The release directory for development; keep it out of git (default: .underway-dev).",
        transform: PathArgument.path)
    var release = ".underway-dev"

    @Option(help: "The address to listen on; 0.0.0.0 for phones in the same network.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 chooses a free one.")
    var port = 8090

    @Option(
        help: "Accept requests for this host name too, for example mymac.local; may be repeated.")
    var allowHost: [String] = []

    @Flag(help: "Print each save as a line of JSON.")
    var json = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("A port is 0 to 65535.") }
    }

    func run() async throws {
        try await reportingErrors {
            let server = try ContentDevelopment(content: content, release: release)
            try await serving(on: host, port) {
                try await server.group(
                    host: host, port: port, names: allowHost, signals: [.sigterm, .sigint]
                ).run()
            }
        }
    }
}
