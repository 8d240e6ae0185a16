import Crypto
import Foundation
import ServiceAPI
import Synchronization
import TestSupport
import UserData
import UserService

/// A service in memory whose clock a test moves.
final class ServiceFixture: Sendable {
    static let rules = [
        CollectionRules(CollectionDeclaration("exams", .askUser)),
        CollectionRules(CollectionDeclaration("notes", .appendOnly), recordsMax: 3),
        CollectionRules(
            CollectionDeclaration("profile", .fieldMerge),
            fields: [
                "name": FieldRule([.string], lengthMax: 5),
                "age": FieldRule([.integer], minimum: 0, maximum: 150),
            ], required: ["name"], allowsOtherFields: false),
    ]

    let desk: UserDesk
    let database: UserDatabase
    private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

    init(issuers: [ExternalIssuer] = []) async throws {
        database = try UserDatabase.inMemory()
        let box = ClockBox()
        desk = try await UserDesk(
            database,
            UserServiceOptions(
                folder: FileManager.default.temporaryDirectory, collections: Self.rules,
                issuers: issuers, passwordRounds: 1 << 10),
            clock: { box.now }, key: SymmetricKey(size: .bits256))
        box.read = { [weak self] in self?.now ?? .distantPast }
    }

    var now: Date { time.withLock { $0 } }

    func advance(days: Double) { time.withLock { $0 += days * 86_400 } }

    func user() async throws -> SessionTokens {
        try await desk.makeAnonymousAccount(address: "test")
    }

    /// Sends operations of a device as one request.
    func send(
        _ user: String, client: String = "d", number: UInt64 = 1, epoch: String? = nil,
        cursor: UInt64 = 0, head: LogHead? = nil, isAnew: Bool = false,
        settledBefore: UInt64 = 0, _ operations: [UserData.Operation] = []
    ) async throws -> ExchangeResponse {
        let request = ExchangeRequest(
            number: number, user: user, client: ClientID(client), epoch: epoch, cursor: cursor,
            head: head, operations: operations, settledBefore: settledBefore,
            isReadingAnew: isAnew)
        return try await desk.exchange(ExchangeCall(request: request, answers: []), of: user)
            .response
    }

    func put(
        _ collection: String, _ id: String, _ fields: [String: FieldValue], _ counter: UInt64,
        client: String = "d", seen: UInt64 = 0
    ) -> UserData.Operation {
        Operation(
            id: OperationID(client: ClientID(client), counter: counter),
            key: RecordKey(collection, id), change: .put(fields), seenRevision: seen,
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

typealias Operation = UserData.Operation
