/// The escapes and marks of GIFT.
///
/// They are found byte by byte: a mark before a combining character is a mark.
enum GIFTSyntax {
    private static let backslash = UInt8(ascii: "\\")

    /// Splits a text at the first mark that no backslash escapes; `nil` if there is none.
    static func split(
        _ text: Substring, at mark: String
    ) -> (before: Substring, after: Substring)? {
        let mark = Array(mark.utf8)
        guard
            let index = firstIndex(in: text, where: { text.utf8[$0...].starts(with: mark) })
        else { return nil }
        return (text[..<index], text[text.utf8.index(index, offsetBy: mark.count)...])
    }

    /// Returns whether a text has a mark that no backslash escapes.
    static func contains(_ mark: String, in text: Substring) -> Bool {
        split(text, at: mark) != nil
    }

    /// Splits at the first of several marks of one byte, and returns which it was.
    static func split(
        _ text: Substring, atAny marks: [UInt8]
    ) -> (before: Substring, mark: UInt8, after: Substring)? {
        guard let index = firstIndex(in: text, where: { marks.contains(text.utf8[$0]) }) else {
            return nil
        }
        return (text[..<index], text.utf8[index], text[text.utf8.index(after: index)...])
    }

    private static func firstIndex(
        in text: Substring, where isFound: (Substring.Index) -> Bool
    ) -> Substring.Index? {
        var isEscaped = false
        for index in text.utf8.indices {
            if isEscaped {
                isEscaped = false
            } else if text.utf8[index] == backslash {
                isEscaped = true
            } else if isFound(index) {
                return index
            }
        }
        return nil
    }

    /// Resolves the escapes; a backslash before any other character stays, as in TeX.
    static func unescaped(_ text: Substring) -> String {
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                isEscaped = false
                switch scalar {
                case "n": result.append("\n")
                case "~", "=", "#", "{", "}", ":", "\\": result.append(scalar)
                default:
                    result.append("\\")
                    result.append(scalar)
                }
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.append(scalar)
            }
        }
        if isEscaped { result.append("\\") }
        return String(result)
    }

    /// Escapes a text, with its line feeds as `\n`.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "~", "=", "#", "{", "}", ":", "\\":
                result.append("\\")
                result.append(scalar)
            case "\n":
                result.append("\\")
                result.append("n")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// Returns the depth by which the braces of a line open or close.
    static func depth(of line: Substring) -> Int {
        let (opened, closed) = braces(of: line)
        return opened - closed
    }

    /// Returns whether a brace opens in a line.
    static func opens(_ line: Substring) -> Bool { braces(of: line).opened > 0 }

    private static func braces(of line: Substring) -> (opened: Int, closed: Int) {
        var braces = (opened: 0, closed: 0)
        var isEscaped = false
        for byte in line.utf8 {
            if isEscaped {
                isEscaped = false
            } else if byte == backslash {
                isEscaped = true
            } else if byte == UInt8(ascii: "{") {
                braces.opened += 1
            } else if byte == UInt8(ascii: "}") {
                braces.closed += 1
            }
        }
        return braces
    }
}
