/// A text of GIFT with the mark of its format, such as `[html]`.
struct GIFTText {
    /// The format that a mark names.
    enum Mark: String, CaseIterable {
        case html, moodle, plain, markdown

        fileprivate var written: String.UTF8View { "[\(rawValue)]".utf8 }
    }

    /// The mark before the text.
    let mark: Mark?
    private let raw: Substring

    init(_ text: Substring) {
        let bare = text.drop { $0.isWhitespace }
        mark = Mark.allCases.first { bare.utf8.starts(with: $0.written) }
        // A combining character behind the mark belongs to the text.
        raw = mark.map { Substring(bare.utf8.dropFirst($0.written.count)) } ?? text
    }

    /// Returns the form of the text; `nil` where neither a mark of its own nor that of its question says it.
    ///
    /// `[moodle]` says no more than no mark: such a text may be HTML or not.
    func form(inQuestion question: SourceTextForm?) -> SourceTextForm? {
        switch mark {
        case .html: .html
        case .plain, .markdown: .plain
        case .moodle: nil
        case nil: question
        }
    }

    /// Reads the text.
    ///
    /// - Parameters:
    ///   - form: The form of the text.
    ///   - isExact: Whether escaped line feeds at the ends of the text belong to it, as in our own export.
    /// - Returns: The readable text with its media.
    func content(_ form: SourceTextForm, isExact: Bool = false) -> MarkupText {
        let text = GIFTSyntax.unescaped(Substring(String(raw).trimmed))
        switch form {
        case .plain: return MarkupText(plain: isExact ? text : text.trimmed)
        // Moodle writes this before the names of files.
        case .html:
            return MarkupText(text.replacing("@@PLUGINFILE@@/", with: ""), readsTeX: true)
        }
    }
}
