/// The separator of a table: the one that gives the most rows the same number of fields.
enum CSVWidths {
    /// The candidates, the usual ones first.
    static let candidates = Array(",;\t|".utf8)

    /// Returns the separator that gives the most rows one width above 1, else the comma.
    ///
    /// Quotes are respected; of two that do it equally, the one with more fields counts. O(bytes).
    static func separator(of bytes: [UInt8]) -> UInt8 {
        var best = (separator: candidates[0], rows: 0, width: 1)
        for candidate in candidates where bytes.contains(candidate) {
            var counts: [Int: Int] = [:]
            for width in widths(of: bytes, separator: candidate) where width > 1 {
                counts[width, default: 0] += 1
            }
            guard let most = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else {
                continue
            }
            if (most.value, most.key) > (best.rows, best.width) {
                best = (candidate, most.value, most.key)
            }
        }
        return best.separator
    }

    /// Returns the number of fields in each row that has any.
    private static func widths(of bytes: [UInt8], separator: UInt8) -> [Int] {
        var widths: [Int] = []
        var (width, isEmpty, isAtStart, isQuoted) = (1, true, true, false)
        // True behind a quote that ended a text, where another one goes on with it.
        var isReopened = false
        for byte in bytes {
            if isQuoted {
                // Two quotes in a text close and open it.
                if byte == UInt8(ascii: "\"") { isQuoted = false }
            } else if byte == UInt8(ascii: "\n") {
                if !isEmpty { widths.append(width) }
                (width, isEmpty, isAtStart) = (1, true, true)
                continue
            } else if byte == separator {
                width += 1
                isAtStart = true
                continue
            } else if byte == UInt8(ascii: "\""), isAtStart || isReopened {
                isQuoted = true
            }
            isEmpty = false
            // A quoted text of a table with another separator hides its lines too.
            isAtStart = !isQuoted && candidates.contains(byte)
            isReopened = byte == UInt8(ascii: "\"") && !isQuoted
        }
        if !isEmpty { widths.append(width) }
        return widths
    }
}
