package import ContentModel
import Foundation

/// Code with its spans, with the names of its template.
package struct CodeView {
    /// A piece of code of one kind.
    package struct Span: Hashable {
        package var words: String
        /// The kind: `keyword`, `type`, `text`, `number` or `comment`; `nil` for the rest.
        package var kind: String?
    }

    package var name: String
    /// The id of the text in the page, for a description; `nil` for none.
    package var id: String?
    package var spans: [Span]

    package init(_ code: CodeSnippet, name: String, id: String? = nil) {
        self.name = name
        self.id = id
        spans = CodeSpans.spans(of: code.text, language: code.language)
    }
}

/// The colouring of code by its words: comments, texts, numbers, keywords and types, for any language with quotes and
/// the usual comments.
///
/// It is not a parser: a keyword of another language counts as a keyword. The joined spans are the code.
package enum CodeSpans {
    private static let keywords: Set<String> = [
        "actor", "as", "async", "await", "break", "case", "catch", "class", "const", "continue",
        "def",
        "default", "defer", "do", "elif", "else", "enum", "except", "extension", "false", "False",
        "final",
        "finally", "fn", "for", "from", "func", "function", "guard", "if", "import", "in", "init",
        "inout", "interface", "internal", "is", "lambda", "let", "match", "mut", "mutating", "new",
        "nil", "None", "not", "null", "open", "or", "override", "pass", "private", "protocol",
        "public",
        "raise", "repeat", "return", "self", "Self", "some", "static", "struct", "subscript",
        "super",
        "switch", "this", "throw", "throws", "true", "True", "try", "typealias", "var", "void",
        "weak",
        "where", "while", "with", "yield",
    ]

    /// Splits code into its spans.
    package static func spans(of code: String, language: String) -> [CodeView.Span] {
        let hasHashComments = ["python", "ruby", "bash", "shell", "yaml"].contains(language)
        var spans: [CodeView.Span] = []
        var rest = code[...]
        while let first = rest.first {
            let (length, kind) = next(rest, first, hasHashComments)
            let words = rest.prefix(length)
            rest = rest.dropFirst(length)
            if kind == nil, let last = spans.last, last.kind == nil {
                spans[spans.count - 1].words += words
            } else {
                spans.append(CodeView.Span(words: String(words), kind: kind))
            }
        }
        return spans
    }

    /// Returns the length and kind of the span at the start of some code.
    private static func next(
        _ code: Substring, _ first: Character, _ hasHashComments: Bool
    ) -> (Int, String?) {
        if code.hasPrefix("//") || (hasHashComments && first == "#") {
            return (code.prefix { !$0.isNewline }.count, "comment")
        }
        if first == "\"" || first == "'" { return (text(code, first), "text") }
        if first.isNumber {
            return (code.prefix { $0.isNumber || $0 == "." || $0 == "_" }.count, "number")
        }
        guard first.isLetter || first == "_" else { return (1, nil) }
        let word = code.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        if keywords.contains(String(word)) { return (word.count, "keyword") }
        return (word.count, first.isUppercase ? "type" : nil)
    }

    /// Returns the length of a quoted text, to its closing quote or the end of the line.
    private static func text(_ code: Substring, _ quote: Character) -> Int {
        var (length, isEscaped) = (1, false)
        for character in code.dropFirst() {
            if character.isNewline { return length }
            length += 1
            if character == quote, !isEscaped { return length }
            isEscaped = character == "\\" && !isEscaped
        }
        return length
    }
}
