import Accounts
import Foundation
import ServiceAPI
import Synchronization
import Testing
import UserData

@testable import Ledger
@testable import Review

/// A server's users whose devices send answers, consents and reports as exchanges.
final class ReviewWorld: Sendable {
    private struct Device {
        var answers: UInt64 = 0
        var operations: UInt64 = 0
        var requests: UInt64 = 0
    }

    let accounts: AccountWorld
    let storage: ReviewStorage
    private let ledger: LedgerService
    private let clock = BoardWorld.Clock(BoardWorld.start)
    private let devices = Mutex<[String: Device]>([:])

    convenience init(_ adapter: AccountAdapter, users: [String] = ["u", "v", "w"]) async throws {
        try await self.init(adapter.make(), users: users)
    }

    init(_ accounts: AccountWorld, users: [String]) async throws {
        self.accounts = accounts
        storage = accounts.review
        for user in users { try await accounts.write(.create(user, tokenGeneration: 0, at: 0)) }
        ledger = LedgerService(
            Ledger(rules: CollectionRules.builtIn), storage: accounts.ledger,
            clock: { [clock] in Int64(clock.now.timeIntervalSince1970 * 1000) },
            makeText: { UUID().uuidString })
    }

    static var now: Int64 { Int64(BoardWorld.start.timeIntervalSince1970 * 1000) }

    /// Sends answers and changes of records of a device.
    func send(
        _ user: String, device name: String = "phone", answers rows: [AnswerRow?] = [],
        changes: [(RecordKey, Change)] = []
    ) async throws {
        let key = "\(user)-\(name)"
        let (before, device) = devices.withLock { devices in
            let before = devices[key] ?? Device()
            var device = before
            device.answers += UInt64(rows.count)
            device.operations += UInt64(changes.count)
            device.requests += 1
            devices[key] = device
            return (before, device)
        }
        let client = ClientID(key)
        let span = AnswerSpan(client: client, first: before.answers + 1, count: rows.count)
        let operations = changes.enumerated().map { place, change in
            ChangeOperation(
                id: OperationID(client: client, counter: before.operations + 1 + UInt64(place)),
                key: change.0, change: change.1, seenRevision: 0,
                time: HybridTime(
                    milliseconds: Self.now + Int64(before.operations) + Int64(place)))
        }
        let request = ExchangeRequest(
            number: device.requests, user: user, client: client, epoch: nil, cursor: 0,
            operations: operations, knownAnswers: AnswerVector([client: device.answers]),
            answers: rows.isEmpty ? [] : [span])
        let reply = try await ledger.exchange(
            ExchangeCall(
                request: request,
                answers: rows.isEmpty ? [] : [AnswerColumns(span: span, rows: rows)]))
        try #require(!reply.response.isDeviceStale)
    }

    /// Agrees, or takes it back.
    func consent(_ user: String, _ isGiven: Bool = true) async throws {
        try await send(
            user,
            changes: [
                (
                    RecordKey("consents", Consent.answerAnalysis.rawValue),
                    .put(Consent.fields(isGiven: isGiven))
                )
            ])
    }

    func report(_ user: String, _ report: QuestionReport) async throws {
        try await send(
            user,
            changes: [(RecordKey("questionReports", report.recordID), .put(report.fields))])
    }

    /// Applies all changes that wait.
    func apply() async throws {
        while try await storage.applyChanges(atMost: 2, now: Self.now) {}
    }

    /// The stored first answers as "contributor question response".
    func answers() async throws -> [StoredFirstAnswer] {
        try await storage.firstAnswers(after: 0, limit: 1_000)
    }

    static func answer(
        _ question: String, _ response: [String] = ["a"], version: String = "1",
        exposures: Int64 = 0, mode: String = "study", isRandom: Bool = false
    ) -> AnswerRow {
        AnswerRow(
            bank: "int/swift", session: "s", question: question, version: version,
            options: response, isCorrect: true, takenMilliseconds: 10,
            exposuresBefore: exposures, mode: mode, isRandomlySelected: isRandom,
            milliseconds: now)
    }

    static func item(_ question: String, version: String = "1") -> Int64 {
        FirstAnswer.number(bank: "int/swift", question: question, version: version)
    }
}
