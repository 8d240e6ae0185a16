import DatabaseTestSupport
import Dispatch
import PostgresDriver
import Synchronization

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

/// A value that several tasks change.
final class Shared<Value: Sendable>: Sendable {
    private let state: Mutex<Value>
    init(_ value: Value) { state = Mutex(value) }
    var value: Value { state.withLock { $0 } }
    func change(_ body: @Sendable (inout Value) -> Void) { state.withLock { body(&$0) } }
}

/// A number that several tasks count up.
final class Counter: Sendable {
    private let total = Mutex(0)
    var value: Int { total.withLock { $0 } }
    func add(_ number: Int = 1) { total.withLock { $0 += number } }
}

/// A place in a test that waits until it may go on.
final class Gate: Sendable {
    private let permission = DispatchSemaphore(value: 0)
    func open() { permission.signal() }
    /// Blocks the thread of a connection, as a long statement would.
    func wait() {
        permission.wait()
        permission.signal()
    }
}
