/// A block of rich text.
///
/// ```swift
/// let text = RichText("- a\n- b", form: .markdown)
/// if case .list(let start, let items) = text.blocks[0] { print(start == nil, items.count) }
/// ```
public indirect enum TextBlock: Sendable, Hashable {
    /// A paragraph.
    case paragraph([TextSpan])
    /// Lines of code, without a last line end, and the language if the author named one.
    case code(language: String?, String)
    /// A list of at least two items: the number of the first one, or `nil` for bullets.
    case list(start: Int?, [[TextBlock]])
    /// A table.
    case table(TextTable)
}
