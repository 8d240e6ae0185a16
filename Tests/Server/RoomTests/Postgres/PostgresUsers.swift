import DatabaseTestSupport
import Foundation
import Operations
import PostgresDriver
import Synchronization
import Tables

/// A database of users on the shared server: a copy of one that was migrated once.
struct PostgresUsers: Sendable {
    /// The address of the superuser.
    let admin: PostgresAddress
    /// The address of the program's login.
    let server: PostgresAddress
    /// The server, which ends with its last reference.
    private let host: PostgresServer

    /// The migrated database, and the number of its copies.
    private final class Template: Sendable {
        let server: PostgresServer
        let name: String
        let copies = Atomic(0)

        init(_ server: PostgresServer, name: String) {
            self.server = server
            self.name = name
        }
    }

    private static let template = Task {
        let server = try PostgresServer.shared()
        let address = try await migratedDatabase(on: server)
        return Template(server, name: address.database ?? "")
    }

    /// Creates a database, and migrates it.
    private static func migratedDatabase(on server: PostgresServer) async throws -> PostgresAddress
    {
        let address = try await server.newDatabase("migrated_users")
        let pool = PostgresPool(.patient(address))
        _ = try await pool.use { try PostgresMigrator().migrate($0) }
        await pool.close()
        if let database = address.database { try await server.openLogin(in: database) }
        return address
    }

    /// Creates a database with the accounts of these users on the shared server.
    init(_ users: [String] = ["u", "v"]) async throws {
        let template = try await Self.template.value
        let name = "users_\(template.copies.add(1, ordering: .relaxed).newValue)"
        try await template.server.copyDatabase(template.name, to: name)
        try await self.init(users, on: template.server, database: name)
    }

    /// Creates a database with the accounts of these users on another server.
    init(_ users: [String] = ["u", "v"], on server: PostgresServer) async throws {
        let address = try await Self.migratedDatabase(on: server)
        try await self.init(users, on: server, database: address.database ?? "")
    }

    /// Takes a database of another server, or one that was made otherwise.
    init(
        _ users: [String] = [], on server: PostgresServer, existing database: String
    ) async throws {
        try await self.init(users, on: server, database: database)
    }

    private init(_ users: [String], on server: PostgresServer, database: String) async throws {
        host = server
        admin = server.address(database)
        self.server = server.address(database, user: "underway_server")
        for user in users { try await add(user) }
    }

    /// Copies the database, as a backup has it; connections are ended.
    func copy() async throws -> PostgresUsers {
        let name = admin.database ?? ""
        let copy = name + "_copy"
        let pool = PostgresPool(.patient(host.socketAddress()))
        try await pool.query(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = \(name)")
        await pool.close()
        try await host.copyDatabase(name, to: copy)
        return try await PostgresUsers([], on: host, database: copy)
    }

    /// Opens a pool of the program's login.
    func pool(_ connectionsMax: Int = 2) -> PostgresPool {
        var settings = PoolSettings.patient(server)
        settings.connectionsMax = connectionsMax
        return PostgresPool(settings)
    }

    /// Executes statements as superuser, whom no policy binds.
    @discardableResult
    func execute(_ statements: PostgresStatement...) async throws -> [PostgresResult] {
        let pool = PostgresPool(.patient(admin))
        do {
            let results = try await pool.pipeline(statements)
            await pool.close()
            return results
        } catch {
            await pool.close()
            throw error
        }
    }

    /// Executes a script as superuser.
    func execute(script: String) async throws {
        try await host.execute(script, in: admin.database ?? "")
    }

    /// Adds an account.
    func add(_ user: String) async throws {
        let identity = UserClaims(of: user).user
        try await execute(
            """
            INSERT INTO underway.account (id, user_id, created_at)
            VALUES (\(user), \(identity), 0)
            """)
    }
}

extension PoolSettings {
    /// Returns the settings of a pool whose callers wait as long as a busy machine needs.
    static func patient(_ address: PostgresAddress) -> PoolSettings {
        var settings = PoolSettings(address)
        (settings.waitTimeout, settings.replyTimeout) = (.seconds(120), .seconds(120))
        return settings
    }
}
