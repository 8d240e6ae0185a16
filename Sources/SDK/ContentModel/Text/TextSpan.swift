/// A part of a line of rich text.
///
/// ```swift
/// let spans: [TextSpan] = [.text("Solve "), .emphasis([.text("all")])]
/// print(RichText(blocks: [.paragraph(spans)]).source)
/// ```
public indirect enum TextSpan: Sendable, Hashable {
    /// Characters without a style.
    case text(String)
    /// Code within a line.
    case code(String)
    /// Emphasised spans.
    case emphasis([TextSpan])
    /// Strongly emphasised spans.
    case strong([TextSpan])
    /// A link: its address (`https:`, `http:` or `mailto:`) and its spans.
    case link(String, [TextSpan])
    /// A picture of the bank's media, and the text that replaces it.
    case image(name: String, alt: String)
    /// A formula in TeX.
    case formula(Formula)
    /// The end of a line within a paragraph.
    case lineBreak

    /// The spans within emphasis and links; of other spans none.
    var children: [TextSpan] {
        switch self {
        case .emphasis(let spans), .strong(let spans), .link(_, let spans): spans
        case .text, .code, .image, .formula, .lineBreak: []
        }
    }
}
