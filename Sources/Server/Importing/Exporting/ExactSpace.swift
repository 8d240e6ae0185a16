/// White space that HTML would collapse, in a form that every player shows and an import of ours reads exactly.
///
/// Spaces become no-break spaces in a `<span>` of a class, and tabs four of them. Line feeds become a `<br/>` of a
/// class where more than one blank line follows, or where a text begins or ends with one.
enum ExactSpace {
    /// The class of a `<span>` with as many no-break spaces as there are spaces.
    static let spaceClass = "underway-space"
    /// The class of a `<span>` for one tab.
    static let tabClass = "underway-tab"
    /// The class of a `<br/>` for exactly one line feed.
    static let lineClass = "underway-line"

    /// Returns text as inline HTML.
    static func html(_ text: String) -> String {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0) }
        let isExact = lines.count > 1 && !haveOrdinaryBreaks(lines)
        return lines.map(line).joined(separator: isExact ? "<br class=\"\(lineClass)\"/>" : "<br/>")
    }

    /// Returns whether lines are parted by at most one blank line, and none is blank at the ends or has spaces only.
    private static func haveOrdinaryBreaks(_ lines: [String]) -> Bool {
        guard lines.first?.isEmpty == false, lines.last?.isEmpty == false else { return false }
        return !zip(lines, lines.dropFirst()).contains { $0.isEmpty && $1.isEmpty }
            && !lines.contains { !$0.isEmpty && $0.allSatisfy { " \t".contains($0) } }
    }

    private static func line(_ line: String) -> String {
        var result = ""
        var plain = ""
        var spaces = 0
        func close(atEnd: Bool = false) {
            let isOrdinary = spaces == 1 && !plain.isEmpty && !atEnd
            result += XMLElement.escaped(plain)
            plain = ""
            if isOrdinary {
                result += " "
            } else if spaces > 0 {
                result += span(spaceClass, spaces)
            }
            spaces = 0
        }
        for scalar in line.unicodeScalars {
            switch scalar {
            case " ": spaces += 1
            case "\t":
                if spaces > 0 || !plain.isEmpty { close(atEnd: true) }
                result += span(tabClass, 4)
            default:
                if spaces > 0 { close() }
                plain.unicodeScalars.append(scalar)
            }
        }
        close(atEnd: true)
        return result
    }

    private static func span(_ name: String, _ count: Int) -> String {
        "<span class=\"\(name)\">\(String(repeating: "&#160;", count: count))</span>"
    }
}

extension String {
    /// The first character that XML cannot hold, as `U+0007`.
    var foreignToXML: String? {
        let found = unicodeScalars.first { scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: false
            default: true
            }
        }
        return found.map {
            "U+" + String("000" + String($0.value, radix: 16, uppercase: true)).suffix(4)
        }
    }
}
