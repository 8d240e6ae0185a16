/// The outcome of an item of QTI 1.2 that is its score.
///
/// A condition changes outcomes for many reasons: a second counter, a penalty, a mark for feedback. Only the score
/// says what is right.
struct QTI1Outcome {
    /// A change of the score by a condition.
    enum Change: Equatable {
        case set(Double)
        case add(Double)

        func apply(to score: inout Double) {
            switch self {
            case .set(let points): score = points
            case .add(let points): score += points
            }
        }
    }

    /// The scores that programs write, in small letters.
    ///
    /// Brightspace counts right and wrong options apart.
    private static let scores: Set = ["score", "que_score", "d2l_correct"]
    /// The points that `SCORE.max` stands for.
    private static let pointsMax = 100.0

    private let name: String

    /// Finds the score.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - chosen: The name that the user gave; `nil` to recognise it.
    /// - Throws: `SkipReason` where none, or more than one, of the outcomes that are set is known as the score.
    init(_ item: XMLElement, chosen: String?) throws(SkipReason) {
        let names = Set(
            item.all("respcondition").flatMap(\.children).filter { $0.name == "setvar" }
                .map(Self.name))
        guard !names.isEmpty else { throw SkipReason(.keyNone, "no option earns anything") }
        let wanted: Set<String> = chosen.map { [$0.lowercased()] } ?? Self.scores
        let found = Set(names.map { $0.lowercased() }).intersection(wanted)
        guard found.count == 1, let name = found.first else {
            let shown = names.sorted().prefix(10).map { "\"\($0.prefix(60))\"" }
            throw SkipReason(
                .outcomeUnknown,
                "it counts \(shown.joined(separator: ", ")), and"
                    + " \(found.isEmpty ? "none of them is" : "several of them are") known as the score;"
                    + " --outcome names the one that is")
        }
        self.name = name
    }

    /// Returns the changes of the score by a condition.
    ///
    /// - Throws: `SkipReason` for points that are no number, and for other actions.
    func changes(of condition: XMLElement) throws(SkipReason) -> [Change] {
        var changes: [Change] = []
        for child in condition.children
        where child.name == "setvar" && Self.name(child).lowercased() == name {
            let text = child.trimmedText
            let isMax = text.lowercased() == "score.max"
            guard let points = isMax ? Self.pointsMax : Double(text), points.isFinite else {
                throw SkipReason(.syntax, "its points \"\(text.prefix(60))\" are no number")
            }
            switch child.attributes["action"]?.lowercased() {
            case "set", nil: changes.append(.set(points))
            case "add": changes.append(.add(points))
            case "subtract": changes.append(.add(-points))
            case .some(let action):
                throw SkipReason(
                    .typeUnsupported,
                    "its points are computed by \"\(action)\", which is not supported")
            }
        }
        return changes
    }

    /// Returns whether a condition alone raises the score.
    func isRaised(by condition: XMLElement) -> Bool {
        var score = 0.0
        // Points that cannot be read raise nothing; the reader of choices says so.
        for change in (try? changes(of: condition)) ?? [] { change.apply(to: &score) }
        return score > 0
    }

    private static func name(_ setvar: XMLElement) -> String {
        let name = setvar.attributes["varname"] ?? setvar.attributes["variablename"] ?? ""
        return name.isEmpty ? "SCORE" : name
    }
}
