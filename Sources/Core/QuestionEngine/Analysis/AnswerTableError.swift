public import Foundation

/// An error of building a table.
///
/// ```swift
/// let items = [AnswerTable.Item(id: "q1", responses: ["a"], key: 0)]
/// do throws(AnswerTableError) {
///     _ = try AnswerTable(items: items, person: [], item: [], response: [])
/// } catch {
///     print(error.code == .tooFewResponses, error.localizedDescription)
/// }
/// ```
public enum AnswerTableError: Error, Hashable, Sendable {
    /// The published key of the question is not among its responses.
    case keyOutOfRange(item: String)
    /// The question has fewer than two responses.
    case tooFewResponses(item: String)
    /// The row names an unknown question; rows count from 0.
    case unknownItem(row: Int)
    /// The row names an unknown response of its question.
    case unknownResponse(item: String, row: Int)
    /// The columns have different lengths, or a person's number is negative.
    case malformedColumns
}

extension AnswerTableError: LocalizedError, CustomStringConvertible {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode {
        switch self {
        case .keyOutOfRange: .brokenKey
        case .tooFewResponses: .tooFewResponses
        case .unknownItem: .unknownQuestion
        case .unknownResponse: .unknownOption
        case .malformedColumns: .malformedTable
        }
    }

    /// The reason and the remedy, in English.
    public var description: String {
        switch self {
        case .keyOutOfRange(let item):
            "The key of the question \(item) is not among its responses."
        case .tooFewResponses(let item):
            "The question \(item) has fewer than two responses."
        case .unknownItem(let row):
            "The row \(row) names an unknown question."
        case .unknownResponse(let item, let row):
            "The row \(row) names an unknown response of the question \(item)."
        case .malformedColumns:
            "The columns have different lengths, or the number of a person is negative."
        }
    }

    /// The reason and the remedy, in English.
    public var errorDescription: String? { description }
}
