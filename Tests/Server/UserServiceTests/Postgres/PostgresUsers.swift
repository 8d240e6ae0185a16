import DatabaseTestSupport
import Foundation
import PostgresDriver
import PostgresStorage
import Synchronization

/// A database of users on the shared server: a copy of one that was migrated once.
struct PostgresUsers: Sendable {
    /// The address of the superuser.
    let admin: PostgresAddress
    /// The address of the program's login.
    let server: PostgresAddress

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
        let pool = PostgresPool(PoolSettings(try await server.newDatabase("template_users")))
        _ = try await pool.use { try PostgresMigrator().migrate($0) }
        try await pool.query(
            "ALTER ROLE underway_server PASSWORD '\(sql: server.password)'")
        let name = try await pool.query("SELECT current_database()::text AS name")
            .column("name", as: String.self)
        await pool.close()
        return Template(server, name: name.first ?? "")
    }

    /// Creates a database with the accounts of these users.
    init(_ users: [String] = ["u", "v"]) async throws {
        let template = try await Self.template.value
        let name = "users_\(template.copies.add(1, ordering: .relaxed).newValue)"
        let pool = PostgresPool(PoolSettings(template.server.socketAddress()))
        try await pool.query(
            "CREATE DATABASE \(identifier: name) TEMPLATE \(identifier: template.name)")
        await pool.close()
        admin = template.server.address(name)
        server = template.server.address(name, user: "underway_server")
        for user in users { try await add(user) }
    }

    /// Opens a pool of the program's login.
    func pool(_ connectionsMax: Int = 2) -> PostgresPool {
        var settings = PoolSettings(server)
        settings.connectionsMax = connectionsMax
        return PostgresPool(settings)
    }

    /// Executes statements as superuser, whom no policy binds.
    @discardableResult
    func execute(_ statements: PostgresStatement...) async throws -> [PostgresResult] {
        let pool = PostgresPool(PoolSettings(admin))
        do {
            let results = try await pool.pipeline(statements)
            await pool.close()
            return results
        } catch {
            await pool.close()
            throw error
        }
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
