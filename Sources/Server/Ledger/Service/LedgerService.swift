package import ServiceAPI
import UserData

/// The ledger over a storage: passes time and randomness to each decision, and writes its changes.
package struct LedgerService: Sendable {
    /// The rules.
    package let ledger: Ledger
    /// The storage.
    package let storage: any LedgerStorage
    private let lanes = KeyedQueue()
    /// The wall clock, in milliseconds since 1970.
    private let clock: @Sendable () -> Int64
    /// A source of texts that nobody used before.
    private let makeText: @Sendable () -> String

    package init(
        _ ledger: Ledger, storage: any LedgerStorage, clock: @escaping @Sendable () -> Int64,
        makeText: @escaping @Sendable () -> String
    ) {
        self.ledger = ledger
        self.storage = storage
        self.clock = clock
        self.makeText = makeText
    }

    // MARK: Exchanges

    /// Applies a request, and replies after its changes are committed.
    ///
    /// The answers that the device lacks are read after the commit: they never change, and no writer waits for them.
    /// - Parameter call: The request; its user matches the token.
    /// - Returns: The reply.
    /// - Throws: `StorageError`, or an error of the storage.
    package func exchange(_ call: ExchangeCall) async throws -> ExchangeReply {
        let requestDigest = await Self.digest(of: call)
        let (ledger, now, chance) = (ledger, clock(), makeText())
        let outline = try await lanes.run(call.request.user) {
            try await storage.exchange(ledger.keys(of: call, now: now)) {
                ledger.decide(
                    call, requestDigest: requestDigest, now: now, chance: chance, over: $0)
            }
        }
        guard !outline.answers.isEmpty else { return outline.reply(AnswerPage()) }
        let page = try await storage.answers(
            outline.answers, of: call.request.user, bytesMax: ServiceLimits.replyBytesMax)
        return outline.reply(page)
    }

    /// Hashes a request off the caller's actor, which takes some milliseconds.
    @concurrent private static func digest(of call: ExchangeCall) async -> RequestDigest {
        RequestDigest(call)
    }

    // MARK: Single records

    /// Reads a page of a collection, in the order of ids; deleted records are left out.
    func records(
        of user: String, in collection: String, after id: String, limit: Int
    ) async throws -> RecordPage {
        try await storage.records(
            of: user, in: collection, after: id, limit: limit,
            bytesMax: ServiceLimits.replyBytesMax)
    }

    /// Reads a record; `nil` when it was deleted or never was.
    func record(_ key: RecordKey, of user: String) async throws -> UserRecord? {
        let keys = ledger.keys(writing: key, of: user, now: clock())
        let record = try await storage.open(keys).records[key]?.record
        return record?.isDeleted == true ? nil : record
    }

    /// Writes a record when it is still as the request says.
    ///
    /// - Parameters:
    ///   - key: The record.
    ///   - write: What becomes of it.
    ///   - revision: The revision that is replaced; `nil` for a record that is not there yet.
    ///   - user: The account.
    /// - Returns: How it ended; nothing changed unless it was written.
    /// - Throws: `StorageError`, or an error of the storage.
    func write(
        _ key: RecordKey, _ write: ResourceWrite, over revision: UInt64?, of user: String
    ) async throws -> ResourceOutcome {
        let (ledger, now, chance) = (ledger, clock(), makeText())
        return try await lanes.run(user) {
            try await storage.exchange(ledger.keys(writing: key, of: user, now: now)) {
                ledger.decide(key, write, over: revision, now: now, chance: chance, in: $0)
            }
        }
    }

    // MARK: Devices

    /// Retires a device; false when the user has no such device in use.
    func forget(device name: String, of user: String) async throws -> Bool {
        let (ledger, now, client) = (ledger, clock(), ClientID(name))
        return try await lanes.run(user) {
            try await storage.exchange(ledger.keys(retiring: client, of: user, now: now)) {
                ledger.retire(client, now: now, over: $0)
            }
        }
    }

    // MARK: Upkeep

    /// Reads the sums of a user's answers.
    ///
    /// Answers that an older server stored are counted once, in steps that let others in between.
    func progress(of user: String) async throws -> AnswerProgress {
        while true {
            if let progress = try await storage.progress(of: user) { return progress }
            try await storage.countAnswers(of: user)
        }
    }

    /// The most records that are forgotten in one transaction.
    private static let purgeMax = 1_000

    /// Forgets deleted records after their time, and returns how many; who asks later from before that
    /// reads the log anew.
    func purge() async throws -> Int {
        let end = clock() - Int64(ServiceLimits.tombstoneDays) * 86_400_000
        var all = 0
        while true {
            let count = try await storage.purge(before: end, limit: Self.purgeMax)
            all += count
            if count == 0 { return all }
        }
    }
}

extension ExchangeOutline {
    /// Completes the reply with rows of answers, possibly fewer than it named.
    package func reply(_ page: AnswerPage) -> ExchangeReply {
        var response = response
        response.answers = page.runs.map(\.span)
        if page.hasMore { response.hasMore = true }
        if response.hasMore { response.answersDigest = nil }
        return ExchangeReply(response: response, answers: page.runs)
    }
}
