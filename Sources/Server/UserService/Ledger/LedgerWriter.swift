import GRDB
package import ServiceAPI
package import UserData

/// The one writer of the ledger: requests that come while it writes share the next transaction.
///
/// Whoever comes first leads: it writes what waits, answers it, and lets the next one lead. An answer
/// is given only after the transaction holds.
package actor LedgerWriter {
    private enum Turn {
        case answered(Result<ExchangeReply, any Error>)
        case leads
    }

    /// A request with its hashes, which take time that no transaction should.
    private struct Printed {
        let call: ExchangeCall
        let print: RequestPrint
    }

    private struct Waiting {
        let request: Printed
        let continuation: CheckedContinuation<Turn, Never>
    }

    /// The most requests in one transaction.
    private static let batchMax = 64

    private let database: UserDatabase
    private let rules: [String: CollectionRules]
    private let clock: @Sendable () -> Int64
    private let makeText: @Sendable () -> String
    private var waiting: [Waiting] = []
    private var isLed = false

    package init(
        _ database: UserDatabase, rules: [CollectionRules],
        clock: @escaping @Sendable () -> Int64, makeText: @escaping @Sendable () -> String
    ) {
        self.database = database
        self.rules = Dictionary(
            rules.map { ($0.declaration.name, $0) }, uniquingKeysWith: { $1 })
        self.clock = clock
        self.makeText = makeText
    }

    /// Takes a request and answers it once its transaction holds.
    ///
    /// - Parameter call: The request, whose user was compared with the token.
    /// - Returns: The answer.
    /// - Throws: `LedgerError`, `UserServiceError` `busy` when too many wait, or an error of the
    ///   database.
    package nonisolated func exchange(_ call: ExchangeCall) async throws -> ExchangeReply {
        try await write(await Self.printed(call))
    }

    @concurrent private static func printed(_ call: ExchangeCall) async -> Printed {
        Printed(call: call, print: RequestPrint(call))
    }

    private func write(_ request: Printed) async throws -> ExchangeReply {
        if isLed {
            guard waiting.count < ServiceLimits.waitingExchangesMax else {
                throw UserServiceError(.busy, "The server is busy. Try again in a moment.")
            }
            let turn = await withCheckedContinuation { continuation in
                waiting.append(Waiting(request: request, continuation: continuation))
            }
            if case .answered(let result) = turn { return try result.get() }
        }
        isLed = true
        let followers = Array(waiting.prefix(Self.batchMax - 1))
        waiting.removeFirst(followers.count)
        let results = await commit([request] + followers.map(\.request))
        for (follower, result) in zip(followers, results.dropFirst()) {
            follower.continuation.resume(returning: .answered(result))
        }
        if waiting.isEmpty {
            isLed = false
        } else {
            waiting.removeFirst().continuation.resume(returning: .leads)
        }
        return try results[0].get()
    }

    /// Commits requests together or, when that fails, each for itself: one that cannot be written does
    /// not keep the others from it.
    private func commit(_ requests: [Printed]) async -> [Result<ExchangeReply, any Error>] {
        do {
            return try await commitTogether(requests)
        } catch {
            guard requests.count > 1, !Self.concernsAll(error) else {
                return requests.map { _ in .failure(error) }
            }
        }
        var results: [Result<ExchangeReply, any Error>] = []
        for request in requests {
            do {
                results += try await commitTogether([request])
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }

    /// True for what one request after the other would only run into again: a full or failing disk, or a
    /// lock, each of which was waited for already.
    private static func concernsAll(_ error: any Error) -> Bool {
        guard let code = (error as? DatabaseError)?.resultCode else { return false }
        return [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY]
            .contains(code)
    }

    private func commitTogether(
        _ requests: [Printed]
    ) async throws -> [Result<ExchangeReply, any Error>] {
        let (rules, now, makeText) = (rules, clock(), makeText)
        return try await database.writer.write { database in
            try requests.map { request in
                let ledger = Ledger(database, rules: rules, now: now)
                return try Self.attempt(request, ledger, chance: makeText())
            }
        }
    }

    /// One request; what it may not do is undone alone, but a failing disk undoes the whole batch.
    private static func attempt(
        _ request: Printed, _ ledger: Ledger, chance: String
    ) throws -> Result<ExchangeReply, any Error> {
        do {
            var reply: ExchangeReply?
            try ledger.database.inSavepoint {
                reply = try ledger.exchange(request.call, print: request.print, chance: chance)
                return .commit
            }
            return reply.map { .success($0) } ?? .failure(LedgerError.damaged("savepoint"))
        } catch let error as LedgerError {
            return .failure(error)
        } catch let error as DatabaseError where error.isConfined(in: ledger.database) {
            return .failure(error)
        }
    }
}
