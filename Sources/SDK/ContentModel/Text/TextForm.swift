/// The form in which an author wrote the texts of a question.
///
/// ```swift
/// print(TextForm(rawValue: "markdown") == .markdown)
/// ```
public enum TextForm: String, Sendable, Hashable, CaseIterable {
    /// Text with code between single backticks; line ends are shown, and every other character is itself.
    case plain
    /// A subset of CommonMark 0.31.2 with tables and formulas.
    case markdown
}
