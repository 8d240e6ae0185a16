import PostgresDriver

extension PostgresServer {
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
