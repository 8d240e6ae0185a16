/// Writes MathML as TeX.
///
/// The elements are those of MathML Core's presentation part (https://www.w3.org/TR/mathml-core/); of others the
/// texts stay.
enum MathMLText {
    /// Returns the TeX of a `<math>` element; `nil` if it is not well-formed.
    static func tex(_ markup: String) -> String? {
        guard let root = try? XMLTree.parse(Array(markup.utf8), file: "").root else { return nil }
        let notes = root.all("annotation").filter {
            ["application/x-tex", "TeX", "LaTeX"].contains($0.attributes["encoding"] ?? "")
        }
        let written = notes.first?.trimmedText ?? root.attributes["alttext"]?.trimmed ?? ""
        return written.isEmpty ? tex(root) : written
    }

    private static func tex(_ element: XMLElement) -> String {
        let parts = element.children
        switch element.name {
        case "mi", "mn", "mo", "ms": return element.trimmedText
        case "mtext": return "\\text{\(element.trimmedText)}"
        case "mspace": return " "
        case "annotation", "annotation-xml": return ""
        case "mfrac" where parts.count == 2:
            return "\\frac{\(tex(parts[0]))}{\(tex(parts[1]))}"
        case "msqrt": return "\\sqrt{\(row(parts))}"
        case "mroot" where parts.count == 2:
            return "\\sqrt[\(tex(parts[1]))]{\(tex(parts[0]))}"
        case "msup" where parts.count == 2: return base(parts[0]) + "^{\(tex(parts[1]))}"
        case "msub" where parts.count == 2: return base(parts[0]) + "_{\(tex(parts[1]))}"
        case "msubsup" where parts.count == 3, "munderover" where parts.count == 3:
            return base(parts[0]) + "_{\(tex(parts[1]))}^{\(tex(parts[2]))}"
        case "mover" where parts.count == 2:
            return "\\overset{\(tex(parts[1]))}{\(tex(parts[0]))}"
        case "munder" where parts.count == 2:
            return "\\underset{\(tex(parts[1]))}{\(tex(parts[0]))}"
        case "mfenced":
            let (open, close) = (element.attributes["open"], element.attributes["close"])
            return (open ?? "(") + parts.map(tex).joined(separator: ",") + (close ?? ")")
        case "mtable":
            let rows = parts.map { $0.children.map(tex).joined(separator: " & ") }
            return "\\begin{matrix}\(rows.joined(separator: " \\\\ "))\\end{matrix}"
        default: return parts.isEmpty ? element.trimmedText : row(parts)
        }
    }

    private static func row(_ parts: [XMLElement]) -> String { parts.map(tex).joined() }

    /// Returns a base, in braces if it is more than a sign.
    private static func base(_ element: XMLElement) -> String {
        let text = tex(element)
        return text.count == 1 ? text : "{\(text)}"
    }
}
