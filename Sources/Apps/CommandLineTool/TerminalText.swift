/// Text that is safe to show on a terminal.
enum TerminalText {
    /// Escapes control characters and those that change the direction of text as `\\u{1B}`.
    ///
    /// Line feeds and tabs stay. Escaped are the other control characters (C0, DEL and C1), the
    /// embeddings, overrides and isolates of directions (Unicode Standard Annex 9), and the
    /// separators of lines and paragraphs.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isEscaped) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if isEscaped(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case ..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
