public import Foundation

/// An error of creating parameters.
///
/// ```swift
/// do throws(FSRSParametersError) {
///     _ = try FSRSParameters([0.2, 1.3])
/// } catch {
///     print(error == .wrongCount(2), error.code == .parameterCount)
/// }
/// ```
public enum FSRSParametersError: Error, Hashable, Sendable {
    /// The number of values is not 21.
    case wrongCount(Int)
    /// The parameter of that index, from 0, is outside its bounds or not a number.
    case outOfBounds(index: Int, value: Double, bounds: ClosedRange<Double>)
}

extension FSRSParametersError: LocalizedError, CustomStringConvertible {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode {
        switch self {
        case .wrongCount: .parameterCount
        case .outOfBounds: .parameterOutOfBounds
        }
    }

    /// The reason and the remedy, in English.
    public var description: String {
        switch self {
        case .wrongCount(let count):
            "FSRS-6 has \(FSRSParameters.count) parameters, not \(count)."
        case .outOfBounds(let index, let value, let bounds):
            "The parameter w\(index) is \(value), not from \(bounds.lowerBound) to \(bounds.upperBound)."
        }
    }

    /// The reason and the remedy, in English.
    public var errorDescription: String? { description }
}
