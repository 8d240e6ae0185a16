import Accounts
import ContentDatabase
import Foundation
import Ledger
import LiveEvents
import Operations
import PostgresDriver
import Publishing
import ServerApplication
import Tables
import Telemetry
import Tracing

/// The storages of `serve` beside the release: the users on SQLite or PostgreSQL, and the content tables.
struct ServeStorage {
    /// The longest time that a transaction may go on after the server ended, in seconds.
    private static let closingSeconds = 5
    /// The longest time that a database may be silent, in seconds: twice the login's `statement_timeout`.
    private static let replySeconds = 10
    /// The most prepared statements of a connection.
    private static let statementNamesMax = 64

    var users: UserBackend?
    var tables: ContentTables?
    private var pool: PostgresPool?
    private var redis: SharedRedis?

    /// Opens the storage that the options name; none without `--data` and `--database`.
    ///
    /// - Throws: `CommandFailure`.
    static func open(
        _ command: ServeCommand, tracer: any Tracer
    ) async throws -> ServeStorage {
        for (option, folder) in [
            ("--data", command.data), ("--keys", command.keys), ("--mailbox", command.mailbox),
        ] {
            if let folder { try Folder.checkNoFile(folder, option) }
        }
        let redis: SharedRedis? =
            if let address = try command.redis.address() { await SharedRedis(address) } else { nil }
        return try await reportingErrors {
            guard let address = try command.database.address() else {
                guard let data = command.data else { return ServeStorage() }
                return try await naming(data) {
                    var options = try userOptions(command, folder: data)
                    options.tracer = tracer
                    if let redis {
                        options.rateLimits = redis.limits(options.rateLimits)
                    }
                    return ServeStorage(
                        users: try await UserBackend(
                            options, ranking: redis?.ranking ?? MemoryRanking()), redis: redis)
                }
            }
            return try await CommandFailure.naming(address) {
                try await openPostgres(address, command, redis, tracer)
            }
        }
    }

    /// Returns the numbers of the connections to the database; none without one.
    func numbers() -> [MetricSample] {
        let shared = redis?.numbers ?? []
        guard let status = pool?.status else { return shared }
        let states = [
            ("idle", status.idle), ("in-use", status.inUse), ("connecting", status.connecting),
        ]
        return shared
            + states.map { state, count in
                MetricSample(
                    "underway_database_connections", Double(count), labels: [("state", state)])
            } + [MetricSample("underway_database_waiting", Double(status.waiting))]
    }

    /// Ends the connections to the database.
    func close() async {
        await redis?.close()
        await pool?.close(cancellingAfter: .seconds(Self.closingSeconds))
    }

    private static func openPostgres(
        _ address: PostgresAddress, _ command: ServeCommand, _ redis: SharedRedis?,
        _ tracer: any Tracer
    ) async throws -> ServeStorage {
        let folder = command.data ?? command.keys ?? ""
        let file = folder + "/" + UserServiceOptions.databaseName
        guard !FileManager.default.fileExists(atPath: file) else {
            throw CommandFailure(
                .refused,
                "\(file) has users in SQLite, which a server on PostgreSQL does not read. Copy them with"
                    + " `underway db copy`, then move that file away, with its -wal and -shm if they are there. Nothing was changed.",
                place: file)
        }
        var settings = PoolSettings(address)
        if let most = command.databaseConnections { settings.connectionsMax = most }
        settings.replyTimeout = .seconds(replySeconds)
        if command.preparedStatements == true { settings.statementNamesMax = statementNamesMax }
        let pool = PostgresPool(settings)
        try await pool.use { connection in
            try PostgresMigrator().check(connection)
            try PostgresLogin.check(connection)
            try PostgresClock.check(connection, now: Date())
        }
        return try await naming(folder) {
            var options = try userOptions(command, folder: folder)
            options.tracer = tracer
            if let redis {
                options.sharesRates = { redis.limits($0) }
            }
            return ServeStorage(
                users: try await UserBackend(
                    pool, options, ranking: redis?.ranking ?? MemoryRanking()),
                tables: ContentTables(pool: pool),
                pool: pool, redis: redis)
        }
    }

    private static func userOptions(
        _ command: ServeCommand, folder: String
    ) throws -> UserServiceOptions {
        let settings = try command.declared.map { try UserDataSettings.read(folder: $0) }
        var options = UserServiceOptions(
            folder: URL(fileURLWithPath: folder), collections: settings?.collections ?? [],
            issuers: try issuers(settings, in: command.declared ?? "."),
            keysFolder: command.keys.map { URL(fileURLWithPath: $0) },
            mailbox: try command.mailbox.map {
                try FileMailbox(folder: URL(fileURLWithPath: $0))
            })
        let keys = options.keysFolder ?? options.folder
        options.upkeepClock = UpkeepClock(file: keys.appending(path: "upkeep-clock"))
        return options
    }

    private static func issuers(
        _ settings: UserDataSettings?, in folder: String
    ) throws -> [ExternalIssuer] {
        let root = URL(fileURLWithPath: folder, isDirectory: true)
        return try (settings?.issuers ?? []).map { issuer in
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
    }

    /// Opens a service, and names its folder if a file there cannot be written.
    private static func naming<Value>(
        _ folder: String, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as SetupError {
            throw error
        } catch is CocoaError {
            throw CommandFailure(
                .files,
                "\(folder) cannot hold the users' data: it, or the folder of --keys or --mailbox,"
                    + " cannot be written. Is the disk full, and do the files belong to this user?"
                    + " Nothing was changed.", place: folder)
        }
    }
}
