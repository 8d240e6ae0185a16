/// The weights of the days of the week when due days are spread: on a lighter day fewer questions become due.
///
/// ```swift
/// let calmSundays = EasyDays([100, 100, 100, 100, 100, 50, 0])
/// print(calmSundays?.weight(of: LearningDay(20_788)) ?? 100)  // 1 December 2026 is a Tuesday: 100
/// ```
public struct EasyDays: Sendable, Hashable, Codable {
    /// The weights that a day may have.
    public static let choices = [0, 50, 100]
    /// Days of equal weight.
    public static let none = EasyDays(unchecked: Array(repeating: 100, count: 7))

    /// The weights from Monday to Sunday.
    public let weights: [Int]

    /// Creates weights from Monday to Sunday; `nil` unless they are seven of 0, 50 and 100.
    public init?(_ weights: [Int]) {
        guard weights.count == 7, weights.allSatisfy(Self.choices.contains) else { return nil }
        self.weights = weights
    }

    private init(unchecked weights: [Int]) { self.weights = weights }

    /// Decodes a list of seven weights.
    ///
    /// - Throws: `DecodingError` for another list.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let days = EasyDays(try container.decode([Int].self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Give seven weights of 0, 50 or 100.")
        }
        self = days
    }

    /// Encodes the list of weights.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(weights)
    }

    /// Returns the weight of a day.
    public func weight(of day: LearningDay) -> Int {
        // 1 January 1970 was a Thursday.
        let weekday = (day.number + 3) % 7
        return weights[weekday < 0 ? weekday + 7 : weekday]
    }

    /// Returns the day of a span to which a number leads, where each day has a part as large as its weight.
    ///
    /// - Parameters:
    ///   - number: A number that is equally likely to be any; its remainder by the sum of the weights counts.
    ///   - first: The first day of the span.
    ///   - count: The number of its days, at least 1.
    /// - Returns: The first day whose cumulative weight exceeds the remainder; if all days of the span weigh 0, all count
    ///   alike.
    func day(at number: UInt64, from first: LearningDay, count: Int) -> LearningDay {
        var spans = (0..<count).map { UInt64(weight(of: first + $0)) }
        if spans.allSatisfy({ $0 == 0 }) { spans = spans.map { _ in 100 } }
        var rest = number % spans.reduce(0, +)
        for (offset, weight) in spans.enumerated() {
            if rest < weight { return first + offset }
            rest -= weight
        }
        return first + (count - 1)
    }
}
