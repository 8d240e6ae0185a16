public import ContentModel

/// The rule for questions about the same thing: those of a bank with a common tag `family:NAME`.
///
/// A question that had no answer today waits if a sibling was studied today, and a session takes one of a family. A
/// card in a short step is exempt.
///
/// ```swift
/// let siblings = Siblings([Question](), studiedToday: ["q1"])
/// print(siblings.families(of: "q2"))
/// ```
public struct Siblings: Sendable, Hashable {
    /// The beginning of the tag of a family.
    public static let prefix = "family:"

    private var families: [String: Set<String>]
    /// The families with a question that was studied today.
    private var studied: Set<String>

    /// Creates a rule without families.
    public init() { (families, studied) = ([:], []) }

    /// Creates the rule of a bank.
    ///
    /// - Parameters:
    ///   - questions: The questions.
    ///   - studiedToday: The ids of those with an answer of today in study.
    public init(_ questions: [Question], studiedToday: Set<String>) {
        self.init()
        for question in questions {
            let names = question.tags.filter { $0.hasPrefix(Self.prefix) }
            guard !names.isEmpty else { continue }
            families[question.id, default: []].formUnion(names)
        }
        for id in studiedToday { studied.formUnion(self.families(of: id)) }
    }

    /// Returns the tags of a question's families.
    public func families(of question: String) -> Set<String> { families[question] ?? [] }

    /// Returns true for a question without an answer of today that has a sibling which was studied today.
    func waits(_ question: String) -> Bool {
        !families(of: question).isDisjoint(with: studied)
    }

    /// The choice of one question of each family.
    struct Choice {
        private let siblings: Siblings
        private var taken: Set<String> = []

        init(_ siblings: Siblings) { self.siblings = siblings }

        /// Takes a question, whether or not its family has one already.
        mutating func take(_ question: String) {
            taken.formUnion(siblings.families(of: question))
        }

        /// Takes a question unless its family has one already.
        ///
        /// - Returns: True if it was taken.
        mutating func takes(_ question: String) -> Bool {
            let names = siblings.families(of: question)
            guard names.isDisjoint(with: taken) else { return false }
            taken.formUnion(names)
            return true
        }
    }
}
