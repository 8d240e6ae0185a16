/// Scripts and accents in plain text.
extension FormulaPlainText {
    /// Returns the text of a part with its scripts.
    func scripts(on base: FormulaNode, sub: FormulaNode?, sup: FormulaNode?) -> String {
        let text = base.needsBrackets ? "(" + text(of: base) + ")" : text(of: base)
        if case .sign(FormulaSign("∘", .binary)) = sup, sub == nil { return text + "°" }
        let (sub, sup) = (sub.map(inScript.text), sup.map(inScript.text))
        if let low = UnicodeScripts.subscript(sub ?? ""),
            let high = UnicodeScripts.superscript(sup ?? "")
        {
            return text + low + high
        }
        return text + marked("_", sub) + marked("^", sup)
    }

    private func marked(_ mark: String, _ script: String?) -> String {
        guard let script else { return "" }
        return mark + (script.count == 1 ? script : "(" + script + ")")
    }

    /// Returns a text with an accent on its last letter.
    func accented(_ text: String, by accent: String) -> String {
        let marks: [String: String] = [
            "→": "\u{20D7}", "^": "\u{302}", "¯": "\u{304}", "˙": "\u{307}", "¨": "\u{308}",
            "~": "\u{303}", "ˇ": "\u{30C}", "˘": "\u{306}", "´": "\u{301}", "`": "\u{300}",
            "˚": "\u{30A}",
        ]
        return text + (marks[accent] ?? "")
    }

    /// Returns a text with a line along all its letters or an arrow at its end; other wide accents are left out.
    func widelyAccented(_ text: String, by accent: String) -> String {
        switch accent {
        case "‾": text.unicodeScalars.map { "\($0)\u{305}" }.joined()
        case "_": text.unicodeScalars.map { "\($0)\u{332}" }.joined()
        case "→": text + "\u{20D7}"
        case "←": text + "\u{20D6}"
        default: text
        }
    }
}

extension FormulaNode {
    /// True if scripts after the node's text would seem to belong to its last part.
    fileprivate var needsBrackets: Bool {
        switch self {
        case .row(let parts): parts.count > 1
        case .fraction, .root, .scripts, .sized, .styled, .chemistry: true
        default: false
        }
    }
}
