import ServiceAPI
import UserData

/// Accounts that move into others, or are deleted.
extension Oracle {
    /// Returns the account that has a user's data, now or once its move is done.
    func home(_ user: String) -> String { homes[user] ?? user }

    /// Records that an account is closed and moves into another one: what it has is the other's.
    mutating func moved(_ source: String, into target: String) {
        guard homes[source] == nil else { return }
        homes[source] = target
        entered.insert(target)
        notes[target, default: []].formUnion(notes.removeValue(forKey: source) ?? [])
        answers[target, default: []] += answers.removeValue(forKey: source) ?? []
        writtenBy[target, default: []].formUnion(writtenBy.removeValue(forKey: source) ?? [])
        for (key, made) in steps.removeValue(forKey: source) ?? [:] {
            steps[target, default: [:]][key, default: []].formUnion(made)
        }
        movedDoubts(source, into: target)
        for (place, brought) in leaves where place.user == source {
            leaves[place] = nil
            var there = place
            there.user = target
            leaves[there, default: []] += brought
        }
        for (place, values) in replaced where place.user == source {
            replaced[place] = nil
            var there = place
            there.user = target
            replaced[there, default: []].formUnion(values)
        }
    }

    /// Takes along what may have been lost with a device that was put back.
    private mutating func movedDoubts(_ source: String, into target: String) {
        if usersWithBackup.contains(source) { usersWithBackup.insert(target) }
        uncertainNotes[target, default: []].formUnion(uncertainNotes[source] ?? [])
        uncertainAnswers[target, default: []].formUnion(uncertainAnswers[source] ?? [])
        lostDeletions[target, default: []].formUnion(lostDeletions[source] ?? [])
        for (key, count) in uncertainSteps[source] ?? [:] {
            uncertainSteps[target, default: [:]][key, default: 0] += count
        }
    }

    /// Records that an account was deleted, with each that moved or moves into it.
    mutating func deleted(_ user: String) { gone.insert(user) }

    /// Expects that no account is left that was moved or deleted.
    mutating func judgeClosed(_ server: SimulatedServer) {
        for user in server.tables.accounts.keys {
            let source = homes.keys.first { user == $0 || user == SimulatedServer.closedID(of: $0) }
            expect(source == nil, "a second self: \(user) is there after its move")
            expect(!gone.contains(user), "\(user) is there after its deletion")
        }
    }

    /// The values of versions that a move could not merge: each device shows them.
    static func valuesInDifferences(_ server: SimulatedServer) -> Set<Int64> {
        let records = server.accounts.values.flatMap(\.records.values)
        return Set(
            records.compactMap { AccountDifference($0)?.version.values }.flatMap(numbers))
    }
}
