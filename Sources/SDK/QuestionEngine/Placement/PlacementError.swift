import Foundation

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
public struct PlacementError: EngineError {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode
    /// The mistake and its remedy, in English.
    public var message: String
    /// The question.
    public var question: String
}

extension PlacementError {
    /// Reports that the test does not contain the question.
    public static func unknownItem(_ question: String) -> Self {
        Self(
            code: .unknownQuestion,
            message: "The test has no question \(question): record the one that it asks next.",
            question: question)
    }

    /// Reports that the question was already answered.
    public static func answeredBefore(_ question: String) -> Self {
        Self(
            code: .answeredBefore,
            message: "The question \(question) was already answered: record each question once.",
            question: question)
    }
}
