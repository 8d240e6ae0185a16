import ContentModel

/// The distinct answers of one kind of card, from which wrong answers are chosen.
///
/// The answers form a ring in the order of their checksums, and a question's checksum determines where the search for
/// each wrong answer starts. A choice therefore costs the same in a deck of any size, does not depend on the order of
/// the notes, and is the same at a second import.
struct AnswerPool {
    /// The number of wrong answers of a question made from a flashcard.
    static let distractorCount = 3

    /// The most right answers of one front that are passed over; with more, a question may get fewer wrong ones.
    private static let alikeMax = 100

    private let ring: [(text: String, folded: String)]
    /// The answers of each front that several cards have: each is right for all of these.
    private let alike: [String: Set<String>]

    /// - Parameter cards: The front and the answer of each card.
    init(_ cards: [(front: String, answer: String)]) {
        var seen: Set<String> = []
        var fronts: [String: Set<String>] = [:]
        for card in cards {
            fronts[card.front.lowercased(), default: []].insert(card.answer.lowercased())
        }
        alike = fronts.filter { $0.value.count > 1 }
        let distinct = cards.map { (text: $0.answer, folded: $0.answer.lowercased()) }
            .filter { !$0.text.isEmpty && seen.insert($0.folded).inserted }
        ring = distinct.map { ($0, Checksum(of: Array($0.text.utf8)).hex) }
            .sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// Returns up to three answers that differ from the right one, and from those of the same front, by more than case.
    func others(than right: String, for stem: String) -> [String] {
        guard !ring.isEmpty else { return [] }
        let hex = Checksum(of: Array((stem + "\u{0}" + right).utf8)).hex
        let rights = alike[stem.lowercased()] ?? []
        var used = rights.union([right.lowercased()])
        let stepsMax = min(ring.count, Self.distractorCount + 1 + min(rights.count, Self.alikeMax))
        var others: [String] = []
        for number in 0..<Self.distractorCount {
            let word = hex.dropFirst(number * 16).prefix(16)
            let start = Int((UInt64(word, radix: 16) ?? 0) % UInt64(ring.count))
            // Only the right answer and the chosen ones are passed over.
            for step in 0..<stepsMax {
                let candidate = ring[(start + step) % ring.count]
                guard used.insert(candidate.folded).inserted else { continue }
                others.append(candidate.text)
                break
            }
        }
        return others
    }
}
