import Foundation

/// A number in the 15 digits that spreadsheets show.
struct ShownNumber {
    private let isNegative: Bool
    /// The digits, the first of them before the decimal point.
    private var digits: [UInt8]
    /// The power of ten of the first digit.
    private var exponent: Int

    /// Reads a stored number; `nil` for other texts.
    init?(_ text: String) {
        guard let value = Double(text), value.isFinite else { return nil }
        isNegative = value < 0
        let parts = String(format: "%.14e", abs(value)).split(separator: "e")
        guard parts.count == 2, let power = Int(parts[1]) else { return nil }
        digits = parts[0].utf8.filter { $0 != UInt8(ascii: ".") }.map { $0 - 48 }
        exponent = power
    }

    /// The shortest form, as the format General shows it; `nil` for very large and very small numbers.
    var shortest: String? {
        guard (-20...20).contains(exponent) else { return nil }
        let places = max(0, 14 - exponent)
        var text = shown(places: places)
        guard text.contains(".") else { return text }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }

    /// Returns the number with a fixed count of decimals, rounded half up.
    ///
    /// - Parameters:
    ///   - places: The decimals.
    ///   - percent: Whether it is shown as a share of hundred.
    ///   - groups: Whether commas part the thousands.
    /// - Returns: The number as text.
    func shown(places: Int, percent: Bool = false, groups: Bool = false) -> String {
        var number = self
        if percent { number.exponent += 2 }
        number.round(places: places)
        let wholeCount = max(number.exponent + 1, 0)
        var whole = (0..<wholeCount).map { number.digit($0) }
        if whole.isEmpty { whole = ["0"] }
        let decimals = (0..<places).map { number.digit(number.exponent + 1 + $0) }
        if groups {
            for place in stride(from: whole.count - 3, to: 0, by: -3) {
                whole.insert(",", at: place)
            }
        }
        let text = String(whole) + (places > 0 ? "." + String(decimals) : "")
        let isZero = number.digits.allSatisfy { $0 == 0 }
        return (isNegative && !isZero ? "-" : "") + text + (percent ? "%" : "")
    }

    /// Returns a digit by its distance from the first; zero beyond the digits.
    private func digit(_ index: Int) -> Character {
        guard digits.indices.contains(index) else { return "0" }
        return Character(UnicodeScalar(digits[index] + 48))
    }

    private mutating func round(places: Int) {
        let count = exponent + 1 + places
        guard count < digits.count else { return }
        guard count >= 0 else {
            digits = [0]
            exponent = 0
            return
        }
        var carry = digits[count] >= 5
        digits = Array(digits[..<count])
        for index in digits.indices.reversed() where carry {
            carry = digits[index] == 9
            digits[index] = carry ? 0 : digits[index] + 1
        }
        if carry {
            digits.insert(1, at: 0)
            exponent += 1
        }
    }
}
