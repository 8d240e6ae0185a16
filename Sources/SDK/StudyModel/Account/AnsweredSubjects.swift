import Underway

/// The subjects of answers with their questions, of which a few are remembered.
struct AnsweredSubjects {
    /// A subject.
    struct Known: Sendable {
        var title: String
        var questions: [String: Question]
    }

    /// The maximum number of subjects in memory.
    private static let knownMax = 4

    private let content: OfflineStore
    private var known: [QuestionFilter.Bank: Known] = [:]

    init(_ content: OfflineStore) { self.content = content }

    /// Returns a subject; one that the content no longer has, or that cannot be read, has no questions.
    mutating func subject(_ bank: QuestionFilter.Bank) async -> Known {
        if let subject = known[bank] { return subject }
        let blueprint = try? await content.perform { try $0.blueprint(bank).value }
        let subject = Known(
            title: (blueprint.map { Subject($0, of: bank) } ?? Subject(missing: bank)).title,
            questions: Dictionary(
                (blueprint?.questions ?? []).map { ($0.id, $0) },
                uniquingKeysWith: { first, _ in first }))
        if known.count >= Self.knownMax { known = [:] }
        known[bank] = subject
        return subject
    }
}
