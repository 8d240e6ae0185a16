/// The 21 parameters of FSRS-6, each within its published bounds.
///
/// ```swift
/// let parameters = try FSRSParameters(FSRSParameters.standard.values)
/// print(parameters == .standard, FSRSParameters.count)
/// ```
public struct FSRSParameters: Sendable, Hashable {
    /// The number of parameters.
    public static let count = 21

    /// The values, in the order of the algorithm's description (`w0` to `w20`).
    public let values: [Double]

    /// Creates parameters from 21 values.
    ///
    /// - Throws: `FSRSParametersError` with the first parameter out of bounds.
    public init(_ values: [Double]) throws(FSRSParametersError) {
        guard values.count == Self.count else { throw .wrongCount(values.count) }
        for (index, value) in values.enumerated() where !Self.bounds[index].contains(value) {
            throw .outOfBounds(index: index, value: value, bounds: Self.bounds[index])
        }
        self.values = values
    }

    /// Creates parameters by clamping each value to its bounds; a value that is not a number
    /// becomes the default.
    init(clamping values: [Double]) {
        self.values = Self.bounds.indices.map { index in
            let value = values[index].isNaN ? Self.standard.values[index] : values[index]
            return min(max(value, Self.bounds[index].lowerBound), Self.bounds[index].upperBound)
        }
    }

    private init(unchecked values: [Double]) {
        self.values = values
    }

    /// The defaults of FSRS-6 (py-fsrs 6.3.2).
    public static let standard = FSRSParameters(unchecked: [
        0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796,
        1.4835, 0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
    ])

    /// The bounds of each parameter (py-fsrs 6.3.2).
    public static let bounds: [ClosedRange<Double>] = [
        0.001...100, 0.001...100, 0.001...100, 0.001...100, 1...10, 0.001...4, 0.001...4,
        0.001...0.75, 0...4.5, 0...0.8, 0.001...3.5, 0.001...5, 0.001...0.25, 0.001...0.9, 0...4,
        0...1, 1...6, 0...2, 0...2, 0...0.8, 0.1...0.8,
    ]
}

extension FSRSParameters: Codable {
    /// Decodes a list of 21 numbers.
    ///
    /// - Throws: `DecodingError` with the first parameter out of bounds.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            self = try FSRSParameters(container.decode([Double].self))
        } catch let error as FSRSParametersError {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: error.message)
        }
    }

    /// Encodes the list of numbers.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }
}
