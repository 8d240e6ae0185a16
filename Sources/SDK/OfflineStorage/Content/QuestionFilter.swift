import ContentModel

/// A selection of questions: a bank, and optionally a domain and a difficulty.
///
/// ```swift
/// let store = try OfflineStore.inMemory()
/// let filter = QuestionFilter(.exam(region: "int", exam: "swift"), domain: "net", difficulty: 3)
/// do {
///     print(try store.questions(filter).value.map(\.stem))
/// } catch let error as StoreError where error.code == .notFound {
///     print("Sync first.")
/// }
/// ```
public struct QuestionFilter: Hashable, Sendable {
    /// A bank of questions.
    public enum Bank: Hashable, Sendable {
        /// The placement test of a language.
        case placement(language: String)
        /// The bank of an exam in a region.
        case exam(region: String, exam: String)
    }

    /// The bank of the questions.
    public var bank: Bank
    /// The domain of the questions; `nil` for all.
    public var domain: String?
    /// The difficulty of the questions, 1 to 5; `nil` for all.
    public var difficulty: Int?

    /// Creates a filter of a bank's questions.
    public init(_ bank: Bank, domain: String? = nil, difficulty: Int? = nil) {
        self.bank = bank
        self.domain = domain
        self.difficulty = difficulty
    }
}

extension QuestionFilter {
    /// Returns true for the questions that the filter selects.
    func admits(_ question: Question) -> Bool {
        (difficulty.map { $0 == question.difficulty } ?? true)
            && (domain.map { $0 == question.domain } ?? true)
    }
}
