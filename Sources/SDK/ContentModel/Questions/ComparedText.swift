extension String {
    /// The text without white space at its ends, and with single spaces for any other.
    package var singleSpaced: String { Self.singleSpaced(unicodeScalars) }

    /// Lower case with single spaces, to find texts that look alike.
    package var normalizedForComparison: String { normalizedSimply ?? normalizedFully }

    /// The same for any text, by the properties of each character.
    var normalizedFully: String { Self.singleSpaced(lowercased().unicodeScalars) }

    private static func singleSpaced(_ scalars: UnicodeScalarView) -> String {
        var result = String.UnicodeScalarView()
        var isBetweenWords = false
        for scalar in scalars {
            let isSpace =
                scalar.isASCII
                ? scalar.value == 0x20 || (0x09...0x0D).contains(scalar.value)
                : scalar.properties.isWhitespace
            if isSpace {
                isBetweenWords = !result.isEmpty
            } else {
                if isBetweenWords { result.append(" ") }
                isBetweenWords = false
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The same for text whose characters keep their size in lower case; `nil` for other text.
    private var normalizedSimply: String? {
        var isSimple = true
        let result = String(unsafeUninitializedCapacity: utf8.count) { buffer in
            var count = 0
            var isBetweenWords = false
            for scalar in unicodeScalars {
                switch SimpleCase(scalar) {
                case .space: isBetweenWords = count > 0
                case .lower(let value):
                    if isBetweenWords {
                        buffer[count] = 0x20
                        count += 1
                        isBetweenWords = false
                    }
                    for byte in value.utf8 {
                        buffer[count] = byte
                        count += 1
                    }
                case .other:
                    isSimple = false
                    return 0
                }
            }
            return count
        }
        return isSimple ? result : nil
    }
}

/// The lower case of a character, decided without Unicode's tables where they would agree.
///
/// The tests compare all characters with the tables.
private enum SimpleCase {
    case space
    case lower(Unicode.Scalar)
    case other

    @inline(__always)
    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x20, 0x09...0x0D: self = .space
        case 0x41...0x5A, 0xC0...0xD6, 0xD8...0xDE, 0x0410...0x042F:
            self = Unicode.Scalar(scalar.value + 0x20).map { .lower($0) } ?? .other
        // ASCII, Latin-1, combining marks, lower case of Greek and Cyrillic; scripts without case
        // from Hebrew to Ethiopic; punctuation; scripts of East Asia; pictures.
        case ..<0x80, 0xA1...0xBF, 0xD7, 0xDF...0xFF, 0x0300...0x036F, 0x03AC...0x03CE,
            0x0430...0x045F, 0x0590...0x109F, 0x1100...0x139F, 0x2010...0x2027,
            0x2030...0x205E, 0x3001...0xA63F, 0xAC00...0xD7A3, 0x1F300...0x1FAFF:
            self = .lower(scalar)
        default:
            let properties = scalar.properties
            self =
                properties.changesWhenLowercased || properties.isWhitespace
                ? .other : .lower(scalar)
        }
    }
}
