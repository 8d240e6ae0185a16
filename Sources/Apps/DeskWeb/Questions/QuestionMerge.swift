import ContentModel

/// Two edits of one question from one beginning: what only one of them changed stays as that one has it.
struct QuestionMerge: Sendable {
    /// The question with both edits; where both changed the same otherwise, as it was typed.
    let value: JSONValue
    /// True when both changed the same otherwise.
    let isConflict: Bool
    /// True when somebody else changed anything.
    let hasOther: Bool

    /// Fields that mean something only together: a key names options by their places.
    private static let answers: Set<String> = ["type", "options", "correct", "number"]

    /// Merges edits.
    ///
    /// - Parameters:
    ///   - base: The question as both saw it.
    ///   - mine: The question as it was typed.
    ///   - other: The question as somebody else saved it.
    init(base: JSONValue, mine: JSONValue, other: JSONValue) {
        // The beginning came by a form, where 1.0 is 1.
        let read = (try? JSONParser.parse(other.canonicalBytes).value) ?? other
        guard case .object(let base) = base, case .object(let mine) = mine,
            case .object(let kept) = other, case .object(let other) = read
        else {
            (value, isConflict, hasOther) = (mine, true, true)
            return
        }
        var merged = kept
        var isConflict = false
        let names = Set(base.keys).union(mine.keys).union(other.keys)
        let units = names.subtracting(Self.answers).map { [$0] } + [Array(Self.answers)]
        for unit in units where unit.contains(where: { mine[$0] != base[$0] }) {
            let isOther = unit.contains { other[$0] != base[$0] }
            if isOther, unit.contains(where: { mine[$0] != other[$0] }) { isConflict = true }
            for name in unit where mine[name] != other[name] { merged[name] = mine[name] }
        }
        value = .object(merged)
        self.isConflict = isConflict
        hasOther = other != base
    }
}
