/// The form of the texts of a file.
public enum SourceTextForm: String, Sendable, Hashable, Codable, CaseIterable {
    /// Plain text, even if it mentions HTML.
    case plain
    /// HTML, whose tags and entities are interpreted.
    case html

    /// Decides the form of a file by all of its texts at once.
    ///
    /// A text that mentions HTML (``What does the `<br>` tag do?``, an option `<b>`) is not HTML. A file is HTML when
    /// most of its texts with tags are wrapped in blocks or balanced tags, or when it has entities and no tags: a
    /// program that escapes writes no bare `<`.
    init(deciding texts: some Sequence<String>) {
        let (wrapped, speaking, escaped) = Self.counts(texts)
        self = wrapped > speaking || (escaped > 0 && wrapped + speaking == 0) ? .html : .plain
    }

    /// Says what was decided where a text of the file speaks against it, or loses something by it; `nil` for none.
    func note(_ texts: some Sequence<String>) -> String? {
        switch self {
        case .html:
            return "the texts with tags were read as HTML; --text plain keeps them as they are"
        case .plain:
            let wrapped = Self.counts(texts).wrapped
            guard wrapped > 0 else { return nil }
            return (wrapped == 1 ? "1 text has" : "\(wrapped) texts have")
                + " tags of HTML and were kept as they are; --text html reads the file as HTML"
        }
    }

    /// Returns whether a text has a tag or an entity; one without is the same in both forms.
    static func hasMarkup(_ text: String) -> Bool {
        text.utf8.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }
            && (text.contains(Pattern.htmlTag) || text.contains(Pattern.htmlEntity))
    }

    private static func counts(
        _ texts: some Sequence<String>
    ) -> (wrapped: Int, speaking: Int, escaped: Int) {
        var (wrapped, speaking, escaped) = (0, 0, 0)
        for text in texts {
            let bare = Self.withoutCode(text)
            guard bare.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") })
            else { continue }
            if bare.contains(Pattern.htmlElement) || bare.contains(Pattern.htmlImage) {
                wrapped += 1
            } else if bare.contains(Pattern.htmlTag) {
                speaking += 1
            } else if bare.contains(Pattern.htmlEntity) {
                escaped += 1
            }
        }
        return (wrapped, speaking, escaped)
    }

    /// Removes text in backticks: code is quoted, not meant.
    private static func withoutCode(_ text: String) -> String {
        text.utf8.contains(UInt8(ascii: "`")) ? text.replacing(/`[^`]*`/, with: "") : text
    }

}
