/// Formulas, raised and lowered text, and elements whose content is no text.
extension MarkupText {
    /// Writes TeX in its one form.
    mutating func appendFormula(_ tex: String) {
        let line = tex.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !line.isEmpty else { return }
        closeBreak()
        text += "\\(" + line + "\\)"
    }

    /// Returns TeX without the line breaks and entities of an editor for HTML.
    static func withoutMarkup(_ tex: Substring) -> String {
        var rest = tex.replacing(/<\/?(?:br|div|p|span)(?:\s[^<>]*)?\/?>/, with: " ")[...]
        var text = ""
        while let mark = rest.firstIndex(of: "&") {
            text += rest[..<mark]
            let (character, after) = entity(rest[mark...])
            text += character ?? "&"
            rest = after
        }
        return text + rest
    }

    /// Reads an element whose content is a formula or no text.
    ///
    /// The content of a picture in `<object>` is shown only where the picture is not.
    ///
    /// - Parameters:
    ///   - tag: The tag without its brackets.
    ///   - after: The text behind the tag.
    ///   - whole: The text from the tag on.
    /// - Returns: The text behind the element; `nil` for other elements.
    mutating func readElement(
        _ tag: Substring, _ after: Substring, whole: Substring
    ) -> Substring? {
        let name = tag.prefix { $0.isLetter || $0 == ":" || $0 == "-" }.lowercased()
        let local = name.split(separator: ":").last ?? ""
        let isPicture =
            local == "object"
            && Self.isImage(Self.attribute("data", tag) ?? Self.attribute("src", tag) ?? "", tag)
        guard isPicture || ["math", "anki-mathjax", "script", "style", "svg"].contains(local),
            tag.last != "/",
            let (inner, rest) = formulas.content(of: after, until: "</" + name + ">")
        else { return nil }
        switch local {
        case "math":
            if let tex = MathMLText.tex(String(whole[..<rest.startIndex])) {
                appendFormula(tex)
            } else {
                append(Self.plain(String(inner))[...])
            }
        case "anki-mathjax": appendFormula(Self.withoutMarkup(inner))
        case "object": apply(tag)
        case "svg": otherMedia.append("a drawing in <svg>")
        case "script" where tag.contains("math/tex"): appendFormula(String(inner))
        default: break
        }
        return rest
    }

    /// The most raised and lowered parts in each other: each copies its text when it ends.
    private static let scriptsMax = 8

    /// Begins raised or lowered text; those in more than eight others stay as they are.
    mutating func openScript(_ name: String) {
        guard scripts.count < Self.scriptsMax else { return }
        closeBreak()
        scripts.append((name, text.utf8.count))
    }

    /// Ends raised or lowered text, and writes it in Unicode where all of its characters are there.
    mutating func closeScript(_ name: String) {
        guard let open = scripts.last, open.name == name else { return }
        scripts.removeLast()
        let start = text.utf8.index(text.startIndex, offsetBy: open.start)
        let content = String(text[start...]).trimmed
        text.removeSubrange(start...)
        guard !content.isEmpty else { return }
        let signs = name == "sup" ? Self.raised : Self.lowered
        let written = content.compactMap { signs[$0] }
        if written.count == content.count {
            text += String(written)
        } else {
            let mark = name == "sup" ? "^" : "_"
            text += content.count == 1 ? mark + content : "\(mark)(\(content))"
        }
    }

    /// Ends what is still raised or lowered at the end of a text.
    mutating func closeScripts() {
        while let open = scripts.last { closeScript(open.name) }
    }

    private static let raised = signs(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")
    private static let lowered = signs(
        "0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")

    private static func signs(_ plain: String, _ signs: String) -> [Character: Character] {
        Dictionary(uniqueKeysWithValues: zip(plain, signs))
    }
}
