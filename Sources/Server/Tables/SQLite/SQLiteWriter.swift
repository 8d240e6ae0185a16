package import GRDB
import ServiceAPI
import Synchronization

/// Group commit: the first caller commits its own and up to 63 pending writes in one transaction,
/// resumes them, then promotes the next.
///
/// Every write of the server's users goes through one writer, in the order of arrival. A reply is given
/// only after its transaction was committed.
actor SQLiteWriter {
    /// A write with the place of its value.
    private struct Job: Sendable {
        /// True when others may share the transaction.
        let isShared: Bool
        let body: @Sendable (Database) throws -> Void
    }

    /// The value of a job, once it ran.
    private final class Slot<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    private enum Turn {
        case done(Result<Void, any Error>)
        case leads
    }

    private struct Pending {
        let job: Job
        let continuation: CheckedContinuation<Turn, Never>
    }

    /// The most writes in one transaction.
    private static let batchMax = 64

    private let connections: any DatabaseWriter
    private var pending: [Pending] = []
    private var isLed = false

    init(_ connections: any DatabaseWriter) { self.connections = connections }

    /// The number of writes that wait behind the one that runs; `nil` when none runs.
    var pendingCount: Int? { isLed ? pending.count : nil }

    /// Runs a write, and returns its value once its transaction was committed.
    ///
    /// - Parameters:
    ///   - together: True when it may share a transaction; it undoes its own writes when it throws, and
    ///     may run again.
    ///   - body: The write.
    /// - Returns: The value of the run that was committed.
    /// - Throws: What `body` throws, `StorageError` `busy` when too many wait, or an error of the
    ///   database.
    nonisolated func write<Value: Sendable>(
        together: Bool, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let slot = Slot<Value>()
        try await commit(
            Job(isShared: together) { database in
                let value = try body(database)
                slot.value.withLock { $0 = value }
            })
        guard let value = slot.value.withLock({ $0 }) else {
            throw StorageError.damaged("transaction")
        }
        return value
    }

    private func commit(_ job: Job) async throws {
        if isLed {
            guard pending.count < ServiceLimits.waitingExchangesMax else {
                throw StorageError.busy
            }
            let turn = await withCheckedContinuation { continuation in
                pending.append(Pending(job: job, continuation: continuation))
            }
            if case .done(let result) = turn { return try result.get() }
        }
        isLed = true
        let followers =
            job.isShared
            ? Array(pending.prefix(Self.batchMax - 1).prefix(while: \.job.isShared)) : []
        pending.removeFirst(followers.count)
        let results = await commit([job] + followers.map(\.job))
        for (follower, result) in zip(followers, results.dropFirst()) {
            follower.continuation.resume(returning: .done(result))
        }
        if pending.isEmpty {
            isLed = false
        } else {
            pending.removeFirst().continuation.resume(returning: .leads)
        }
        try results[0].get()
    }

    /// Commits jobs together or, when that fails, each for itself: one that cannot be written does not
    /// keep the others from it.
    private func commit(_ jobs: [Job]) async -> [Result<Void, any Error>] {
        do {
            return try await commitTogether(jobs)
        } catch {
            guard jobs.count > 1, !Self.concernsAll(error) else {
                return jobs.map { _ in .failure(error) }
            }
        }
        var results: [Result<Void, any Error>] = []
        for job in jobs {
            do {
                results += try await commitTogether([job])
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }

    /// Returns true for what one write after the other would only run into again: a full or failing disk,
    /// or a lock, each of which was waited for already.
    private static func concernsAll(_ error: any Error) -> Bool {
        guard let code = (error as? DatabaseError)?.resultCode else { return false }
        return [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY]
            .contains(code)
    }

    /// Commits jobs in one transaction, which goes on when the caller is cancelled: it is not the caller's
    /// alone.
    private func commitTogether(_ jobs: [Job]) async throws -> [Result<Void, any Error>] {
        try await withCheckedThrowingContinuation { continuation in
            connections.asyncWrite { database in
                try jobs.map { try Self.attempt($0, in: database) }
            } completion: { _, result in
                continuation.resume(with: result)
            }
        }
    }

    /// Runs one job; what it may not do is undone alone, but a failing disk undoes the whole batch.
    private static func attempt(
        _ job: Job, in database: Database
    ) throws -> Result<Void, any Error> {
        guard job.isShared else { return .success(try job.body(database)) }
        do {
            return .success(try job.body(database))
        } catch let error as DatabaseError where !error.isConfined(in: database) {
            throw error
        } catch {
            return .failure(error)
        }
    }
}

extension DatabaseError {
    /// Returns true when only the statement was rolled back, and the transaction continues.
    package func isConfined(in database: Database) -> Bool {
        resultCode == .SQLITE_CONSTRAINT && database.isInsideTransaction
    }
}
