/// The forms of text in YAML.
enum YAMLScalar {
    /// Words that are not text without quotes.
    private static let reserved: Set<String> = ["null", "true", "false"]
    private static let plainMarks = Set(" .'()!?/-_%$€;+`".unicodeScalars)

    /// Returns true for text that needs no quotes.
    static func isPlain(_ text: String, inFlow: Bool) -> Bool {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, let last = scalars.last, first.properties.isAlphabetic,
            last != " ", !reserved.contains(text.lowercased())
        else { return false }
        return scalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || plainMarks.contains(scalar) || (scalar == "," && !inFlow)
        }
    }

    /// Returns true for a name that needs no quotes.
    static func isPlainName(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic
        else { return false }
        return !reserved.contains(name.lowercased())
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_")
            }
    }

    /// Writes text of several lines after a `|`.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - indent: The spaces before each line.
    ///   - newline: The line break.
    /// - Returns: The text with its `|`; `nil` for text that needs quotes.
    static func literal(_ text: String, indent: Int, newline: String) -> String? {
        guard text.unicodeScalars.contains("\n"), !text.hasSuffix("\n\n"),
            text.unicodeScalars.allSatisfy({ $0 == "\n" || isPrintable($0) })
        else { return nil }
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        let endsLine = text.unicodeScalars.last == "\n"
        if endsLine { lines.removeLast() }
        guard let first = lines.first?.first, first != " " else { return nil }
        let start = newline + String(repeating: " ", count: indent)
        return (endsLine ? "|" : "|-")
            + lines.map { $0.isEmpty ? newline : start + String($0) }.joined()
    }

    /// Returns text in double quotes, with escapes for all characters that YAML does not allow.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where isPrintable(scalar): result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16)
                result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            }
        }
        return result + "\""
    }

    /// Returns whether a character is printable by YAML 1.1, section 5.1, without line breaks.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD,
            0x1_0000...0x10_FFFF:
            true
        default: false
        }
    }
}
