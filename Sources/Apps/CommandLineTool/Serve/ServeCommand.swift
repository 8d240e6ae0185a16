import ArgumentParser
import ContentModel
import ContentServer
import DeskWeb
import Foundation
import Logging
import Publishing
import ServerApplication
import ServiceAPI
import ServiceLifecycle
import Telemetry
import UnixSignals

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a release, and with --data the users' data too.",
        discussion: """
            The server picks up new releases while it runs. You can also set each option as an environment variable \
            (--database-connections: UNDERWAY_DATABASE_CONNECTIONS), or as a line of a YAML file that --config names \
            (database-connections: 4). An option overrides a variable, and a variable overrides the file.
            """,
        examples: [
            "underway serve --release release --data users",
            "underway serve --config underway-server.yaml --print-config",
        ])

    @Option(
        help: "A YAML file of settings, which have the names of the options.",
        transform: PathArgument.path)
    var config: String?

    @Flag(help: "Print each setting and where it comes from, without passwords, and end.")
    var printConfig = false

    @Option(help: "The release directory (default: release).", transform: PathArgument.path)
    var release: String?

    @Option(help: "The address to listen on (default: 127.0.0.1).")
    var host: String?

    @Option(help: "The port to listen on; 0 chooses a free one (default: 8080).")
    var port: Int?

    @Option(
        help: "The folder of user data; without it the server has only content.",
        transform: PathArgument.path)
    var data: String?

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var redis: RedisOptions

    @Option(
        help:
            "The most connections to the database (default: 8); 2 to 4 for each of its cores are fastest."
    )
    var databaseConnections: Int?

    @Flag(
        inversion: .prefixedNo,
        help: "Prepare statements on the database; not through PgBouncer below 1.21.")
    var preparedStatements: Bool?

    @Option(
        help: "A content folder whose underway.yaml declares collections and issuers.",
        transform: PathArgument.path)
    var declared: String?

    @Option(
        help: "A folder for the key of the tokens (default: that of --data).",
        transform: PathArgument.path)
    var keys: String?

    @Option(
        help: "The folder into which the server writes codes for email addresses, as JSON files.",
        transform: PathArgument.path)
    var mailbox: String?

    @Flag(
        inversion: .prefixedNo,
        help:
            "Trust X-Forwarded-For of every peer; only for a server that no other client can reach."
    )
    var behindProxy: Bool?

    @Option(help: "Trust X-Forwarded-For of the proxy at this address; may be repeated.")
    var trustedProxy: [String] = []

    @Option(help: "The most connections of one address (default: 256, this machine's not counted).")
    var connectionsPerAddress: Int?

    @Option(help: "The number of threads (default: one per core).")
    var threads: Int?

    @Option(
        help:
            "Serve metrics for Prometheus at http://ADDRESS/metrics, for example 9464 or 127.0.0.1:9464; let only your own network reach it."
    )
    var metrics: String?

    @OptionGroup var tracing: TraceOptions

    @OptionGroup var desk: DeskServeOptions

    @Option(
        help:
            "The file of the timestamp's private key; the server renews the timestamp of its release each day.",
        transform: PathArgument.path)
    var timestampKey: String?

    @Flag(inversion: .prefixedNo, help: "Write no access log.")
    var quiet: Bool?

    @Flag(help: "Print the address and errors as JSON on standard output.")
    var json = false

    /// Checks the settings together, once those of the environment and the file are among them.
    ///
    /// - Throws: `ValidationError`.
    private func check() throws {
        try validateUserData()
        try validateDatabase()
        _ = try redis.address()
        try tracing.check()
        try desk.check(hasUsers: data != nil || database.isGiven)
        guard (0...65_535).contains(port ?? 0) else {
            throw ValidationError("--port takes 0 to 65535.")
        }
        guard metrics.map({ MetricsAddress($0) != nil }) ?? true else {
            throw ValidationError("--metrics takes a port, or an address as 127.0.0.1:9464.")
        }
        guard threads.map({ (1...256).contains($0) }) ?? true else {
            throw ValidationError("--threads takes 1 to 256.")
        }
        guard connectionsPerAddress.map({ (1...10_000).contains($0) }) ?? true else {
            throw ValidationError("--connections-per-address takes 1 to 10000.")
        }
        guard behindProxy != true || trustedProxy.isEmpty else {
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
                "--\(option) needs users' data. Name their folder with --data, or leave out --\(option)."
            )
        }
    }

    private func validateDatabase() throws {
        if try database.address() != nil {
            guard data != nil || keys != nil else {
                throw ValidationError(
                    "A server with a database needs a folder of its own, for the key of the tokens (the same for all"
                        + " processes) and its list of ended sessions. Name it with --data or --keys."
                )
            }
        } else if databaseConnections != nil || preparedStatements == true {
            throw ValidationError(
                "--database-connections and --prepared-statements need a database. Name it with --database."
            )
        }
        guard databaseConnections.map({ (1...64).contains($0) }) ?? true else {
            throw ValidationError("--database-connections takes 1 to 64.")
        }
    }

    func run() async throws {
        var command = self
        let entries = try ServeConfiguration(file: config).fill(&command)
        do {
            try command.check()
        } catch let mistake as ValidationError {
            throw CommandFailure(
                .usage, mistake.message + Self.origin(of: mistake, entries, config))
        }
        if printConfig { Self.show(entries) } else { try await command.serve() }
    }

    /// Says where the value of the option that a mistake names comes from, if it was not an option.
    private static func origin(
        of mistake: ValidationError, _ entries: [ServeConfiguration.Entry], _ file: String?
    ) -> String {
        let named = ServeSetting.all.filter { setting in
            mistake.message.contains("--\(setting.name) ")
                || mistake.message.hasSuffix("--\(setting.name).")
        }
        for setting in named {
            switch entries.first(where: { $0.name == setting.name })?.source {
            case .file: return " The value is that of \(setting.name) in \(file ?? "the file")."
            case .environment: return " The value is that of \(setting.variable)."
            default: continue
            }
        }
        return ""
    }

    private static func show(_ entries: [ServeConfiguration.Entry]) {
        let width = entries.map(\.name.count).max() ?? 0
        let lines = entries.map { entry in
            entry.name + String(repeating: " ", count: width - entry.name.count + 2)
                + "\(Console.shown(entry.value))  (\(entry.source.rawValue))"
        }
        let members = entries.map { entry in
            (
                entry.name,
                [
                    "value": .string(entry.value), "source": .string(entry.source.rawValue),
                ] as JSONValue
            )
        }
        Console.say(
            lines.joined(separator: "\n"),
            json: .object(Dictionary(members, uniquingKeysWith: { $1 })))
    }

    private func serve() async throws {
        let (release, host) = (release ?? "release", host ?? "127.0.0.1")
        guard FileManager.default.fileExists(atPath: release) else {
            throw CommandFailure(
                .notFound, "There is no folder \(release). Run `underway publish` to make one.",
                place: release)
        }
        var logger = Logger(label: "underway.server") {
            JSONLogHandler(label: $0, to: .standardError)
        }
        logger.logLevel = .warning
        var options = ServerOptions(
            release: release, host: host, port: port ?? 8080,
            accessLog: quiet == true ? nil : AccessLog(to: .standardOutput))
        if let threads { options.threads = threads }
        options.reviewsKeys = true
        options.proxies =
            behindProxy == true
            ? .everybody : trustedProxy.isEmpty ? .nobody : .addresses(trustedProxy)
        if let connectionsPerAddress {
            options.connections.perAddress = connectionsPerAddress
            options.connections.countsLoopback = true
        }
        options.connections.all = OpenFiles.connectionsMax()
        if let exporter = tracing.exporter() {
            options.traces = exporter
            options.tracer = SpanTracer(exporter: exporter, sampling: tracing.sampling)
        }
        let storage = try await ServeStorage.open(self, tracer: options.tracer)
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
        let isProxied = behindProxy == true || !trustedProxy.isEmpty
        let warning = Self.exposure(of: host, isProxied: isProxied)
        let pages = try desk.open(storage.users, options)
        if let pages { options.pages = { router in pages.addRoutes(to: router) } }
        options.onListening = { port in
            let address = "http://\(host):\(port)\(ContentRoutes.prefix)/manifest.json"
            if Console.isJSON { Console.say(jsonLine: ["serving": .string(address)]) }
            Console.note("Serving \(address)")
            if let warning { Console.note(warning) }
            if let pages { Console.note("The desk is at \(pages.listens(on: port))") }
        }
        let signing = try timestampService(release, logger)
        let services: [any Service] = [ContentApplication.build(options, logger: logger)]
        try await run(services + signing, on: host, logger)
        await storage.close()
    }

    /// Returns the service that signs the timestamp; a key that cannot do so is refused before the server starts.
    private func timestampService(_ release: String, _ logger: Logger) throws -> [any Service] {
        guard let timestampKey else { return [] }
        let apart = [release] + [desk.desk].compactMap(\.self)
        let key = try KeyFolder.key(at: timestampKey, apart: apart)
        try TrustAdministration(releaseDirectory: release, now: Date()).checkTimestampKey(key)
        return [TimestampService(release: release, key: key, logger: logger)]
    }

    private func run(_ services: [any Service], on host: String, _ logger: Logger) async throws {
        try await serving(on: host, port ?? 8080) {
            try await ServiceGroup(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            ).run()
        }
    }
}
