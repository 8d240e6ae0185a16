/// Text of a drawing or its table, between tags and in quoted attributes.
package enum HTMLText {
    /// Returns a text with the characters of markup as references, see ``ScalarEscaping``, and without those that
    /// ``cleaned(_:)`` replaces.
    package static func escaped(_ text: String) -> String {
        ScalarEscaping().escapeText(cleaned(text))
    }

    /// Returns a text without the characters that a page cannot show, for a place that is escaped later.
    ///
    /// Control characters that HTML forbids become U+FFFD. So do characters that override the direction of text (U+202A
    /// to U+202E), and unpaired isolates (U+2066 to U+2069), which would affect text after it. Paired isolates stay:
    /// the translations put them around values.
    package static func cleaned(_ text: String) -> String {
        let unpaired = unpairedIsolates(text.unicodeScalars)
        var plain = String.UnicodeScalarView()
        for (index, scalar) in text.unicodeScalars.enumerated() {
            let isForbidden = unpaired.contains(index) || isForbidden(scalar)
            plain.append(isForbidden ? "\u{FFFD}" : scalar)
        }
        return String(plain)
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t", "\n", "\r": false
        case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}": true
        default: false
        }
    }

    /// Returns the places of isolates without a partner (Unicode Standard Annex #9, BD9).
    private static func unpairedIsolates(_ scalars: String.UnicodeScalarView) -> Set<Int> {
        var (open, unpaired): ([Int], Set<Int>) = ([], [])
        for (index, scalar) in scalars.enumerated() {
            switch scalar {
            case "\u{2066}"..."\u{2068}": open.append(index)
            case "\u{2069}": if open.popLast() == nil { unpaired.insert(index) }
            default: break
            }
        }
        return unpaired.union(open)
    }
}
