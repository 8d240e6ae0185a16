public import Foundation

/// An error of recording an answer.
///
/// ```swift
/// let items = [AdaptivePlacement.Item(id: "q1", parameters: ItemParameters(label: 1))]
/// var test = AdaptivePlacement(items: items, levels: AbilityLevels(labels: [1: "A1"]))
/// do throws(PlacementError) {
///     try test.record("q1", isRight: true)
///     try test.record("q1", isRight: false)
/// } catch {
///     print(error.code == .answeredBefore)
/// }
/// ```
public enum PlacementError: Error, Hashable, Sendable {
    /// The test does not contain the question.
    case unknownItem(String)
    /// The question was already answered.
    case answeredBefore(String)
}

extension PlacementError: LocalizedError, CustomStringConvertible {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode {
        switch self {
        case .unknownItem: .unknownQuestion
        case .answeredBefore: .answeredBefore
        }
    }

    /// The reason and the remedy, in English.
    public var description: String {
        switch self {
        case .unknownItem(let question):
            "The test has no question \(question)."
        case .answeredBefore(let question):
            "The question \(question) was already answered."
        }
    }

    /// The reason and the remedy, in English.
    public var errorDescription: String? { description }
}
