import Testing
import UserData

/// A machine under test: event in, effects out, no clock and no waiting.
struct MachineScript {
    static let collections = [
        CollectionDeclaration("notes", .appendOnly),
        CollectionDeclaration("stars", .lastWriteWins),
        CollectionDeclaration("exams", .askUser),
        CollectionDeclaration("settings", .serverWins),
        CollectionDeclaration("profile", .fieldMerge),
        CollectionDeclaration("points", .counter),
    ]
    static let star = RecordKey("stars", "s")
    static let exam = RecordKey("exams", "e")
    static let me = ClientID("me")
    static let other = ClientID("other")

    var machine: DeviceMachine
    var now: Int64 = 1_800_000_000_000

    init(_ state: DeviceState? = nil) {
        machine = DeviceMachine(
            state ?? DeviceState(user: "u", client: Self.me, declarations: Self.collections))
    }

    var state: DeviceState { machine.state }

    mutating func take(_ event: DeviceMachine.Event) -> [DeviceMachine.Effect] {
        machine.handle(event, now: now)
    }

    mutating func put(_ key: RecordKey, _ number: Int64) -> [DeviceMachine.Effect] {
        take(.wrote(key, .put(["n": .integer(number)])))
    }

    /// Handles an event that must lead to a request.
    mutating func request(after event: DeviceMachine.Event) throws -> ExchangeRequest {
        try #require(Self.request(take(event)))
    }

    static func request(_ effects: [DeviceMachine.Effect]) -> ExchangeRequest? {
        for case .send(let request) in effects { return request }
        return nil
    }

    /// Replies to a request as a server does that has no other changes than `changes`.
    mutating func reply(
        to request: ExchangeRequest, _ results: [OperationResult] = [], changes: [UserRecord] = [],
        cursor: UInt64? = nil, hasMore: Bool = false
    ) -> [DeviceMachine.Effect] {
        let pairs = zip(request.operations.map(\.id), results).map { ($0, $1) }
        var response = ExchangeResponse(
            number: request.number, epoch: "e1",
            results: Dictionary(pairs, uniquingKeysWith: { $1 }), changes: changes,
            cursor: cursor ?? request.cursor, hasMore: hasMore,
            knownAnswers: request.knownAnswers)
        if !hasMore { response.answersDigest = state.answerDigests.values.joined }
        return take(.replied(response))
    }

    /// Returns a record as the server has it.
    static func record(
        _ key: RecordKey, _ number: Int64, revision: UInt64, by operation: OperationID,
        at milliseconds: Int64 = 1_800_000_000_000
    ) -> UserRecord {
        let time = HybridTime(milliseconds: milliseconds)
        var record = UserRecord(key: key, revision: revision, operation: operation, time: time)
        record.fields["n"] = UserRecord.Field(
            value: .integer(number), time: time, revision: revision, writer: operation)
        return record
    }

    static func mine(_ counter: UInt64) -> OperationID {
        OperationID(client: me, counter: counter)
    }

    static func theirs(_ counter: UInt64) -> OperationID {
        OperationID(client: other, counter: counter)
    }

    /// Returns the wait until the wake among effects, in milliseconds.
    func wait(_ effects: [DeviceMachine.Effect]) -> Int64? {
        for case .wake(let time) in effects { return time - now }
        return nil
    }

    func offline(_ request: ExchangeRequest, jitter: Double = 1) -> DeviceMachine.Event {
        .failed(number: request.number, .offline, jitter: jitter)
    }
}
