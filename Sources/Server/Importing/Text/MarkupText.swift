/// Plain text from the HTML that other programs store in questions.
///
/// Tolerant, as browsers are: unknown syntax stays text. Blocks and breaks become line feeds, `<pre>` preserves its
/// lines, and images are collected. Raised and lowered text is written in Unicode (`10³`) or as `^(…)` and `_(…)`,
/// MathML becomes TeX in `\( \)`, and everything else is dropped.
struct MarkupText {
    /// The readable text.
    var text = ""
    /// The files of images, in order.
    private(set) var images: [String] = []
    /// The other media of the markup, such as `sound:a.mp3`.
    var otherMedia: [String] = []
    private var isPreformatted = false
    /// The text of an element of our own export: spaces or a tab.
    private var exact: String?
    private var pendingBreak = 0
    private var pendingSpace = false
    private let readsTeX: Bool
    var formulas = FormulaFinder()
    /// The address of the link that is open.
    private var link: String?
    /// The open raised and lowered parts, with the bytes of text before them.
    var scripts: [(name: String, start: Int)] = []

    /// Keeps a text as it is.
    init(plain: String) {
        text = plain
        readsTeX = false
    }

    /// Reads HTML.
    ///
    /// - Parameters:
    ///   - html: The markup.
    ///   - readsTeX: Whether formulas stand in the text between `\( \)`, `\[ \]`, `$$`, `[$]` or `[latex]`;
    ///     they come out in `\( \)`, and what looks like a tag in them stays.
    ///   - keepsSpace: Whether white space within the text stays as it is.
    init(_ html: String, readsTeX: Bool = false, keepsSpace: Bool = false) {
        self.readsTeX = readsTeX
        isPreformatted = keepsSpace
        var rest = keepsSpace ? Substring(html.trimmed) : Substring(html)
        while let mark = rest.firstIndex(where: isMark) {
            append(rest[..<mark])
            rest = rest[mark...]
            rest = readMark(rest)
        }
        append(rest)
        closeScripts()
    }

    private func isMark(_ character: Character) -> Bool {
        character == "<" || character == "&"
            || readsTeX && (character == "\\" || character == "$" || character == "[")
    }

    /// Reads what begins with a mark, and returns the rest.
    private mutating func readMark(_ rest: Substring) -> Substring {
        switch rest.first {
        case "<": return readTag(rest)
        case "&": return readEntity(rest)
        default:
            guard let (tex, after) = formulas.formula(rest) else {
                append(rest.prefix(1))
                return rest.dropFirst()
            }
            appendFormula(Self.withoutMarkup(tex))
            return after
        }
    }

    /// Returns the text of HTML, or of plain text.
    static func plain(_ html: String, readsTeX: Bool = false) -> String {
        MarkupText(html, readsTeX: readsTeX).text
    }

    mutating func append(_ characters: Substring) {
        for character in characters {
            if let exact {
                // No-break spaces stand for as many spaces, or for one tab.
                if exact == " ", character == "\u{A0}" { text += " " }
            } else if isPreformatted {
                if pendingBreak > 0 { closeBreak() }
                text.append(character)
            } else if character == " " || character == "\n" || character == "\t" {
                pendingSpace = true
            } else {
                closeBreak()
                text.append(character)
            }
        }
    }

    /// Writes the pending white space before a character.
    mutating func closeBreak() {
        if text.isEmpty {
        } else if pendingBreak > 0 {
            text += String(repeating: "\n", count: min(pendingBreak, 2))
        } else if pendingSpace {
            text.append(" ")
        }
        pendingBreak = 0
        pendingSpace = false
    }

    /// Reads a tag from its `<`, and returns the rest.
    private mutating func readTag(_ rest: Substring) -> Substring {
        if rest.hasPrefix("<!--") {
            guard let end = rest.firstRange(of: "-->") else { return "" }
            return rest[end.upperBound...]
        }
        let inner = rest.dropFirst()
        guard let first = inner.first, first.isLetter || first == "/" || first == "!",
            let end = Self.tagEnd(inner)
        else {
            append("<")
            return inner
        }
        let tag = inner[..<end]
        if Self.isTypeName(tag) {
            append("<")
            return inner
        }
        let after = inner[inner.index(after: end)...]
        if let rest = readElement(tag, after, whole: rest) { return rest }
        apply(tag)
        return after
    }

    /// Returns the `>` that ends a tag, not one inside quotes.
    static func tagEnd(_ tag: Substring) -> Substring.Index? {
        var quote: Character?
        for index in tag.indices {
            let character = tag[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == ">" {
                return index
            } else if character == "<" {
                return nil
            }
        }
        return nil
    }

    mutating func apply(_ tag: Substring) {
        let isClosing = tag.first == "/"
        let name = tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
        switch name {
        case "br": if !isClosing { applyBreak(tag) }
        case "span": applySpan(isClosing ? nil : Self.attribute("class", tag))
        case "p", "div", "li", "tr", "ul", "ol", "table", "blockquote", "h1", "h2", "h3", "h4":
            pendingBreak = max(pendingBreak, 1)
        case "pre":
            pendingBreak = max(pendingBreak, 1)
            isPreformatted = !isClosing
        case "td", "th": if !isClosing { openCell() }
        case "a": isClosing ? closeLink() : openLink(Self.attribute("href", tag))
        case "sup", "sub": isClosing ? closeScript(name) : openScript(name)
        case "img":
            if let tex = Self.attribute("data-equation-content", tag) {
                // Canvas shows a picture of a formula, and keeps the formula beside it.
                appendFormula(tex)
            } else if let source = Self.attribute("src", tag) {
                images.append(source)
            }
        case "audio", "video", "source", "object", "embed", "iframe", "track":
            if let source = Self.attribute("src", tag) ?? Self.attribute("data", tag) {
                Self.isImage(source, tag) ? images.append(source) : otherMedia.append(source)
            }
        default: break
        }
    }

    /// Returns whether an `<object>` or `<embed>` shows an image.
    static func isImage(_ source: String, _ tag: Substring) -> Bool {
        guard ["object", "embed"].contains(tag.prefix(while: \.isLetter).lowercased()) else {
            return false
        }
        let path = source.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return attribute("type", tag)?.hasPrefix("image/") == true
            || [".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp"].contains(where: path.hasSuffix)
    }

    /// Parts the cells of a table.
    private mutating func openCell() {
        guard !text.isEmpty, pendingBreak == 0 else { return }
        closeBreak()
        text += text.last == " " ? "|" : " |"
        pendingSpace = true
    }

    private mutating func openLink(_ address: String?) {
        link = address.flatMap { $0.contains("://") ? $0 : nil }
    }

    /// Writes the address behind a link's text, as the reader of Markdown does.
    private mutating func closeLink() {
        guard let address = link else { return }
        link = nil
        if !text.hasSuffix(address) { text += " (\(address))" }
    }

    private mutating func applyBreak(_ tag: Substring) {
        guard Self.attribute("class", tag) == ExactSpace.lineClass else { return pendingBreak += 1 }
        closeBreak()
        text += "\n"
    }

    /// Begins or ends white space of our own export.
    private mutating func applySpan(_ name: String?) {
        exact = nil
        guard name == ExactSpace.spaceClass || name == ExactSpace.tabClass else { return }
        closeBreak()
        exact = name == ExactSpace.spaceClass ? " " : "\t"
        if name == ExactSpace.tabClass { text += "\t" }
    }

    /// Returns the value of an attribute, with its entities decoded.
    static func attribute(_ name: String, _ tag: Substring) -> String? {
        var rest = tag
        while let found = rest.firstRange(of: name) {
            let before =
                found.lowerBound > rest.startIndex
                ? rest[rest.index(before: found.lowerBound)] : " "
            rest = rest[found.upperBound...]
            let value = rest.drop { $0.isWhitespace }
            guard !before.isLetter, before != "-", value.first == "=" else { continue }
            let text = value.dropFirst().drop { $0.isWhitespace }
            if let quote = text.first, quote == "\"" || quote == "'" {
                return plain(String(text.dropFirst().prefix { $0 != quote }))
            }
            return plain(String(text.prefix { !$0.isWhitespace && $0 != "/" }))
        }
        return nil
    }

    /// Reads an entity from its `&`, and returns the rest.
    private mutating func readEntity(_ rest: Substring) -> Substring {
        let (character, after) = Self.entity(rest)
        guard let character else {
            append("&")
            return after
        }
        if exact != nil {
            append(character[...])
            return after
        }
        closeBreak()
        text += character == "\u{A0}" ? " " : character
        return after
    }

    /// Returns what the entity at the begin of a text stands for, and the rest; `nil` for none.
    static func entity(_ rest: Substring) -> (character: String?, rest: Substring) {
        let name = rest.dropFirst().prefix(12).prefix { $0 != ";" && $0 != "&" && $0 != "<" }
        let end = rest.index(rest.startIndex, offsetBy: name.count + 1)
        guard end < rest.endIndex, rest[end] == ";", let character = character(name) else {
            return (nil, rest.dropFirst())
        }
        return (character, rest[rest.index(after: end)...])
    }
}
