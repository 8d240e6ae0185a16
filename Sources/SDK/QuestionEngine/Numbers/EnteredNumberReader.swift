import ContentModel
import Foundation

/// Reads typed numbers of one locale and one unit.
struct EnteredNumberReader {
    private let sign: DecimalSign
    private let unit: String

    init(_ sign: DecimalSign, unit: String) {
        self.sign = sign
        self.unit = unit
    }

    /// Reads a text.
    ///
    /// - Throws: `EnteredNumberError`.
    func number(_ text: String) throws(EnteredNumberError) -> DecimalNumber {
        var rest = try EnteredNumberText(text, unit: unit).bare
        let isNegative = rest.hasPrefix("-")
        if isNegative || rest.hasPrefix("+") {
            rest = EnteredNumberText.trimmed(String(rest.dropFirst()))
        }
        do throws(EnteredNumberError) {
            let number = try unsigned(rest)
            return isNegative ? -number : number
        } catch {
            throw isNegative ? error.negated : error
        }
    }

    private func unsigned(_ text: String) throws(EnteredNumberError) -> DecimalNumber {
        guard text.hasSuffix("%") else { return try plain(text) }
        guard unit.isEmpty else { throw .otherUnit(unit) }
        let number: DecimalNumber
        do throws(EnteredNumberError) {
            number = try plain(EnteredNumberText.trimmed(String(text.dropLast())))
        } catch {
            // Two questions at once are none that can be answered by one of two buttons.
            throw error.readings.isEmpty ? error : .groups
        }
        throw .ambiguous(.percent, [number, number * .hundredth])
    }

    private func plain(_ text: String) throws(EnteredNumberError) -> DecimalNumber {
        if let fraction = try EnteredFraction(text) { return try fraction.number }
        let (mantissa, power) = Self.powerOfTen(text)
        guard mantissa.contains(where: \.isNumberCharacter), mantissa.first != nil else {
            throw .noNumber
        }
        guard mantissa.allSatisfy(\.isNumberCharacter) else {
            throw power == 0 && Self.endsInUnit(mantissa) ? .otherUnit(unit) : .noNumber
        }
        let readings = try DigitGroups(mantissa, sign: sign).readings
        var numbers: [DecimalNumber] = []
        for reading in readings { numbers.append(try Self.number(reading, power: power)) }
        guard let first = numbers.first else { throw .noNumber }
        guard numbers.count > 1 else { return first }
        throw .ambiguous(mantissa.contains(",") ? .comma : .point, numbers)
    }

    private static func number(
        _ text: String, power: Int
    ) throws(EnteredNumberError) -> DecimalNumber {
        let digits = text.filter(\.isASCIIDigit)
        let significant = digits.drop { $0 == "0" }.reversed().drop { $0 == "0" }
        guard significant.count <= DecimalNumber.digitsMax else { throw .long }
        guard let number = DecimalNumber("\(text)e\(power)") else { throw .noNumber }
        return number
    }

    /// Splits a power of ten off the end: `e23`, `×10^23`, `·10²³`, or all of `10^3`.
    private static func powerOfTen(_ text: String) -> (mantissa: String, power: Int) {
        if let match = text.wholeMatch(of: /([^eE]*?)\s*[eE]\s*([+-]?\d{1,4})/),
            match.1.contains(where: \.isASCIIDigit), let power = Int(match.2)
        {
            return (String(match.1), power)
        }
        let powers =
            #/
            (?:(.*?)\s*[×xX·⋅∙*]\s*)?10\s*
            (?:\^\s*([+-]?\d{1,4})|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}))
            /#
        guard let match = text.wholeMatch(of: powers) else { return (text, 0) }
        let written = match.2.map(String.init) ?? match.3.map(lowered) ?? ""
        guard let power = Int(written) else { return (text, 0) }
        return (match.1.map(String.init) ?? "1", power)
    }

    /// Returns superscript digits as plain ones.
    private static func lowered(_ text: Substring) -> String {
        String(text).precomposedStringWithCompatibilityMapping.replacing("\u{2212}", with: "-")
    }

    /// Returns true if a number is followed by something like a unit, as `5 km` or `9.81m/s^2`.
    private static func endsInUnit(_ text: String) -> Bool {
        let tail = text.drop(while: \.isNumberCharacter)
        guard tail.startIndex != text.startIndex, let first = tail.first,
            first.isLetter || "°%‰′″".contains(first)
        else { return false }
        return !tail.replacing(/\^-?\d+/, with: "").contains(where: \.isASCIIDigit)
    }
}

extension DecimalNumber {
    fileprivate static var hundredth: DecimalNumber { DecimalNumber("0.01") ?? .zero }
}

extension Character {
    /// True for `0` to `9`.
    var isASCIIDigit: Bool { ("0"..."9").contains(self) }

    /// True for a sign that groups digits and is nothing else.
    var isGroupSign: Bool { isWhitespace || "'’٬".contains(self) }

    /// True for a digit, a decimal sign or a sign that groups digits.
    var isNumberCharacter: Bool { isASCIIDigit || isGroupSign || ".,٫".contains(self) }
}
