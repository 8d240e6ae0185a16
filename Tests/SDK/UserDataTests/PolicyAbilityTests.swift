import Testing
import UserData

/// The abilities of each policy as a table, compared with the rules and the machine.
@Suite struct PolicyAbilityTests {
    private struct Row {
        var policy: Policy
        var put: Bool
        var delete: Bool
        var count: Bool
        var asks: Bool
        var notifies: Bool
    }

    private static let table = [
        Row(
            policy: .appendOnly, put: true, delete: false, count: false, asks: false,
            notifies: false),
        Row(
            policy: .lastWriteWins, put: true, delete: true, count: false, asks: false,
            notifies: true),
        Row(policy: .askUser, put: true, delete: true, count: false, asks: true, notifies: false),
        Row(
            policy: .serverWins, put: true, delete: true, count: false, asks: false,
            notifies: false),
        Row(
            policy: .fieldMerge, put: true, delete: true, count: false, asks: false,
            notifies: true),
        Row(
            policy: .counter, put: false, delete: false, count: true, asks: false,
            notifies: false),
    ]

    @Test func theTableIsWhole() {
        #expect(Self.table.map(\.policy) == Policy.allCases)
        for row in Self.table {
            let abilities = row.policy.abilities
            #expect(abilities.allowsPut == row.put, "\(row.policy)")
            #expect(abilities.allowsDeletion == row.delete, "\(row.policy)")
            #expect(abilities.isCounter == row.count, "\(row.policy)")
            #expect(abilities.asksUser == row.asks, "\(row.policy)")
            #expect(abilities.notifiesLoser == row.notifies, "\(row.policy)")
        }
    }

    @Test(arguments: Policy.allCases)
    func deviceAndServerAllowTheSame(policy: Policy) {
        let key = RecordKey("things", "t")
        let writes: [(DeviceMachine.Write, Change, Bool)] = [
            (.put(["n": .integer(1)]), .put(["n": .integer(1)]), policy.abilities.allowsPut),
            (.delete, .delete, policy.abilities.allowsDeletion),
            (
                .count(field: "n", by: 1), .count(field: "n", CounterTotals(added: 1)),
                policy.abilities.isCounter
            ),
        ]
        for (write, change, isAllowed) in writes {
            var script = MachineScript(
                DeviceState(
                    user: "u", client: MachineScript.me,
                    declarations: [CollectionDeclaration("things", policy)]))
            #expect(!script.take(.wrote(key, write)).isEmpty == isAllowed, "\(write)")
            let operation = ChangeOperation(
                id: MachineScript.mine(1), key: key, change: change, seenRevision: 0,
                time: HybridTime(milliseconds: 1))
            let verdict = MergeRules.judge(operation, on: nil, policy: policy)
            #expect((verdict == .refuse(.notAllowed)) != isAllowed, "\(change)")
        }
    }
}
