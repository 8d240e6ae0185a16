/// The result of filling the tables from a release directory.
package enum FillOutcome: Sendable {
    /// The tables already contain this release or a later one.
    case current
    /// Another process is filling the tables.
    case locked
    /// The tables now contain the release.
    case filled(FillReport)
}

/// The rows that a fill changed.
package struct FillReport: Sendable {
    /// The release in the tables.
    package var release: Int
    /// The last revision; unchanged if no exam changed.
    package var revision: Int64
    /// The new and changed exams.
    package var changed: [ExamKey] = []
    /// The removed exams.
    package var removed: [ExamKey] = []
    /// The number of questions written.
    package var questionsWritten = 0
    /// The number of questions removed, except those of removed exams.
    package var questionsRemoved = 0
    /// The questions that are left out: of a type that this version does not support, or with U+0000, which PostgreSQL
    /// cannot store.
    package var leftOut: [String] = []
}
