import ContentModel

/// The name of an exam: its region and its own.
///
/// ```swift
/// let exam = ExamKey("de/aws-saa")
/// print(exam?.region ?? "no exam", ExamKey("de") == nil)
/// ```
package struct ExamKey: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The id of the region.
    package let region: String
    /// The id of the exam in its region.
    package let exam: String

    /// Parses `region/exam`.
    ///
    /// - Returns: `nil` unless both are ids.
    package init?(_ text: some StringProtocol) {
        guard let key = Identifier.examKey(text) else { return nil }
        (region, exam) = key
    }

    /// The form `region/exam`.
    package var description: String { "\(region)/\(exam)" }

    /// Orders by region, then by exam.
    package static func < (left: ExamKey, right: ExamKey) -> Bool {
        (left.region, left.exam) < (right.region, right.exam)
    }
}
