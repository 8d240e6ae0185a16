/// Plain text from the HTML that other programs store in questions.
///
/// Tolerant, as browsers are: unknown syntax stays text. Blocks and breaks become line feeds,
/// `<pre>` preserves its lines, images are collected, everything else is dropped.
struct MarkupText {
    /// The readable text.
    private(set) var text = ""
    /// The files of images, in order.
    private(set) var images: [String] = []
    /// The other media of the markup, such as `sound:a.mp3`.
    private(set) var otherMedia: [String] = []
    private var isPreformatted = false
    private var pendingBreak = 0
    private var pendingSpace = false

    /// Keeps a text as it is.
    init(plain: String) { text = plain }

    init(_ html: String) {
        var rest = Substring(html)
        while let mark = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
            append(rest[..<mark])
            rest = rest[mark...]
            rest = rest.first == "<" ? readTag(rest) : readEntity(rest)
        }
        append(rest)
    }

    /// Returns the text of HTML, or of plain text.
    static func plain(_ html: String) -> String { MarkupText(html).text }

    private mutating func append(_ characters: Substring) {
        for character in characters {
            if isPreformatted {
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
    private mutating func closeBreak() {
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
        apply(inner[..<end])
        return inner[inner.index(after: end)...]
    }

    /// Returns the `>` that ends a tag, not one inside quotes.
    private static func tagEnd(_ tag: Substring) -> Substring.Index? {
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

    private mutating func apply(_ tag: Substring) {
        let isClosing = tag.first == "/"
        let name = tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
        switch name {
        case "br": if !isClosing { pendingBreak += 1 }
        case "p", "div", "li", "tr", "ul", "ol", "table", "blockquote", "h1", "h2", "h3", "h4":
            pendingBreak = max(pendingBreak, 1)
        case "pre":
            pendingBreak = max(pendingBreak, 1)
            isPreformatted = !isClosing
        case "img":
            if let source = Self.attribute("src", tag) { images.append(source) }
        case "audio", "video", "source", "object", "embed", "iframe":
            if let source = Self.attribute("src", tag) ?? Self.attribute("data", tag) {
                otherMedia.append(source)
            }
        default: break
        }
    }

    /// Returns the value of an attribute, with its entities decoded.
    private static func attribute(_ name: String, _ tag: Substring) -> String? {
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
        let name = rest.dropFirst().prefix(12).prefix { $0 != ";" && $0 != "&" && $0 != "<" }
        let end = rest.index(rest.startIndex, offsetBy: name.count + 1)
        guard end < rest.endIndex, rest[end] == ";", let character = Self.character(name) else {
            append("&")
            return rest.dropFirst()
        }
        closeBreak()
        text += character == "\u{A0}" ? " " : character
        return rest[rest.index(after: end)...]
    }

    private static func character(_ name: Substring) -> String? {
        if name.first == "#" {
            let digits = name.dropFirst()
            let code =
                digits.first == "x" || digits.first == "X"
                ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return code.flatMap(Unicode.Scalar.init).flatMap {
                $0.value == 0 ? nil : String(Character($0))
            }
        }
        return entities[String(name)]
    }

    /// The entities that editors write; all others come as numbers or characters.
    private static let entities: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
        "ndash": "–", "mdash": "—", "hellip": "…", "lsquo": "‘", "rsquo": "’", "ldquo": "“",
        "rdquo": "”", "laquo": "«", "raquo": "»", "times": "×", "divide": "÷", "minus": "−",
        "plusmn": "±", "deg": "°", "euro": "€", "pound": "£", "copy": "©", "reg": "®",
        "trade": "™", "middot": "·", "bull": "•", "rarr": "→", "larr": "←", "uarr": "↑",
        "darr": "↓", "le": "≤", "ge": "≥", "ne": "≠", "infin": "∞", "alpha": "α", "beta": "β",
        "gamma": "γ", "delta": "δ", "pi": "π", "mu": "μ", "sigma": "σ", "omega": "ω",
        "Omega": "Ω", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö",
        "Uuml": "Ü", "szlig": "ß", "eacute": "é", "egrave": "è", "ecirc": "ê", "agrave": "à",
        "aacute": "á", "acirc": "â", "iacute": "í", "icirc": "î", "oacute": "ó", "ocirc": "ô",
        "uacute": "ú", "ucirc": "û", "ntilde": "ñ", "Ntilde": "Ñ", "ccedil": "ç", "iquest": "¿",
        "iexcl": "¡", "sup2": "²", "sup3": "³", "frac12": "½", "shy": "",
    ]
}
