import ContentModel
import GRDB
import Ledger
import ServiceAPI
import Tables
import Testing
import UserData

/// What is wrong with one request or record harms no other.
@Suite struct IsolationTests {
    private let service: ServiceFixture
    private let user: String

    init() async throws {
        service = try await ServiceFixture()
        user = try await service.user().user
    }

    private func execute(_ sql: String) async throws {
        try await service.database.connections.write { try $0.execute(sql: sql) }
    }

    // MARK: Batches

    @Test func whatTheDatabaseRefusesIsRefusedForThatOperationAlone() async throws {
        try await execute(
            """
            CREATE TRIGGER bad BEFORE INSERT ON record WHEN NEW.id = 'bad'
            BEGIN SELECT RAISE(ABORT, 'no'); END
            """)
        let reply = try await service.send(
            user,
            [
                service.put("exams", "a", ["n": 1], 1), service.put("exams", "bad", ["n": 1], 2),
                service.put("exams", "b", ["n": 1], 3),
            ])
        #expect(reply.result(2) == .refused(.notAllowed))
        #expect(reply.cursor == 2)
        let all = try await service.send(user, client: "other")
        #expect(all.changes.map(\.key.id) == ["a", "b"])
        #expect(RecordDigest(all.changes) == all.digest)
    }

    /// An error that is no constraint undoes the whole transaction, as that of a failing disk would.
    @Test func aBatchThatFailsIsRunOneByOne() async throws {
        try await execute(
            """
            CREATE TRIGGER bad BEFORE INSERT ON record WHEN NEW.id = 'bad'
            BEGIN SELECT abs(-9223372036854775807 - 1); END
            """)
        var users: [String] = []
        for _ in 0..<20 { users.append(try await service.user().user) }
        let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
            for (number, user) in users.enumerated() {
                group.addTask {
                    let id = number % 10 == 3 ? "bad" : "good"
                    let reply = try? await service.send(
                        user, [service.put("exams", id, ["n": 1], 1)])
                    guard case .accepted? = reply?.result(1) else { return (number, false) }
                    return (number, true)
                }
            }
            return await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
        }
        for (number, isGood) in outcomes { #expect(isGood == (number % 10 != 3), "\(number)") }
    }

    // MARK: Records that cannot be read

    @Test func aRecordThatCannotBeReadIsPutAsideAndTheRestStays() async throws {
        let first = try await service.send(
            user,
            [
                service.put("exams", "a", ["n": 1], 1), service.put("exams", "b", ["n": 1], 2),
            ])
        try await execute(
            """
            UPDATE record SET json = replace(json, '"revision":1', '"revision":9007199254740993')
            WHERE id = 'a'
            """)
        let records = try await service.users.records(
            of: user, in: "exams", after: "", limit: 10
        ).records
        #expect(records.map(\.key.id) == ["b"])
        let reader = try await service.send(user, client: "reader")
        #expect(reader.changes.map(\.key.id) == ["b"])
        #expect(RecordDigest(reader.changes) == reader.digest)
        #expect(try await service.users.damagedRecordCount() == 1)
        // The device that still has it sees another digest, and brings it back.
        let record = try #require(first.result(1)?.record)
        let offer = try await service.send(
            user, number: 2, epoch: first.epoch, cursor: 2,
            [service.change("exams", "a", .restore(record), 3)])
        #expect(offer.result(3)?.record?.values == ["n": 1])
    }

    @Test func aWriteToARecordThatCannotBeReadKeepsTheDigestRight() async throws {
        _ = try await service.send(
            user,
            [
                service.put("exams", "a", ["n": 1], 1), service.put("exams", "b", ["n": 1], 2),
            ])
        try await execute("UPDATE record SET json = '[]' WHERE id = 'a'")
        let reply = try await service.send(
            user, number: 2, [service.put("exams", "a", ["n": 2], 3, seen: 1)])
        #expect(reply.result(3)?.record?.values == ["n": 2])
        let all = try await service.send(user, client: "other")
        #expect(all.changes.count == 2 && RecordDigest(all.changes) == all.digest)
    }

    // MARK: Numbers at their limits

    private let most = UInt64(FieldValue.integerMax)

    /// A record with every number at 2⁵³.
    private var extreme: UserRecord {
        let time = HybridTime(milliseconds: FieldValue.integerMax, counter: .max)
        let writer = OperationID(client: ClientID("y"), counter: most)
        var record = UserRecord(
            key: RecordKey("exams", "a"), revision: most, operation: writer, time: time)
        record.fields["n"] = UserRecord.Field(value: 1, time: time, revision: most, writer: writer)
        record.schemaVersion = Int(most)
        return record
    }

    @Test func aRestoreWithNumbersAtTheirLimitsLeavesTheAccountUsable() async throws {
        _ = try await service.send(user, [service.change("exams", "a", .restore(extreme), 1)])
        for counter in UInt64(2)...4 {
            let reply = try await service.send(
                user, number: counter,
                [service.put("exams", "a", ["n": 2], counter, seen: counter - 1)])
            #expect(reply.result(counter)?.record?.revision == counter)
        }
        let reader = try await service.send(user, client: "reader")
        let json = ExchangeReply(response: reader, answers: []).json
        let read = try ExchangeReply(json.canonicalBytes, client: ClientID("reader"))
        #expect(read.response.changes.map(\.values) == [["n": 2]])
        #expect(read.response.changes[0].time.milliseconds <= 1_800_000_300_000)
    }

    @Test func countersDoNotOverflow() async throws {
        let rules = [CollectionRules(CollectionDeclaration("points", .counter))]
        let service = try await ServiceFixture(rules: rules)
        let user = try await service.user().user
        let tally = CounterTotals(added: FieldValue.integerMax)
        for number in 1...3 {
            let client = "c\(number)"
            let reply = try await service.send(
                user, client: client,
                [service.change("points", "p", .count(field: "n", tally), 1, client: client)])
            if number > 1 { #expect(reply.result(1, client) == .refused(.badField)) }
        }
        var record = UserRecord(
            key: RecordKey("points", "p"), revision: 1,
            operation: OperationID(client: ClientID("y"), counter: 1), time: .zero)
        for number in 0..<2_000 {
            record.counterTotals["n", default: [:]][ClientID("t\(number)")] = tally
        }
        let offer = try await service.send(
            user, client: "z", [service.change("points", "p", .restore(record), 1, client: "z")])
        #expect(offer.result(1, "z") == .refused(.badField))
    }

    @Test(arguments: ["http", "server"])
    func namesOfTheServerAreNoDevices(name: String) {
        let request = ExchangeRequest(
            number: 1, user: "u", client: ClientID(name), epoch: nil, cursor: 0, operations: [])
        let bytes = ExchangeCall(request: request, answers: []).json.canonicalBytes
        #expect(throws: WireError.self) { try ExchangeCall(bytes) }
    }

    @Test func plainRequestsAreNumberedApartFromAnyDevice() async throws {
        let service = try await ServiceFixture()
        let user = try await service.user().user
        for number in 1...3 {
            _ = try await service.users.write(
                RecordKey("exams", "plain\(number)"), ["n": 1], over: nil, of: user)
        }
        let reply = try await service.send(user)
        let json = ExchangeReply(response: reply, answers: []).json
        let read = try ExchangeReply(json.canonicalBytes, client: ClientID("d"))
        #expect(read.response.changes.count == 3)
    }
}

extension OperationResult {
    /// The record of an accepted operation.
    var record: UserRecord? {
        if case .accepted(let record) = self { record } else { nil }
    }
}
