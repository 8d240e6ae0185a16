import DatabaseTestSupport
import PostgresDriver

/// Runs a test with a pool on a database of its own, and closes the pool.
@discardableResult
func withPool<Value>(
    connectionsMax: Int = 4, on server: PostgresServer? = nil,
    _ change: (inout PoolSettings) -> Void = { _ in },
    _ body: (PostgresPool) async throws -> Value
) async throws -> Value {
    let server = try server ?? PostgresServer.shared()
    var settings = PoolSettings(try await server.newDatabase())
    settings.connectionsMax = connectionsMax
    change(&settings)
    return try await withPool(settings, body)
}

/// Runs a test with a pool, and closes it.
@discardableResult
func withPool<Value>(
    _ settings: PoolSettings, _ body: (PostgresPool) async throws -> Value
) async throws -> Value {
    let pool = PostgresPool(settings)
    do {
        let value = try await body(pool)
        await pool.close()
        return value
    } catch {
        await pool.close()
        throw error
    }
}

/// Returns the error that a call throws.
func failure(_ body: () async throws -> some Any) async -> PostgresError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? PostgresError
    }
}
