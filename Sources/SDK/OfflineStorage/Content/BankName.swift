import ContentModel

extension QuestionFilter.Bank {
    /// The name of the bank in records, progress and exports: the language, or the region and exam with a slash
    /// between.
    ///
    /// ```swift
    /// let bank = QuestionFilter.Bank.exam(region: "int", exam: "swift")
    /// print(bank.name)  // int/swift
    /// print(QuestionFilter.Bank(name: "int/swift") == bank)  // true
    /// ```
    public var name: String {
        switch self {
        case .placement(let language): language
        case .exam(let region, let exam): "\(region)/\(exam)"
        }
    }

    /// Parses a name, such as ``Favourite/bank``; `nil` for a text that names no bank.
    public init?(name: String) {
        if let (region, exam) = Identifier.examKey(name) {
            self = .exam(region: region, exam: exam)
        } else if Identifier.isValid(name) {
            self = .placement(language: name)
        } else {
            return nil
        }
    }
}
