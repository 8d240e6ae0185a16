/// The characters that entities of HTML stand for.
extension MarkupText {
    static func character(_ name: Substring) -> String? {
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
