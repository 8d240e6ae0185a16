import Crypto
import Foundation
import ServiceAPI
import Synchronization
import Testing
import UserData

@testable import Accounts
@testable import Ledger
@testable import Tables

/// Two accounts of a storage, `uA` and `uB`, of which the first moves into the second.
struct MoveWorld: Sendable {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    let accounts: AccountWorld
    /// The collections that apps declare.
    var declared = rules
    /// The token of a session of `uA`.
    let proof: String
    /// The token of a session of `uB`.
    let own: String

    init(_ adapter: AccountAdapter = .sqlite, isAuthenticated: Bool = false) async throws {
        try await self.init(adapter.make(), isAuthenticated: isAuthenticated)
    }

    /// Makes the accounts in a storage.
    init(_ accounts: AccountWorld, isAuthenticated: Bool = false) async throws {
        self.accounts = accounts
        for user in ["uA", "uB", "uC"] {
            try await accounts.write(.create(user, tokenGeneration: 0, at: 0))
        }
        let store = accounts.store
        proof = try await store.open("uA", isAuthenticated: isAuthenticated, now: Self.now)
            .refreshToken
        own = try await store.open("uB", isAuthenticated: false, now: Self.now).refreshToken
    }

    static let rules = [
        CollectionRules(CollectionDeclaration("exams", .askUser)),
        CollectionRules(CollectionDeclaration("goals", .lastWriteWins)),
        CollectionRules(CollectionDeclaration("points", .counter)),
        CollectionRules(CollectionDeclaration("profile", .fieldMerge)),
        CollectionRules(CollectionDeclaration("notes", .appendOnly)),
        CollectionRules(CollectionDeclaration("marks", .lastWriteWins), recordsMax: 3),
    ]

    func ledger(_ storage: (any LedgerStorage)? = nil) -> LedgerService {
        LedgerService(
            Ledger(rules: CollectionRules.builtIn + declared),
            storage: storage ?? accounts.ledger,
            clock: { Int64(Self.now.timeIntervalSince1970 * 1000) },
            makeText: { RandomText.make(bytes: 9) })
    }

    func mover(now: Date = now) -> AccountMover {
        AccountMover(accounts: accounts.store, ledger: ledger(), now: now)
    }

    /// Moves `uA` into an account in one go.
    @discardableResult
    func move(into user: String = "uB", now: Date = now) async throws -> StoredMove {
        let mover = mover(now: now)
        var move = try await mover.begin(from: "uA", proof: proof, into: user)
        while !move.isDone { move = try await mover.run(move) }
        return move
    }

    /// Deletes `uB` while or after `uA` moves into it, and expects that nothing opens either of them.
    ///
    /// - Returns: The move as it was before.
    func deleteTarget(ofMoveThatIsDone isDone: Bool) async throws -> StoredMove {
        let mover = mover()
        var move = try await mover.begin(from: "uA", proof: proof, into: "uB")
        move = try await mover.step(move)
        while isDone, !move.isDone { move = try await mover.run(move) }

        try await accounts.store.markDeleted("uB", now: Self.now)
        for user in ["uA", "uB"] {
            let access = try await accounts.store.access(user, session: "")
            #expect(access.account == nil && access.move == nil && access.isDeleted)
        }
        #expect(
            await problemCode { _ = try await accounts.store.rotate(proof, now: Self.now) }
                == .noAccount)
        #expect(await problemCode { try await self.move() } == .noAccount)
        return move
    }

    // MARK: Devices

    /// Gives each account a device with answers and a record.
    func fill() async throws {
        for (user, device) in [("uA", "device-A"), ("uB", "device-B")] {
            try await answer(user, device, [1, 2, 3])
            try await put(user, "goals", "g", ["of": .text(user)], by: device)
        }
    }

    /// Adds answers of a device, as numbers of questions.
    func answer(_ user: String, _ client: String, _ questions: [Int]) async throws {
        try await add(user, client, questions.map(Self.row))
    }

    /// Adds rows of a device.
    func add(_ user: String, _ client: String, _ rows: [AnswerRow]) async throws {
        let known = try await held(user)[client] ?? 0
        let span = AnswerSpan(
            client: ClientID(client), first: UInt64(known) + 1, count: rows.count)
        let columns = AnswerColumns(span: span, rows: rows)
        var keys = LedgerReadSet(user: user, client: ClientID("x"), now: 1)
        keys.bring([columns])
        try await accounts.ledger.exchange(keys) { snapshot in
            var changes = LedgerChanges()
            var totals = snapshot.account
            totals.answerCount += rows.count
            totals.answerBytes += columns.rows.reduce(0) { $0 + ($1?.estimatedBytes ?? 16) }
            changes.account = totals
            changes.add([columns], over: snapshot, now: 1)
            return LedgerDecision(changes: changes, reply: ())
        }
    }

    static func row(_ question: Int) -> AnswerRow {
        AnswerRow(
            bank: "b", session: "s\(question % 3)", question: "q\(question)", isCorrect: true,
            takenMilliseconds: 1, exposuresBefore: 0, mode: "study",
            milliseconds: Int64(question))
    }

    /// Returns the number of answers of each name.
    func held(_ user: String) async throws -> [String: Int] {
        let keys = LedgerReadSet(user: user, client: ClientID("x"), now: 1)
        let devices = try await accounts.ledger.open(keys).devices.filter { $0.lastAnswer > 0 }
        return Dictionary(
            devices.map { ($0.client.text, Int($0.lastAnswer)) }, uniquingKeysWith: { $1 })
    }

    /// Returns the questions that a name answered, in order.
    func questions(_ user: String, _ client: String) async throws -> [String] {
        let count = try await held(user)[client] ?? 0
        let span = AnswerSpan(client: ClientID(client), first: 1, count: count)
        return try await accounts.ledger.answers([span], of: user, bytesMax: .max).runs
            .flatMap(\.rows).map { $0?.question ?? "-" }
    }

    /// Writes a record as a device does that has seen what is there.
    func put(
        _ user: String, _ collection: String, _ id: String, _ fields: [String: FieldValue],
        by client: String, _ counter: UInt64 = 1, at time: Int64 = 1
    ) async throws {
        try await write(user, collection, id, .put(fields), by: client, counter, at: time)
    }

    func write(
        _ user: String, _ collection: String, _ id: String, _ change: Change, by client: String,
        _ counter: UInt64 = 1, at time: Int64 = 1
    ) async throws {
        let key = RecordKey(collection, id)
        let ledger = ledger().ledger
        var keys = LedgerReadSet(user: user, client: ClientID(client), now: 1)
        keys.records = [key]
        try await accounts.ledger.exchange(keys) { snapshot in
            var account = AccountDecision(ledger: ledger, now: 10, snapshot: snapshot)
            _ = account.apply(
                ChangeOperation(
                    id: OperationID(client: ClientID(client), counter: counter), key: key,
                    change: change, seenRevision: snapshot.account.position,
                    time: HybridTime(milliseconds: time)))
            account.mark(RandomText.make(bytes: 9))
            return LedgerDecision(changes: account.finished, reply: ())
        }
    }

    /// Returns the live records of an account.
    func records(_ user: String) async throws -> [RecordKey: UserRecord] {
        var keys = LedgerReadSet(user: user, client: ClientID("x"), now: 1)
        keys.page = .init(after: 0, recordsMax: 10_000, bytesMax: .max)
        let rows = try await accounts.ledger.open(keys).page?.rows ?? []
        return Dictionary(
            rows.map(\.record).filter { !$0.isDeleted }.map { ($0.key, $0) },
            uniquingKeysWith: { $1 })
    }

    func differences(_ user: String) async throws -> [AccountDifference] {
        try await records(user).values.compactMap { AccountDifference($0) }
            .sorted { $0.key < $1.key }
    }
}

extension AccountStorage {
    /// Returns unfinished moves, in the order of their accounts.
    func unfinishedMoves(limit: Int) async throws -> [StoredMove] {
        var moves: [StoredMove] = []
        for source in try await unfinishedMoves(after: "", limit: limit) {
            moves += try await [open(AccountReadSet(.id(source))).move].compactMap(\.self)
        }
        return moves
    }
}

/// The accounts of a storage behind a line that breaks: at one write, before it or after its commit.
final class BreakingLine: ForwardingAccounts, LedgerStorage {
    struct Broken: Error {}

    let accounts: any AccountStorage
    private let ledger: any LedgerStorage
    private let writes = Mutex(0)
    private let place: Int
    private let isCommitted: Bool

    /// Breaks at the write of a number, from 1.
    init(_ world: AccountWorld, at place: Int, isCommitted: Bool) {
        (accounts, ledger) = (world.storage, world.ledger)
        (self.place, self.isCommitted) = (place, isCommitted)
    }

    /// True when the line broke.
    var isBroken: Bool { writes.withLock { $0 >= place } }

    private func breaking<Value>(_ write: () async throws -> Value) async throws -> Value {
        let isBreaking = writes.withLock {
            $0 += 1
            return $0 == place
        }
        if isBreaking, !isCommitted { throw Broken() }
        let value = try await write()
        if isBreaking { throw Broken() }
        return value
    }

    func change<Reply: Sendable>(
        _ keys: AccountReadSet,
        _ decide: @escaping @Sendable (AccountSnapshot) throws -> AccountOutcome<Reply>
    ) async throws -> Reply {
        try await breaking { try await accounts.change(keys, decide) }
    }

    func exchange<Reply: Sendable>(
        _ keys: LedgerReadSet,
        _ decide: @escaping @Sendable (LedgerSnapshot) throws -> LedgerDecision<Reply>
    ) async throws -> Reply {
        try await breaking { try await ledger.exchange(keys, decide) }
    }

    func open(_ keys: AccountReadSet) async throws -> AccountSnapshot {
        try await accounts.open(keys)
    }
    func open(_ keys: LedgerReadSet) async throws -> LedgerSnapshot { try await ledger.open(keys) }
    func answers(
        _ spans: [AnswerSpan], of user: String, bytesMax: Int
    ) async throws -> AnswerPage {
        try await ledger.answers(spans, of: user, bytesMax: bytesMax)
    }
    func retractions(
        in spans: [AnswerSpan], of user: String
    ) async throws -> [AnswerID: AnswerID] {
        try await ledger.retractions(in: spans, of: user)
    }
    func records(
        of user: String, in collection: String, after id: String, limit: Int, bytesMax: Int
    ) async throws -> RecordPage {
        try await ledger.records(
            of: user, in: collection, after: id, limit: limit, bytesMax: bytesMax)
    }
    func progress(of user: String) async throws -> AnswerProgress? {
        try await ledger.progress(of: user)
    }
    func countAnswers(of user: String) async throws { try await ledger.countAnswers(of: user) }
    func purge(before end: Int64, limit: Int) async throws -> Int {
        try await ledger.purge(before: end, limit: limit)
    }
    func damagedRecordCount() async throws -> Int { try await ledger.damagedRecordCount() }
}
