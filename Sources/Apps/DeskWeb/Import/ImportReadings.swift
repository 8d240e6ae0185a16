import ContentModel
import Importing
import Synchronization

/// The outcome of each place of a file in one reading, by which the next one shows what it changed.
struct ImportReading: Sendable {
    private struct Outcome: Sendable {
        /// A hash of the states and keys of the place's questions.
        var hash: Int
        /// The states and keys for people, at most ``ImportReading/wordsMax`` characters.
        var words: String
    }

    /// The most characters of the words of a place.
    private static let wordsMax = 60

    /// The checksum of the bytes that were read.
    let source: String
    private let outcomes: [String: Outcome]

    init(_ result: ImportResult, source: String) {
        self.source = source
        var states: [String: [String]] = [:]
        for one in result.skipped { states[one.place, default: []].append("skipped") }
        for question in result.questions {
            let isReplaced = result.replacedIDs.contains(question.id)
            states[result.places[question.id] ?? "", default: []]
                .append("\(isReplaced ? "replaced" : "imported"), key \(question.shownKey)")
        }
        outcomes = states.mapValues { states in
            let words = states.joined(separator: "; ")
            return Outcome(
                hash: states.hashValue,
                words: words.count > Self.wordsMax
                    ? words.prefix(Self.wordsMax) + "…" : String(words))
        }
    }

    /// Returns what became of a place before, if this reading differs there; `nil` where both agree.
    func change(at place: String, since former: ImportReading) -> String? {
        let (now, then) = (outcomes[place], former.outcomes[place])
        return now?.hash == then?.hash ? nil : then?.words ?? "not in the table"
    }

    /// Returns the number of places that an earlier reading had and this one has not.
    func missingCount(since former: ImportReading) -> Int {
        former.outcomes.keys.count { outcomes[$0] == nil }
    }
}

/// The last readings of each author, in memory: an author who changes a menu sees what moved.
final class ImportReadings: Sendable {
    /// The maximum number of readings of an author.
    private static let ofAuthorMax = 4
    /// The maximum number of readings; the oldest gives way.
    private static let countMax = 16

    private struct Entry {
        var user: String
        var mark: String
        var reading: ImportReading
    }

    private let entries = Mutex<[Entry]>([])

    /// Keeps a reading under the mark of its ledger.
    func keep(_ reading: ImportReading, _ mark: String, of user: String) {
        entries.withLock { entries in
            let others = entries.filter { $0.user != user }
            let own = entries.filter { $0.user == user && $0.mark != mark }
                .suffix(Self.ofAuthorMax - 1)
            let all = others + own + [Entry(user: user, mark: mark, reading: reading)]
            entries = Array(all.suffix(Self.countMax))
        }
    }

    /// Returns an author's reading; `nil` for none with this mark.
    func reading(_ mark: String, of user: String) -> ImportReading? {
        entries.withLock { $0.first { $0.mark == mark && $0.user == user }?.reading }
    }

    /// Forgets the author's readings.
    func forget(of user: String) { entries.withLock { $0.removeAll { $0.user == user } } }
}
