/// Superscripts and subscripts of plain text, in the characters that Unicode has for them.
enum UnicodeScripts {
    private static let superscripts = pairs(
        "0123456789+−=()abcdefghijklmnoprstuvwxyz′″‴⁗",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ′″‴⁗")
    private static let subscripts = pairs(
        "0123456789+−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")

    /// Returns a text as a superscript, or `nil` if Unicode lacks one of its characters.
    static func superscript(_ text: String) -> String? { mapped(text, superscripts) }

    /// Returns a text as a subscript, or `nil` if Unicode lacks one of its characters.
    static func `subscript`(_ text: String) -> String? { mapped(text, subscripts) }

    /// Returns how TeX writes a character that is a superscript or subscript: `^2` for `²`.
    static func tex(for character: String) -> String? {
        let tables = [("^", superscripts), ("_", subscripts)]
        for (mark, table) in tables {
            let pair = table.first { $0.key != $0.value && String($0.value) == character }
            if let pair { return mark + String(pair.key) }
        }
        return nil
    }

    private static func pairs(
        _ plain: String, _ small: String
    ) -> [Unicode.Scalar: Unicode.Scalar] {
        Dictionary(zip(plain.unicodeScalars, small.unicodeScalars)) { $1 }
    }

    private static func mapped(
        _ text: String, _ characters: [Unicode.Scalar: Unicode.Scalar]
    ) -> String? {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard let small = characters[scalar] else { return nil }
            result.append(small)
        }
        return String(result)
    }
}
