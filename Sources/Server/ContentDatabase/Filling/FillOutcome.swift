/// The result of filling the tables from a release directory.
package enum FillOutcome: Sendable {
    /// The tables already show this release, or a later one.
    case current
    /// Another process fills the tables at this moment.
    case locked
    /// The tables show the release now.
    case filled(FillReport)
}

/// The rows that a fill changed.
package struct FillReport: Sendable {
    /// The release that the tables show.
    package var release: Int
    /// The last revision; the former one when no exam changed.
    package var revision: Int64
    /// The exams that are new or changed.
    package var changed: [ExamKey] = []
    /// The exams that are gone.
    package var removed: [ExamKey] = []
    /// The number of questions written.
    package var questionsWritten = 0
    /// The number of questions removed, without those of removed exams.
    package var questionsRemoved = 0
    /// The questions that are left out: of a type that this version does not know, or with U+0000,
    /// which PostgreSQL cannot store.
    package var leftOut: [String] = []
}
