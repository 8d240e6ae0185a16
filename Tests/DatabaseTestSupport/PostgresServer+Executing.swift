import PostgresDriver
import Synchronization

extension PostgresServer {
    /// The last change of the program's login.
    private static let lastChange = Mutex<Task<Void, any Error>?>(nil)

    /// Gives the program's login the password of this server.
    ///
    /// One change after the other: PostgreSQL fails two that come at once, in whatever databases (XX000).
    public func openLogin(in database: String) async throws {
        let change = Self.lastChange.withLock { last in
            let change = Task { [before = last] in
                _ = await before?.result
                try await execute(
                    "ALTER ROLE underway_server PASSWORD '\(password)'", in: database)
            }
            last = change
            return change
        }
        try await change.value
    }

    /// Executes a script in a database, as superuser, whom no policy binds.
    public func execute(_ script: String, in database: String) async throws {
        let pool = PostgresPool(PoolSettings(address(database)))
        do {
            try await pool.use { try $0.execute(script: script) }
            await pool.close()
        } catch {
            await pool.close()
            throw error
        }
    }
}
