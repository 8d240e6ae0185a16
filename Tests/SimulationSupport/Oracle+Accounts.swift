import UserData

/// What a store without an account holds; the disk keeps it, so that copies and backups have it too.
extension Oracle {
    /// The facts of one store without an account.
    package struct Facts {
        var notes: Set<RecordKey> = []
        var answers: [Int64] = []
        var written: Set<Int64> = []
        var steps: [RecordKey: Set<Int64>] = [:]
        var leaves: [Place: [Leaf]] = [:]

        package init() {}
    }

    private static let local = DeviceState.localUser

    /// Goes on with the facts of a store without an account.
    mutating func resume(_ facts: Facts) {
        notes[Self.local] = facts.notes
        answers[Self.local] = facts.answers
        writtenBy[Self.local] = facts.written
        steps[Self.local] = facts.steps
        for (place, known) in facts.leaves { leaves[place] = known }
    }

    /// Removes and returns the facts of the store that was resumed.
    mutating func takeFacts() -> Facts {
        var facts = Facts()
        facts.notes = notes.removeValue(forKey: Self.local) ?? []
        facts.answers = answers.removeValue(forKey: Self.local) ?? []
        facts.written = writtenBy.removeValue(forKey: Self.local) ?? []
        facts.steps = steps.removeValue(forKey: Self.local) ?? [:]
        groups[Self.local] = nil
        facts.leaves = leaves.filter { $0.key.user == Self.local }
        leaves = leaves.filter { $0.key.user != Self.local }
        replaced = replaced.filter { $0.key.user != Self.local }
        return facts
    }

    /// Records that a store entered an account with everything: each thing is there once from now on,
    /// whatever number of copies brings it.
    mutating func entered(_ facts: Facts, _ user: String, as client: ClientID) {
        entered.insert(user)
        notes[user, default: []].formUnion(facts.notes)
        let known = Set(answers[user] ?? [])
        answers[user, default: []] += facts.answers.filter { !known.contains($0) }
        writtenBy[user, default: []].formUnion(facts.written)
        for (key, made) in facts.steps {
            steps[user, default: [:]][key, default: []].formUnion(made)
        }
        for (place, brought) in facts.leaves {
            let target = Place(user: user, key: place.key, field: place.field)
            // A copy of the store may have brought the same change before, and somebody replaced it knowingly.
            for leaf in brought
            where replaced[target]?.contains(leaf.value) != true
                && leaves[target]?.contains(where: { $0.value == leaf.value }) != true
            {
                leaves[target, default: []].append(
                    Leaf(client: client, value: leaf.value, time: leaf.time))
            }
        }
    }

    /// The values of replaced changes that some device tells its user about.
    static func valuesInNotices(_ devices: [Simulation.Device]) -> Set<Int64> {
        let notices = devices.flatMap(\.disks.values).flatMap(\.state.notices)
        return Set(notices.flatMap { numbers($0.mine.change) })
    }

    /// Expects that a device which says that everything is on the server is right.
    mutating func expectTruth(_ device: Int, _ disk: Simulation.Disk, _ server: SimulatedServer) {
        // A reply may come after a deletion.
        guard disk.state.isSynced, !wentBack, server.closed[disk.state.user] == nil else { return }
        let known = server.tables.accounts[disk.state.user]?.devices ?? []
        for (client, values) in disk.given {
            let stored = known.first { $0.client == client }?.answers ?? []
            expect(
                stored.prefix(values.count).map { $0?.milliseconds } == values,
                "device \(device) says that answers of \(client.text) are on the server")
        }
    }
}
