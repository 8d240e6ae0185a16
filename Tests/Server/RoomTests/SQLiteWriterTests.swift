import Dispatch
import GRDB
import Testing

@testable import Tables

@Suite struct SQLiteWriterTests {
    private let queue: DatabaseQueue
    private let writer: SQLiteWriter

    init() throws {
        queue = try DatabaseQueue()
        try queue.write { try $0.execute(sql: "CREATE TABLE t (n INTEGER NOT NULL UNIQUE)") }
        writer = SQLiteWriter(queue)
    }

    private func insert(_ number: Int, together: Bool = true) -> Task<Void, any Error> {
        Task { [writer] in
            try await writer.write(together: together) { database in
                try database.execute(sql: "INSERT INTO t (n) VALUES (?)", arguments: [number])
            }
        }
    }

    private func numbers() throws -> [Int] {
        try queue.read { try Int.fetchAll($0, sql: "SELECT n FROM t ORDER BY n") }
    }

    /// Holds the writer until the gate opens.
    private func hold(_ gate: DispatchSemaphore) async -> Task<Void, any Error> {
        let task = Task { [writer] in
            try await writer.write(together: false) { _ in gate.wait() }
        }
        await wait(for: 0)
        return task
    }

    private func wait(for count: Int) async {
        while await writer.pendingCount != count { await Task.yield() }
    }

    @Test func aLeaderThatIsCancelledHarmsNoFollower() async throws {
        let gate = DispatchSemaphore(value: 0)
        let first = await hold(gate)
        let leader = insert(1)
        await wait(for: 1)
        let follower = insert(2)
        await wait(for: 2)
        leader.cancel()
        gate.signal()
        try await first.value
        try await follower.value
        try await leader.value
        #expect(try numbers() == [1, 2])
    }

    @Test func whatMustBeAloneSharesNoTransaction() async throws {
        let gate = DispatchSemaphore(value: 0)
        let first = await hold(gate)
        var tasks: [Task<Void, any Error>] = []
        for (place, number) in [1, 2, 2, 3].enumerated() {
            tasks.append(insert(number, together: place != 2))
            await wait(for: place + 1)
        }
        gate.signal()
        try await first.value
        var failures: [Int] = []
        for (place, task) in tasks.enumerated() {
            do { try await task.value } catch { failures.append(place) }
        }
        #expect(failures == [2])
        #expect(try numbers() == [1, 2, 3])
    }
}
