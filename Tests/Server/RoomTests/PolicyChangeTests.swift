import Ledger
import Testing
import UserData

/// Authors change the policy or the rules of a collection that has records already.
@Suite struct PolicyChangeTests {
    private func rules(_ policy: Policy) -> CollectionRules {
        CollectionRules(CollectionDeclaration("things", policy))
    }

    /// Writes a record under one policy and goes on under another.
    private func service(
        _ one: Policy, _ change: Change, then other: CollectionRules
    ) async throws -> (ServiceFixture, user: String) {
        let before = try await ServiceFixture(rules: [rules(one)])
        let user = try await before.user().user
        let reply = try await before.send(user, [before.change("things", "t", change, 1)])
        guard case .accepted? = reply.result(1) else {
            Issue.record("the first write was not accepted")
            return (before, user)
        }
        return (try await ServiceFixture(rules: [other], database: before.database), user)
    }

    @Test(arguments: Policy.allCases, Policy.allCases)
    func recordsOfAnyPolicyAreChangedUnderAnother(one: Policy, other: Policy) async throws {
        let first: Change =
            one == .counter ? .count(field: "n", CounterTotals(added: 2)) : .put(["n": 2])
        let next: Change =
            other == .counter ? .count(field: "n", CounterTotals(added: 3)) : .put(["n": 3])
        let (service, user) = try await service(one, first, then: rules(other))
        let reply = try await service.send(
            user, number: 2, [service.change("things", "t", next, 2, seen: 1)])
        let record = try await service.users.record(RecordKey("things", "t"), of: user)
        switch (one, other) {
        case (_, .appendOnly):
            #expect(reply.result(2) == .refused(.immutable))
            #expect(record?.values == ["n": 2])
        case (.counter, .counter): #expect(record?.values == ["n": 3])
        case (_, .counter): #expect(record?.values == ["n": 5])
        default: #expect(record?.values == ["n": 3])
        }
        let all = try await service.send(user, client: "other")
        #expect(RecordDigest(all.changes) == all.digest)
    }

    @Test func aRuleThatCameLaterDoesNotForbidWhatIsThere() async throws {
        let strict = CollectionRules(
            CollectionDeclaration("things", .fieldMerge),
            fields: ["note": FieldRule([.string], lengthMax: 3), "day": FieldRule([.string])],
            required: ["day", "exam"])
        let (service, user) = try await service(
            .fieldMerge, .put(["note": "long", "day": "monday"]), then: strict)
        let good = try await service.send(
            user, number: 2, [service.put("things", "t", ["day": "friday"], 2, seen: 1)])
        guard case .accepted(let record)? = good.result(2) else {
            Issue.record("the change was \(String(describing: good.result(2)))")
            return
        }
        #expect(record.values == ["note": "long", "day": "friday"])
        let bad = try await service.send(
            user, number: 3, [service.put("things", "t", ["note": "longer"], 3, seen: 2)])
        #expect(bad.result(3) == .refused(.badField))
    }

    @Test func aFieldThatIsNotRequiredMayBeRemoved() async throws {
        let rules = CollectionRules(
            CollectionDeclaration("things", .fieldMerge),
            fields: ["note": FieldRule([.string]), "day": FieldRule([.string])],
            required: ["day"])
        let (service, user) = try await service(
            .fieldMerge, .put(["note": "x", "day": "monday"]), then: rules)
        let reply = try await service.send(
            user, number: 2,
            [
                service.put("things", "t", ["note": .null], 2, seen: 1),
                service.put("things", "t", ["day": .null], 3, seen: 1),
            ])
        if case .accepted? = reply.result(2) {} else { Issue.record("null was not taken") }
        #expect(reply.result(3) == .refused(.badField))
    }

    // MARK: Restoring

    private func offer(
        _ policy: Policy, _ record: UserRecord, over existing: Change?
    ) async throws -> OperationResult? {
        let service = try await ServiceFixture(rules: [rules(policy)])
        let user = try await service.user().user
        if let existing {
            _ = try await service.send(
                user, client: "x", [service.change("things", "t", existing, 1, client: "x")])
        }
        return try await service.send(
            user, [service.change("things", "t", .restore(record), 1)]
        ).result(1)
    }

    private func record(_ value: FieldValue, at milliseconds: Int64 = 9) -> UserRecord {
        let time = HybridTime(milliseconds: milliseconds)
        let writer = OperationID(client: ClientID("y"), counter: 1)
        var record = UserRecord(
            key: RecordKey("things", "t"), revision: 7, operation: writer, time: time)
        record.fields["n"] = UserRecord.Field(value: value, time: time, revision: 7, writer: writer)
        return record
    }

    @Test func whatIsRestoredObeysThePolicy() async throws {
        let late = Int64(1_800_000_000_001)
        #expect(
            try await offer(.appendOnly, record(2, at: late), over: .put(["n": 1]))
                == .refused(.immutable))
        guard
            // What the server had before it went back, and accepted then.
            case .accepted(let former)? = try await offer(
                .serverWins, record(2, at: late), over: .put(["n": 1])),
            case .accepted(let kept)? = try await offer(
                .serverWins, record(2, at: 0), over: .put(["n": 1])),
            case .accepted(let joined)? = try await offer(
                .lastWriteWins, record(2, at: late), over: .put(["n": 1])),
            case .accepted(let new)? = try await offer(.appendOnly, record(2), over: nil)
        else {
            Issue.record("what was restored did not obey")
            return
        }
        #expect(former.values == ["n": 2] && kept.values == ["n": 1])
        #expect(joined.values == ["n": 2] && new.values == ["n": 2])
        #expect(joined.fields["n"]?.revision == joined.revision)
    }

    @Test func whatIsRestoredObeysTheRules() async throws {
        let service = try await ServiceFixture()
        let user = try await service.user().user
        var record = record(200)
        record.fields["age"] = record.fields["n"]
        let operation = ChangeOperation(
            id: OperationID(client: ClientID("d"), counter: 1), key: record.key,
            change: .restore(record), seenRevision: 0, time: .zero)
        #expect(
            try await service.send(user, [operation]).result(1) == .refused(.unknownCollection))
        let long = String(repeating: "x", count: Validity.textBytesMax)
        var large = self.record(.text(long))
        for number in 0..<8 { large.fields["f\(number)"] = large.fields["n"] }
        #expect(try await offer(.lastWriteWins, large, over: nil) == .refused(.badField))
    }
}
