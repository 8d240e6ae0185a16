/// Text of which most lines are UTF-8 and some Windows-1252, decoded line by line.
enum MixedText {
    /// The characters of the bytes 80 to 9F in Windows-1252; U+FFFD for those that it leaves undefined.
    private static let high: [Unicode.Scalar] = Array(
        "\u{20AC}\u{FFFD}\u{201A}\u{192}\u{201E}\u{2026}\u{2020}\u{2021}\u{2C6}\u{2030}\u{160}\u{2039}\u{152}\u{FFFD}\u{17D}\u{FFFD}\u{FFFD}\u{2018}\u{2019}\u{201C}\u{201D}\u{2022}\u{2013}\u{2014}\u{2DC}\u{2122}\u{161}\u{203A}\u{153}\u{FFFD}\u{17E}\u{178}"
            .unicodeScalars)

    /// Decodes bytes that are not UTF-8 as a whole; O(bytes).
    ///
    /// - Returns: The text, and whether some line beyond ASCII is UTF-8; `nil` where too many lines have an undefined
    ///   byte: more than 10 % of those beyond ASCII, and more than one if others are UTF-8.
    static func decode(_ bytes: [UInt8]) -> (text: String, hasUTF8: Bool)? {
        var (text, beyond, valid, undefined) = ("", 0, 0, 0)
        text.reserveCapacity(bytes.count + bytes.count / 8)
        for line in lines(bytes) {
            if !text.isEmpty || line.startIndex > 0 { text.append("\n") }
            guard line.contains(where: { $0 >= 0x80 }) else {
                text += String(decoding: line, as: UTF8.self)
                continue
            }
            beyond += 1
            if let whole = String(validating: line, as: UTF8.self) {
                valid += 1
                text += whole
            } else {
                let scalars = line.map(scalar)
                if scalars.contains("\u{FFFD}") { undefined += 1 }
                text.unicodeScalars.append(contentsOf: scalars)
            }
        }
        let allowed = max(valid > 0 ? 1 : 0, beyond / 10)
        return undefined > allowed ? nil : (text, valid > 0)
    }

    /// Returns the lines, from 1, that are no UTF-8 where others are.
    static func strayLines(_ bytes: [UInt8]) -> [Int] {
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) == nil else { return [] }
        return lines(bytes).enumerated().filter { String(validating: $1, as: UTF8.self) == nil }
            .map { $0.offset + 1 }
    }

    private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        (0x80..<0xA0).contains(byte) ? high[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }
}
