import ArgumentParser
import ContentModel
import ContentServer
import Foundation
import Logging
import ServiceAPI
import ServiceLifecycle
import UnixSignals

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

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var redis: RedisOptions

    @Option(
        help:
            "The most connections to the database (default: 8); 2 to 4 for each of its cores are fastest."
    )
    var databaseConnections: Int?

    @Flag(help: "Prepare statements on the database; not through PgBouncer below 1.21.")
    var preparedStatements = false

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

    @Option(
        help:
            "Show Prometheus' numbers at http://ADDRESS/metrics, as 9464 or 127.0.0.1:9464; only the operator's network should reach it."
    )
    var metrics: String?

    @Flag(help: "Write no access log.")
    var quiet = false

    @Flag(help: "Print the address and errors as JSON on standard output.")
    var json = false

    func validate() throws {
        try validateUserData()
        try validateDatabase()
        _ = try redis.address()
        guard (0...65_535).contains(port) else { throw ValidationError("A port is 0 to 65535.") }
        guard metrics.map({ MetricsAddress($0) != nil }) ?? true else {
            throw ValidationError("--metrics takes a port, or an address as 127.0.0.1:9464.")
        }
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

    /// Rejects options that need `--data` or `--database`: without them they would have no effect.
    private func validateUserData() throws {
        guard data == nil, !database.isGiven else { return }
        for (option, value) in [
            ("declared", declared), ("keys", keys), ("mailbox", mailbox), ("redis", redis.redis),
        ]
        where value != nil {
            throw ValidationError(
                "--\(option) is about users' data: name their folder with --data, or leave it out.")
        }
    }

    private func validateDatabase() throws {
        if try database.address() != nil {
            guard data != nil || keys != nil else {
                throw ValidationError(
                    "With a database, --data (or --keys) names this process' own folder: for the key of the"
                        + " tokens, which is the same for all processes, and for its list of ended sessions."
                )
            }
        } else if databaseConnections != nil || preparedStatements {
            throw ValidationError(
                "--database-connections and --prepared-statements are about a database: name it with"
                    + " --database.")
        }
        guard databaseConnections.map({ (1...64).contains($0) }) ?? true else {
            throw ValidationError("--database-connections takes 1 to 64.")
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
        let storage = try await ServeStorage.open(self)
        options.dataFolder = data ?? keys
        options.users = storage.users
        options.tables = storage.tables
        if let metrics, var address = MetricsAddress(metrics) {
            let host = address.urlHost
            address.onListening = { port in
                Console.note("Numbers at http://\(host):\(port)/metrics")
            }
            options.metrics = ServerMetrics()
            options.metricsAddress = address
            options.numbers = { storage.numbers() }
        }
        options.onListening = { port in
            let address = "http://\(host):\(port)\(ContentRoutes.prefix)/manifest.json"
            if Console.isJSON { Console.say(jsonLine: ["serving": .string(address)]) }
            Console.note("Serving \(address)")
        }
        let application = ContentApplication.build(options, logger: logger)
        try await serve(application, logger)
        await storage.close()
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
