import Foundation

/// A typed text with the digits and signs of all scripts as ASCII, and without the question's unit.
struct EnteredNumberText {
    /// The maximum length of a text that is parsed, in characters.
    static let countMax = 200

    /// The number, trimmed; `٫` and `٬` remain, since their meaning is unambiguous.
    private(set) var bare: String

    /// Reads a text.
    ///
    /// - Throws: `EnteredNumberError` for nothing, for too much, and for digits of two scripts.
    init(_ text: String, unit: String) throws(EnteredNumberError) {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text.unicodeScalars.filter { !Self.isBidiMark($0) })
        var rest = Self.trimmed(String(scalars))
        guard !rest.isEmpty else { throw .empty }
        guard rest.count <= Self.countMax else { throw .long }
        rest = Self.without(unit, rest)
        rest = Self.trimmed(try Self.ascii(rest))
        if rest.hasPrefix("=") { rest = Self.trimmed(String(rest.dropFirst())) }
        guard !rest.isEmpty else { throw .noNumber }
        bare = rest
    }

    static func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns the text without the unit at its end, whose characters may be compatible ones (`℃` for `°C`).
    private static func without(_ unit: String, _ text: String) -> String {
        guard !unit.isEmpty else { return text }
        let wanted = folded(unit)
        let most = min(text.count - 1, 4 * unit.count)
        guard most > 0 else { return text }
        for count in 1...most where folded(String(text.suffix(count))) == wanted {
            let rest = text.dropLast(count)
            // The unit `m` is not the end of `km`.
            return rest.last?.isLetter == true && unit.first?.isLetter == true
                ? text : String(rest)
        }
        return text
    }

    private static func folded(_ text: String) -> String {
        trimmed(text.replacing("٪", with: "%").precomposedStringWithCompatibilityMapping)
    }

    private static func isBidiMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func ascii(_ text: String) throws(EnteredNumberError) -> String {
        var zero: UInt32?
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard let value = digit(scalar) else {
                plain.append(sign(scalar))
                continue
            }
            let own = scalar.value - value
            guard zero ?? own == own else { throw .mixedDigits }
            zero = own
            plain.append(Unicode.Scalar(UInt8(0x30 + value)))
        }
        return String(plain)
    }

    /// Returns the value of a decimal digit of any script.
    private static func digit(_ scalar: Unicode.Scalar) -> UInt32? {
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue
        else { return nil }
        return UInt32(value)
    }

    private static func sign(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x2212, 0x2013: "-"
        case 0x066A: "%"
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        default: scalar
        }
    }
}
