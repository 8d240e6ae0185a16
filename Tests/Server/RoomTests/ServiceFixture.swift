import Accounts
import ContentModel
import ContentServer
import Crypto
import Foundation
import Ledger
import ServerApplication
import ServiceAPI
import Synchronization
import Tables
import UserData

/// A service in memory whose clock a test moves.
final class ServiceFixture: Sendable {
    static let rules = [
        CollectionRules(CollectionDeclaration("exams", .askUser)),
        CollectionRules(CollectionDeclaration("notes", .appendOnly), recordsMax: 3),
        CollectionRules(CollectionDeclaration("points", .counter)),
        CollectionRules(
            CollectionDeclaration("profile", .fieldMerge),
            fields: [
                "name": FieldRule([.string], lengthMax: 5),
                "age": FieldRule([.integer], minimum: 0, maximum: 150),
            ], required: ["name"], allowsOtherFields: false),
    ]

    let users: UserBackend
    let database: UserDatabase
    private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

    init(
        issuers: [ExternalIssuer] = [], rules: [CollectionRules] = rules,
        mailbox: (any MailSender)? = nil, rateLimits: (any RateLimiting)? = nil,
        database known: UserDatabase? = nil
    ) async throws {
        database = try known ?? UserDatabase.inMemory()
        let box = ClockBox()
        var options = UserServiceOptions(
            folder: FileManager.default.temporaryDirectory, collections: rules,
            issuers: issuers, passwordRounds: 1 << 10, mailbox: mailbox)
        if let rateLimits { options.rateLimits = rateLimits }
        users = try await UserBackend(
            self.database, options,
            clock: { box.now }, key: SymmetricKey(size: .bits256))
        box.read = { [weak self] in self?.now ?? .distantPast }
    }

    var now: Date { time.withLock { $0 } }

    func advance(days: Double) { time.withLock { $0 += days * 86_400 } }

    func user() async throws -> SessionTokens {
        try await users.makeAnonymousAccount(address: "test")
    }

    /// Who an access token speaks for.
    func caller(_ tokens: SessionTokens) async throws -> AuthenticatedUser {
        try await users.authentication.authenticatedUser("Bearer " + tokens.accessToken)
    }

    /// Sends operations of a device as one request.
    func send(
        _ user: String, client: String = "d", number: UInt64 = 1, epoch: String? = nil,
        cursor: UInt64 = 0, head: LogHead? = nil, isAnew: Bool = false,
        processedBefore: UInt64 = 0, held: UInt64 = 0, _ operations: [ChangeOperation] = []
    ) async throws -> ExchangeResponse {
        let request = ExchangeRequest(
            number: number, user: user, client: ClientID(client), epoch: epoch, cursor: cursor,
            head: head, operations: operations, processedBefore: processedBefore,
            knownAnswers: AnswerVector([ClientID(client): held]), isReadingAnew: isAnew)
        return try await users.exchange(ExchangeCall(request: request, answers: []), of: user)
            .response
    }

    /// Sends answers of a device as one request.
    func answer(
        _ user: String, client: String = "d", number: UInt64 = 1, first: UInt64 = 1,
        _ rows: [AnswerRow], held: UInt64? = nil
    ) async throws -> ExchangeResponse {
        let span = AnswerSpan(client: ClientID(client), first: first, count: rows.count)
        let request = ExchangeRequest(
            number: number, user: user, client: ClientID(client), epoch: nil, cursor: 0,
            operations: [],
            knownAnswers: AnswerVector([ClientID(client): held ?? span.last]), answers: [span])
        let call = ExchangeCall(
            request: request, answers: [AnswerColumns(span: span, rows: rows)])
        // Through the wire, which judges the rows.
        let received = try ExchangeCall(call.json.canonicalBytes)
        return try await users.exchange(received, of: user).response
    }

    static func row(_ question: String, options: [String] = []) -> AnswerRow {
        AnswerRow(
            bank: "b", session: "s", question: question, options: options, isCorrect: true,
            takenMilliseconds: 1, exposuresBefore: 0, mode: "study", milliseconds: 5)
    }

    func put(
        _ collection: String, _ id: String, _ fields: [String: FieldValue], _ counter: UInt64,
        client: String = "d", seen: UInt64 = 0
    ) -> ChangeOperation {
        change(collection, id, .put(fields), counter, client: client, seen: seen)
    }

    func change(
        _ collection: String, _ id: String, _ change: Change, _ counter: UInt64,
        client: String = "d", seen: UInt64 = 0
    ) -> ChangeOperation {
        ChangeOperation(
            id: OperationID(client: ClientID(client), counter: counter),
            key: RecordKey(collection, id), change: change, seenRevision: seen,
            time: HybridTime(milliseconds: Int64(now.timeIntervalSince1970 * 1000)))
    }
}

/// Lets the service read a clock that is made after it.
private final class ClockBox: Sendable {
    private let box = Mutex<@Sendable () -> Date>({ .distantPast })

    var now: Date { box.withLock { $0 }() }
    var read: @Sendable () -> Date {
        get { box.withLock { $0 } }
        set { box.withLock { $0 = newValue } }
    }
}

extension ExchangeResponse {
    /// The result of an operation of a device.
    func result(_ counter: UInt64, _ client: String = "d") -> OperationResult? {
        results[OperationID(client: ClientID(client), counter: counter)]
    }
}

/// The code of the error that a body throws; `nil` when it throws none of the service's.
func problemCode(_ body: () async throws -> Void) async -> ProblemCode? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? RequestError)?.code
    }
}
