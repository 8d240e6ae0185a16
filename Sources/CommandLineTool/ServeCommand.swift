import ArgumentParser
import ContentModel
import ContentServer
import Foundation
import Logging
import Publishing
import ServiceAPI
import ServiceLifecycle
import UnixSignals
import UserService

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a release directory; new releases are picked up while it runs.")

    @Option(help: "The release directory (default: release).", transform: PathArgument.path)
    var release = "release"

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 chooses a free one.")
    var port = 8080

    @Option(
        help: "The folder of user data; without it the server has content alone.",
        transform: PathArgument.path)
    var data: String?

    @Option(
        help: "A content folder whose underway.yaml declares collections and issuers.",
        transform: PathArgument.path)
    var declared: String?

    @Option(
        help: "A folder for the key of the tokens (default: that of --data).",
        transform: PathArgument.path)
    var keys: String?

    @Option(
        help: "A folder into which codes for email addresses are written as JSON files.",
        transform: PathArgument.path)
    var mailbox: String?

    @Flag(
        help:
            "Trust X-Forwarded-For of every peer; only for a server that no other client can reach."
    )
    var behindProxy = false

    @Option(help: "Trust X-Forwarded-For of the proxy at this address; may be repeated.")
    var trustedProxy: [String] = []

    @Option(help: "The most connections of one address (default: 256, this machine's not counted).")
    var connectionsPerAddress: Int?

    @Option(help: "The number of threads (default: one per core).")
    var threads: Int?

    @Flag(help: "Write no access log.")
    var quiet = false

    @Flag(help: "Print the address and errors as JSON on standard output.")
    var json = false

    func validate() throws {
        try validateUserData()
        guard (0...65_535).contains(port) else { throw ValidationError("A port is 0 to 65535.") }
        guard threads.map({ (1...256).contains($0) }) ?? true else {
            throw ValidationError("--threads takes 1 to 256.")
        }
        guard connectionsPerAddress.map({ (1...10_000).contains($0) }) ?? true else {
            throw ValidationError("--connections-per-address takes 1 to 10000.")
        }
        guard !behindProxy || trustedProxy.isEmpty else {
            throw ValidationError("--behind-proxy and --trusted-proxy exclude each other.")
        }
        for text in trustedProxy where !ProxyTrust.isAddress(text) {
            throw ValidationError("--trusted-proxy takes IP addresses, not \(text).")
        }
    }

    /// Rejects options that need `--data`: without it they would have no effect.
    private func validateUserData() throws {
        guard data == nil else { return }
        for (option, value) in [("declared", declared), ("keys", keys), ("mailbox", mailbox)]
        where value != nil {
            throw ValidationError(
                "--\(option) is about users' data: name their folder with --data, or leave it out.")
        }
    }

    func run() async throws {
        guard FileManager.default.fileExists(atPath: release) else {
            throw CommandFailure(
                .notFound, "There is no folder \(release). `underway publish` makes one.",
                place: release)
        }
        var logger = Logger(label: "underway.server") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        let host = host
        var options = ServerOptions(
            release: release, host: host, port: port,
            accessLog: quiet ? nil : AccessLog(to: .standardOutput))
        if let threads { options.threads = threads }
        options.proxies =
            behindProxy
            ? .everybody : trustedProxy.isEmpty ? .nobody : .addresses(trustedProxy)
        if let connectionsPerAddress {
            options.connections.perAddress = connectionsPerAddress
            options.connections.countsLoopback = true
        }
        options.connections.all = OpenFiles.connectionsMax()
        options.dataFolder = data
        options.users = try await users()
        options.onListening = { port in
            let address = "http://\(host):\(port)\(ContentRoutes.prefix)/manifest.json"
            if Console.isJSON { Console.say(jsonLine: ["serving": .string(address)]) }
            Console.note("Serving \(address)")
        }
        let application = ContentApplication.build(options, logger: logger)
        try await serve(application, logger)
    }

    /// Opens the service for accounts and user data; `nil` without `--data`.
    private func users() async throws -> AccountService? {
        guard let data else { return nil }
        for (option, folder) in [("--data", data), ("--keys", keys), ("--mailbox", mailbox)] {
            if let folder { try Folder.requireNoFile(folder, option) }
        }
        return try await reportingErrors {
            let settings = try declared.map { try UserDataSettings.read(folder: $0) }
            let root = URL(fileURLWithPath: declared ?? ".", isDirectory: true)
            let issuers = try (settings?.issuers ?? []).map { issuer in
                guard let keys = URL(string: issuer.keys, relativeTo: root) else {
                    throw PublishingError.unreadable("\(issuer.keys) is not an address.")
                }
                let address = keys.absoluteURL
                guard address.isFileURL || address.scheme == "https" else {
                    throw PublishingError.unreadable(
                        "The keys of \(issuer.issuer) must be a file or come by https.")
                }
                return ExternalIssuer(
                    issuer: issuer.issuer, audience: issuer.audience, keys: address)
            }
            do {
                return try await AccountService(
                    UserServiceOptions(
                        folder: URL(fileURLWithPath: data),
                        collections: settings?.collections ?? [], issuers: issuers,
                        keysFolder: keys.map { URL(fileURLWithPath: $0) },
                        mailbox: try mailbox.map {
                            try FileMailbox(folder: URL(fileURLWithPath: $0))
                        }))
            } catch let error as UserServiceSetupError {
                throw error
            } catch is CocoaError {
                throw CommandFailure(
                    .files,
                    "\(data) cannot hold the users' data: it, or the folder of --keys or --mailbox,"
                        + " cannot be written. Is the disk full, and do the files belong to this user?"
                        + " Nothing was changed.", place: data)
            }
        }
    }

    private func serve(_ application: some Service, _ logger: Logger) async throws {
        try await serving(on: host, port) {
            try await ServiceGroup(
                services: [application], gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            ).run()
        }
    }
}
