public import ContentModel

/// The problems of a content folder with their counts, as `check --json` prints them.
public struct ProblemSummary: Sendable, Hashable, Codable {
    /// The number of errors.
    public var errors: Int
    /// The number of warnings.
    public var warnings: Int
    /// The problems, in the order of the check.
    public var problems: [Problem]

    /// Counts problems.
    public init(_ problems: [Problem]) {
        errors = problems.count { $0.rule.severity == .error }
        warnings = problems.count { $0.rule.severity == .warning }
        self.problems = problems
    }
}
