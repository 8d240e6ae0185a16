/// A character beside a run of asterisks, as far as emphasis needs it (CommonMark 0.31.2, section 6.2).
struct Neighbour {
    private let isSpace: Bool
    private let isPunctuation: Bool
    private let isEastAsian: Bool

    /// Takes a character; `nil` is the start or the end of the text.
    init(_ scalar: Unicode.Scalar?) {
        guard let scalar else {
            (isSpace, isPunctuation, isEastAsian) = (true, false, false)
            return
        }
        isSpace = Self.isSpace(scalar)
        isPunctuation = Self.isPunctuation(scalar)
        isEastAsian = Self.isEastAsian(scalar)
    }

    /// True for what is neither white space nor punctuation.
    var isWord: Bool { !isSpace && !isPunctuation }

    /// Returns true if a run between this character and one outside of it flanks this one.
    ///
    /// Chinese, Japanese and Korean put no spaces between words, so that a character of theirs outside counts as
    /// punctuation.
    func isFlanked(outside: Neighbour) -> Bool {
        guard !isSpace else { return false }
        return !isPunctuation || outside.isSpace || outside.isPunctuation || outside.isEastAsian
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t", "\n", "\u{C}", "\r": true
        default: scalar.properties.generalCategory == .spaceSeparator
        }
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return UInt8(ascii: scalar).isPunctuation }
        return switch scalar.properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol,
            .currencySymbol, .modifierSymbol, .otherSymbol:
            true
        default: false
        }
    }

    /// Returns true for the blocks of Unicode with East Asian scripts, and full-width forms.
    private static func isEastAsian(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x11FF, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF,
            0xFE30...0xFE4F, 0xFF00...0xFFEF, 0x1AFF0...0x1B16F, 0x1F200...0x1F2FF,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }
}

/// The scalars at places of UTF-8.
enum ScalarPlace {
    /// Returns the scalar that ends at a place.
    static func scalar(before place: Int, in bytes: [UInt8]) -> Unicode.Scalar? {
        guard place > 0 else { return nil }
        var start = place - 1
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self).unicodeScalars.first
    }

    /// Returns the scalar that starts at a place.
    static func scalar(at place: Int, in bytes: [UInt8]) -> Unicode.Scalar? {
        guard place < bytes.count else { return nil }
        var end = place + 1
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return String(decoding: bytes[place..<end], as: UTF8.self).unicodeScalars.first
    }
}
