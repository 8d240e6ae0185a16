/// An exact decimal number: `0.1 + 0.2` is `0.3`.
///
/// Equal numbers compare equal in every notation (`1.50` and `1.5`, `1e3` and `1000`). Sums and products have as many
/// digits as needed.
///
/// ```swift
/// print(DecimalNumber("1.50") == DecimalNumber("1.5"), DecimalNumber("1,5") == nil)
/// ```
public struct DecimalNumber: Hashable, Sendable {
    /// The maximum number of significant digits of a written number.
    public static let digitsMax = 30
    /// The range of the power of ten of a written number's first digit.
    public static let powers = -99...99

    /// The digits from last to first, without zeros at either end; none for 0.
    private let digits: [UInt8]
    /// The power of ten of the last digit.
    private let exponent: Int
    private let isNegative: Bool

    /// The number 0.
    public static let zero = DecimalNumber([], exponent: 0, isNegative: false)

    /// Removes zeros, so that equal numbers have equal fields.
    private init(_ digits: some Sequence<UInt8>, exponent: Int, isNegative: Bool) {
        let whole = Array(digits)
        let first = whole.firstIndex { $0 != 0 } ?? whole.endIndex
        let last = whole.lastIndex { $0 != 0 } ?? whole.startIndex
        let isZero = first == whole.endIndex
        self.digits = isZero ? [] : Array(whole[first...last])
        self.exponent = isZero ? 0 : exponent + first
        self.isNegative = isNegative && !isZero
    }

    /// Parses a number with a decimal point, such as `3.14`, `-0.5`, `.5` or `6.02e23`.
    ///
    /// - Returns: `nil` for other text, and for more digits than `digitsMax` or a power of ten outside `powers`.
    public init?(_ text: some StringProtocol) {
        var rest = Substring(text).utf8
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        var digits = Self.takeDigits(&rest)
        var exponent = 0
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            let fraction = Self.takeDigits(&rest)
            digits += fraction
            exponent = -fraction.count
        }
        guard !digits.isEmpty else { return nil }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            guard let power = Int(Substring(rest.dropFirst())), (-999...999).contains(power)
            else { return nil }
            exponent += power
            rest = rest.suffix(0)
        }
        guard rest.isEmpty else { return nil }
        self.init(digits.reversed(), exponent: exponent, isNegative: isNegative)
        guard self.digits.count <= Self.digitsMax,
            self.digits.isEmpty || Self.powers.contains(firstPower)
        else { return nil }
    }

    private static func takeDigits(_ rest: inout Substring.UTF8View) -> [UInt8] {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(digits.count)
        return digits.map { $0 - 0x30 }
    }

    /// The power of ten of the first digit.
    private var firstPower: Int { exponent + digits.count - 1 }

    /// The number without its sign.
    public var magnitude: DecimalNumber {
        DecimalNumber(digits, exponent: exponent, isNegative: false)
    }
}

// MARK: Arithmetic

extension DecimalNumber: Comparable {
    /// Compares exactly.
    public static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
        (left - right).isNegative
    }

    /// Negates.
    package static prefix func - (number: DecimalNumber) -> DecimalNumber {
        DecimalNumber(
            number.digits, exponent: number.exponent, isNegative: !number.isNegative)
    }

    /// Subtracts exactly.
    package static func - (left: DecimalNumber, right: DecimalNumber) -> DecimalNumber {
        left + -right
    }

    /// Adds exactly.
    package static func + (left: DecimalNumber, right: DecimalNumber) -> DecimalNumber {
        let exponent = min(left.exponent, right.exponent)
        let count = max(left.firstPower, right.firstPower) - exponent + 2
        let one = left.column(from: exponent, count: count)
        let other = right.column(from: exponent, count: count)
        let isSmaller = one.reversed().lexicographicallyPrecedes(other.reversed())
        let sign = isSmaller ? right.isNegative : left.isNegative
        let sum =
            left.isNegative == right.isNegative
            ? added(one, other)
            : isSmaller ? subtracted(other, one) : subtracted(one, other)
        return DecimalNumber(sum, exponent: exponent, isNegative: sign)
    }

    /// Multiplies exactly.
    package static func * (left: DecimalNumber, right: DecimalNumber) -> DecimalNumber {
        var sums = Array(repeating: 0, count: left.digits.count + right.digits.count)
        for (place, one) in left.digits.enumerated() {
            for (offset, other) in right.digits.enumerated() {
                sums[place + offset] += Int(one) * Int(other)
            }
        }
        var carry = 0
        let digits = sums.map { sum -> UInt8 in
            defer { carry = (sum + carry) / 10 }
            return UInt8((sum + carry) % 10)
        }
        return DecimalNumber(
            digits, exponent: left.exponent + right.exponent,
            isNegative: left.isNegative != right.isNegative)
    }

    /// Returns the digits from a power of ten upwards, with zeros at both ends.
    private func column(from power: Int, count: Int) -> [UInt8] {
        // 0 has no digits, so its power is irrelevant.
        let low = digits.isEmpty ? [] : Array(repeating: UInt8(0), count: exponent - power)
        let known = low + digits
        return known + Array(repeating: 0, count: max(0, count - known.count))
    }

    private static func added(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        var carry: UInt8 = 0
        return zip(one, other).map { left, right in
            let sum = left + right + carry
            carry = sum / 10
            return sum % 10
        }
    }

    /// Subtracts the smaller column from the larger.
    private static func subtracted(_ large: [UInt8], _ small: [UInt8]) -> [UInt8] {
        var borrow: UInt8 = 0
        return zip(large, small).map { left, right in
            let difference = 10 + left - right - borrow
            borrow = difference < 10 ? 1 : 0
            return difference % 10
        }
    }
}

extension DecimalNumber: CustomStringConvertible, ExpressibleByIntegerLiteral {
    /// Creates a whole number.
    public init(integerLiteral value: Int) {
        self.init(
            String(value.magnitude).utf8.reversed().map { $0 - 0x30 }, exponent: 0,
            isNegative: value < 0)
    }

    /// The number in the form that `init(_:)` parses; very large and very small ones as `6.02e23`.
    public var description: String {
        guard !digits.isEmpty else { return "0" }
        let text = String(decoding: digits.reversed().map { $0 + 0x30 }, as: UTF8.self)
        let sign = isNegative ? "-" : ""
        guard (-7..<21).contains(firstPower) else {
            let fraction = digits.count > 1 ? "." + text.dropFirst() : ""
            return "\(sign)\(text.prefix(1))\(fraction)e\(firstPower)"
        }
        if exponent >= 0 { return sign + text + String(repeating: "0", count: exponent) }
        let padding = String(repeating: "0", count: max(0, 1 - digits.count - exponent))
        let padded = padding + text
        return "\(sign)\(padded.dropLast(-exponent)).\(padded.suffix(-exponent))"
    }
}
