import Foundation

/// An error of building a table.
///
/// ```swift
/// let items = [ResponseMatrix.Item(id: "q1", responses: ["a"], key: 0)]
/// do throws(AnswerTableError) {
///     _ = try ResponseMatrix(items: items, person: [], item: [], response: [])
/// } catch {
///     print(error.code == .tooFewResponses, error.localizedDescription)
/// }
/// ```
public struct AnswerTableError: EngineError {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode
    /// The mistake and its remedy, in English.
    public var message: String
    /// The question that the error concerns, if any.
    public var item: String?
    /// The row, from 0, that the error concerns, if any.
    public var row: Int?
}

extension AnswerTableError {
    /// Reports that the published key of the question is not among its responses.
    public static func keyOutOfRange(item: String) -> Self {
        Self(
            code: .brokenKey,
            message:
                "The key of the question \(item) is not among its responses: correct it, or leave the"
                + " question out.", item: item)
    }

    /// Reports that the question has fewer than two responses.
    public static func tooFewResponses(item: String) -> Self {
        Self(
            code: .tooFewResponses,
            message:
                "The question \(item) has fewer than two responses: list all of them, or leave the"
                + " question out.", item: item)
    }

    /// Reports that the row names an unknown question; rows count from 0.
    public static func unknownItem(row: Int) -> Self {
        Self(
            code: .unknownQuestion,
            message:
                "The row \(row) names an unknown question: leave the row out, or add the question.",
            row: row)
    }

    /// Reports that the row names an unknown response of its question.
    public static func unknownResponse(item: String, row: Int) -> Self {
        Self(
            code: .unknownOption,
            message:
                "The row \(row) names an unknown response of the question \(item): leave the row out, or"
                + " add the response.", item: item, row: row)
    }

    /// The error of columns of different lengths, or with a negative number of a person.
    public static var malformedColumns: Self {
        Self(
            code: .malformedTable,
            message:
                "The columns have different lengths, or the number of a person is negative: give one"
                + " value of each for each row.")
    }
}
