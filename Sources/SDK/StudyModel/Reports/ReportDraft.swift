import Foundation
public import Underway

/// A report that the learner is writing.
///
/// ```swift
/// let draft = ReportDraft(reason: .wrongKey, text: "B is right, too.")
/// await model.send(draft)
/// ```
public struct ReportDraft: Sendable, Hashable {
    /// The reason why a draft was not stored.
    public enum Refusal: Error, Sendable, Hashable, CaseIterable {
        /// The draft has no reason.
        case noReason
        /// "Something else" needs a text.
        case noWords
        /// The text is longer than `QuestionReport.textLengthMax`.
        case tooLong
        /// The learner has reported ``ReportLimit/reportsMax`` questions within a day.
        case tooMany
    }

    /// The chosen reason; `nil` for none.
    public var reason: QuestionReport.Reason?
    /// The typed text.
    public var text: String

    /// Creates a draft.
    public init(reason: QuestionReport.Reason? = nil, text: String = "") {
        self.reason = reason
        self.text = text
    }

    /// Creates a draft with the content of a stored report.
    public init(_ report: QuestionReport) { self.init(reason: report.reason, text: report.text) }

    /// Validates the draft.
    ///
    /// - Returns: The reason, and the text without surrounding spaces and control characters.
    /// - Throws: ``Refusal``.
    public func checked() throws(Refusal) -> (reason: QuestionReport.Reason, text: String) {
        let words = Self.plain(text)
        guard let reason else { throw .noReason }
        guard reason != .other || !words.isEmpty else { throw .noWords }
        guard words.unicodeScalars.count <= QuestionReport.textLengthMax else { throw .tooLong }
        return (reason, words)
    }

    /// Returns a text with line feeds as its line ends, as browsers do not send it.
    private static func plain(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            defer { isAfterReturn = scalar == "\r" }
            if scalar == "\r" || scalar == "\n" {
                if scalar == "\r" || !isAfterReturn { scalars.append("\n") }
            } else if scalar == "\t" || scalar.properties.generalCategory != .control {
                scalars.append(scalar)
            }
        }
        return String(scalars).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
