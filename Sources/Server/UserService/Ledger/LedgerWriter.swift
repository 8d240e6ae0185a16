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

    private struct Waiting {
        let call: ExchangeCall
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
    package func exchange(_ call: ExchangeCall) async throws -> ExchangeReply {
        if isLed {
            guard waiting.count < ServiceLimits.waitingExchangesMax else {
                throw UserServiceError(.busy, "The server is busy. Try again in a moment.")
            }
            let turn = await withCheckedContinuation { continuation in
                waiting.append(Waiting(call: call, continuation: continuation))
            }
            if case .answered(let result) = turn { return try result.get() }
        }
        isLed = true
        let followers = Array(waiting.prefix(Self.batchMax - 1))
        waiting.removeFirst(followers.count)
        let results = await commit([call] + followers.map(\.call))
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

    private func commit(_ calls: [ExchangeCall]) async -> [Result<ExchangeReply, any Error>] {
        let (rules, now, makeText) = (rules, clock(), makeText)
        do {
            return try await database.writer.write { database in
                try calls.map { call in
                    try Self.attempt(call, rules, now, makeText(), in: database)
                }
            }
        } catch {
            return calls.map { _ in .failure(error) }
        }
    }

    /// One request; what it may not do is undone alone, but a failing disk undoes the whole batch.
    private static func attempt(
        _ call: ExchangeCall, _ rules: [String: CollectionRules], _ now: Int64, _ chance: String,
        in database: Database
    ) throws -> Result<ExchangeReply, any Error> {
        do {
            var reply: ExchangeReply?
            try database.inSavepoint {
                let ledger = Ledger(database, rules: rules, now: now)
                reply = try ledger.exchange(call, chance: chance)
                return .commit
            }
            return reply.map { .success($0) } ?? .failure(LedgerError.damaged("savepoint"))
        } catch let error as LedgerError {
            return .failure(error)
        }
    }
}
