public import Foundation

/// The learner's parameters of the memory model, and the fit whose test is still pending.
///
/// ```swift
/// let record = MemoryRecord(candidate: .standard, through: .now, reviewCount: 600)
/// print(record.used == .standard)  // true: a candidate is not used
/// ```
public struct MemoryRecord: Sendable, Hashable, Codable {
    /// The memory model of the parameters.
    public static let currentModel = "fsrs-6"

    /// The memory model; parameters of another one are not used.
    public var model: String
    /// The parameters that are used; `nil` for the defaults.
    public var parameters: [Double]?
    /// The share of the candidate in ``parameters``, from 0.25 to 1; `nil` for the defaults.
    public var share: Double?
    /// The newest fit, which the reviews after it test.
    public var candidate: [Double]
    /// The time of the last review of that fit, in milliseconds since 1970.
    public var through: Int64
    /// The number of reviews of that fit.
    public var reviews: Int

    /// Creates a record without tested parameters.
    public init(candidate: FSRSParameters, through: Date, reviewCount: Int) {
        model = Self.currentModel
        self.candidate = candidate.values
        self.through = through.wholeMilliseconds
        reviews = reviewCount
    }

    /// The parameters to use: the defaults for none, for another model, and for a value out of bounds.
    public var used: FSRSParameters { valid(parameters) ?? .standard }

    /// The candidate; `nil` for another model, or a value out of bounds.
    var validCandidate: FSRSParameters? { valid(candidate) }

    private func valid(_ values: [Double]?) -> FSRSParameters? {
        guard model == Self.currentModel, let values else { return nil }
        // A value out of bounds counts as no parameters.
        return try? FSRSParameters(values)
    }
}
