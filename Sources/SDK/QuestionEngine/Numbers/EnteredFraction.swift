import ContentModel
import Foundation

/// A typed fraction, with or without a whole number before it.
struct EnteredFraction {
    private let text: String
    private let whole: Int
    private let part: Int
    private let of: Int

    /// The maximum number of digits of a part.
    private static let digitsMax = 15

    /// Reads `1/2`, `3 1/2`, `½` or `2½`; `nil` for a text that is no fraction.
    ///
    /// - Throws: `EnteredNumberError` for one that is no number.
    init?(_ text: String) throws(EnteredNumberError) {
        guard text.contains(where: { $0 == "/" || Self.isVulgar($0) }) else { return nil }
        let written = text.map {
            Self.isVulgar($0)
                ? " " + String($0).precomposedStringWithCompatibilityMapping : String($0)
        }.joined().replacing("\u{2044}", with: "/")
        guard
            let match = EnteredNumberText.trimmed(written)
                .wholeMatch(of: /(?:(\d+)\s+)?(\d+)\s*\/\s*(\d+)/)
        else {
            // `9.81 m/s²` has a unit, and is no fraction.
            guard text.contains(where: \.isLetter) else { throw .noNumber }
            return nil
        }
        let parts = [match.1 ?? "0", match.2, match.3]
        guard parts.allSatisfy({ $0.count <= Self.digitsMax }) else { throw .long }
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == 3, numbers[2] > 0, match.1 == nil || numbers[1] < numbers[2] else {
            throw .noNumber
        }
        self.text = text
        (whole, part, of) = (numbers[0], numbers[1], numbers[2])
    }

    private static func isVulgar(_ character: Character) -> Bool {
        character == "\u{2044}"
            || character.unicodeScalars.first.map {
                $0.properties.numericType == .numeric
                    && String($0).precomposedStringWithCompatibilityMapping.contains("\u{2044}")
            } ?? false
    }

    /// The exact number.
    ///
    /// - Throws: `EnteredNumberError.endless` for one without an end, or of too many digits.
    var number: DecimalNumber {
        get throws(EnteredNumberError) {
            let common = Self.greatestDivisor(part, of)
            var divisor = of / common
            var value = DecimalNumber("\(part / common)") ?? .zero
            for (prime, factor) in [(2, "0.5"), (5, "0.2")] {
                while divisor.isMultiple(of: prime) {
                    divisor /= prime
                    value = value * (DecimalNumber(factor) ?? .zero)
                }
            }
            let sum = value + (DecimalNumber("\(whole)") ?? .zero)
            guard divisor == 1, DecimalNumber(sum.description) != nil else {
                throw .endless(text, example: example)
            }
            return sum
        }
    }

    /// The number with three digits after its first zeros.
    private var example: DecimalNumber {
        let value = Double(whole) + Double(part) / Double(of)
        return DecimalNumber(String(format: "%.3g", value)) ?? .zero
    }

    private static func greatestDivisor(_ one: Int, _ other: Int) -> Int {
        other == 0 ? max(one, 1) : greatestDivisor(other, one % other)
    }
}
