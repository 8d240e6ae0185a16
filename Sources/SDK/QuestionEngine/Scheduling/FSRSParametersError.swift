import Foundation

/// An error of creating parameters.
///
/// ```swift
/// do throws(FSRSParametersError) {
///     _ = try FSRSParameters([0.2, 1.3])
/// } catch {
///     print(error.code == .parameterCount, error.count == 2)
/// }
/// ```
public struct FSRSParametersError: EngineError {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode
    /// The mistake and its remedy, in English.
    public var message: String
    /// The number of values, if it is wrong.
    public var count: Int?
    /// The index of the parameter that is out of bounds, from 0.
    public var index: Int?
    /// The value that is out of bounds.
    public var value: Double?
    /// The bounds of that parameter.
    public var bounds: ClosedRange<Double>?
}

extension FSRSParametersError {
    /// Reports that the number of values is not 21.
    public static func wrongCount(_ count: Int) -> Self {
        Self(
            code: .parameterCount,
            message:
                "FSRS-6 has \(FSRSParameters.count) parameters, not \(count): give that many, or use the"
                + " default ones.", count: count)
    }

    /// Reports that the parameter of that index, from 0, is outside its bounds or not a number.
    public static func outOfBounds(index: Int, value: Double, bounds: ClosedRange<Double>) -> Self {
        Self(
            code: .parameterOutOfBounds,
            message: "The parameter w\(index) is \(value): choose one from \(bounds.lowerBound) to"
                + " \(bounds.upperBound).", index: index, value: value, bounds: bounds)
    }
}
