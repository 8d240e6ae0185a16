/// The right numbers of a numeric entry.
///
/// ```swift
/// let gravity = NumericKey(.range(from: 9, to: 10), unit: "m/s²")
/// print(gravity.text, gravity.accepts(11))
/// ```
public struct NumericKey: Hashable, Sendable {
    /// The distance from the right value within which a number is still right.
    public enum Tolerance: Hashable, Sendable {
        /// A distance in the unit of the value.
        case absolute(DecimalNumber)
        /// A share of the value, 0.02 for 2 %.
        case relative(DecimalNumber)
    }

    /// The right numbers.
    public enum Accepted: Hashable, Sendable {
        /// A value and its tolerance.
        case value(DecimalNumber, Tolerance)
        /// A range, both bounds included.
        case range(from: DecimalNumber, to: DecimalNumber)
    }

    /// The right numbers.
    public var accepted: Accepted
    /// The unit to show beside the field, such as `m/s²`; a learner does not type it.
    public var unit: String?

    /// Creates a key without any check; see `Question.read`.
    public init(_ accepted: Accepted, unit: String? = nil) {
        self.accepted = accepted
        self.unit = unit
    }

    /// The minimum and the maximum right number.
    public var bounds: (lower: DecimalNumber, upper: DecimalNumber) {
        switch accepted {
        case .range(let from, let to): return (from, to)
        case .value(let value, let tolerance):
            let distance = tolerance.distance(at: value)
            return (value - distance, value + distance)
        }
    }

    /// Returns true for a right number; compares exactly, with the bounds included.
    public func accepts(_ number: DecimalNumber) -> Bool {
        let (lower, upper) = bounds
        return lower <= number && number <= upper
    }

    /// The number to show as right: the value, or the middle of the range.
    public var typicalValue: DecimalNumber {
        switch accepted {
        case .value(let value, _): value
        case .range(let from, let to): (from + to) * DecimalNumber.half
        }
    }

    /// The key for people, such as `9.81 ± 0.01 m/s²`, `9.81 ± 2 %` or `9.8 to 9.83`.
    public var text: String {
        let numbers =
            switch accepted {
            case .value(let value, .absolute(0)), .value(let value, .relative(0)): "\(value)"
            case .value(let value, .absolute(let distance)): "\(value) ± \(distance)"
            case .value(let value, .relative(let share)): "\(value) ± \(share * 100) %"
            case .range(let from, let to): "\(from) to \(to)"
            }
        return unit.map { "\(numbers) \($0)" } ?? numbers
    }
}

extension NumericKey.Tolerance {
    /// Returns the tolerance of a value as a distance.
    package func distance(at value: DecimalNumber) -> DecimalNumber {
        switch self {
        case .absolute(let distance): distance
        case .relative(let share): value.magnitude * share
        }
    }
}

extension DecimalNumber {
    fileprivate static let half = DecimalNumber("0.5") ?? .zero
}

// MARK: Notation

extension NumericKey {
    /// The key without its unit as one word: `9.81`, `9.81:0.01`, `9.81:2%` or `9.8..9.83`.
    package var notation: String {
        switch accepted {
        case .value(let value, .absolute(0)), .value(let value, .relative(0)): "\(value)"
        case .value(let value, .absolute(let distance)): "\(value):\(distance)"
        case .value(let value, .relative(let share)): "\(value):\(share * 100)%"
        case .range(let from, let to): "\(from)..\(to)"
        }
    }

    /// Parses `notation`; spaces are ignored.
    ///
    /// - Returns: `nil` for anything else.
    package init?(notation: some StringProtocol) {
        let text = String(notation).filter { !$0.isWhitespace }
        if let dots = text.firstRange(of: "..") {
            guard let from = DecimalNumber(text[..<dots.lowerBound]),
                let to = DecimalNumber(text[dots.upperBound...])
            else { return nil }
            self.init(.range(from: from, to: to))
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let value = DecimalNumber(first) else { return nil }
        guard parts.count > 1 else {
            self.init(.value(value, .absolute(0)))
            return
        }
        let isShare = parts[1].hasSuffix("%")
        guard let number = DecimalNumber(isShare ? parts[1].dropLast() : parts[1]) else {
            return nil
        }
        self.init(.value(value, isShare ? .relative(number.percent) : .absolute(number)))
    }
}

extension DecimalNumber {
    private static let hundredth = DecimalNumber("0.01") ?? .zero

    /// The fraction of this percentage: 2 gives 0.02.
    package var percent: DecimalNumber { self * Self.hundredth }
}

extension NumericKey: Codable {
    private enum CodingKeys: String, CodingKey { case accepted, unit }

    /// Decodes a key as written in a table: `9.81`, `9.81:0.01`, `9.81:2%` or `9.8..9.83`.
    ///
    /// - Throws: `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let text = try values.decode(String.self, forKey: .accepted)
        guard let key = NumericKey(notation: text) else {
            throw DecodingError.dataCorruptedError(
                forKey: .accepted, in: values, debugDescription: "\(text) is no key of numbers.")
        }
        self = key
        unit = try values.decodeIfPresent(String.self, forKey: .unit)
    }

    /// Encodes the key as written in a table.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(notation, forKey: .accepted)
        try values.encodeIfPresent(unit, forKey: .unit)
    }
}
