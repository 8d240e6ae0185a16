import Ledger
package import UserData

/// A stored answer to a version of a question that a correction names.
package struct CorrectedAnswer: Sendable {
    /// The number of the device, within the database or its account.
    package var device: Int64
    /// The number of the answer.
    package var counter: Int64
    /// The answer as it was stored.
    package var row: AnswerRow

    package init(device: Int64, counter: Int64, row: AnswerRow) {
        self.device = device
        self.counter = counter
        self.row = row
    }
}

/// The regrade of a stored answer, which stays unchanged, and its effect on sums.
package struct RegradedAnswer: Sendable, Hashable {
    /// The number of the device, within the database or its account.
    package var device: Int64
    /// The number of the answer.
    package var counter: Int64
    /// The bank of the question.
    package var bank: String
    /// The number of the session, see `SessionScore.session`.
    package var session: Int64
    /// The day, in days since 1970.
    package var day: Int64
    /// The domain; empty for none.
    package var domain: String
    /// The new grade.
    package var grade: ServedCorrections.Grade
    /// The change of the number of right answers: -1, 0 or 1.
    package var correct: Int
    /// The change of the points.
    package var points: Int
    /// The change of the points of first answers.
    package var firstPoints: Int

    package init(
        device: Int64, counter: Int64, bank: String, session: Int64, day: Int64, domain: String,
        grade: ServedCorrections.Grade, correct: Int, points: Int, firstPoints: Int
    ) {
        self.device = device
        self.counter = counter
        self.bank = bank
        self.session = session
        self.day = day
        self.domain = domain
        self.grade = grade
        self.correct = correct
        self.points = points
        self.firstPoints = firstPoints
    }
}

extension RegradedAnswer {
    /// Describes the new grade of an answer.
    init(_ answer: CorrectedAnswer, _ grade: ServedCorrections.Grade) {
        let row = answer.row
        let points = SessionScore.points(of: grade.credit) - SessionScore.points(of: row.credit)
        self.init(
            device: answer.device, counter: answer.counter, bank: row.bank,
            session: SessionScore.number(of: row.session, mode: row.mode),
            day: min(row.milliseconds / 86_400_000, AnswerTally.dayMax), domain: row.domain ?? "",
            grade: grade, correct: (grade.isCorrect ? 1 : 0) - (row.isCorrect ? 1 : 0),
            points: points, firstPoints: row.exposuresBefore == 0 ? points : 0)
    }
}

/// The decision about the regrades of one account: a function of its answers and the corrections, so that a second
/// application changes nothing.
package struct RegradePlan: Sendable {
    /// The grades to write.
    package private(set) var written: [RegradedAnswer] = []
    /// The stored regrades that have become obsolete.
    package private(set) var removed: [RegradedAnswer] = []
    /// The stored regrades that `written` replaces.
    package private(set) var replaced: [RegradedAnswer] = []

    /// True when nothing changes.
    package var isEmpty: Bool { written.isEmpty && removed.isEmpty }
    /// The number of answers whose grade changes.
    package var count: Int { written.count + removed.count }

    private struct Place: Hashable {
        var device: Int64
        var counter: Int64
    }

    /// Plans the regrades.
    ///
    /// - Parameters:
    ///   - answers: The account's answers to versions that corrections name.
    ///   - known: The stored regrades of its answers.
    ///   - corrections: The corrections.
    package init(
        _ answers: [CorrectedAnswer], known: [RegradedAnswer], _ corrections: ServedCorrections
    ) {
        var left = Dictionary(
            known.map { (Place(device: $0.device, counter: $0.counter), $0) },
            uniquingKeysWith: { $1 })
        for answer in answers {
            let row = answer.row
            let version = ServedCorrections.Version(
                bank: row.bank, question: row.question, version: row.version)
            let grade = corrections.grade(
                version, row.options, .init(isCorrect: row.isCorrect, credit: row.credit))
            guard let grade else { continue }
            let new = RegradedAnswer(answer, grade)
            let old = left.removeValue(
                forKey: Place(device: answer.device, counter: answer.counter))
            guard old != new else { continue }
            written.append(new)
            if let old { replaced.append(old) }
        }
        removed = Array(left.values)
        // In one order everywhere, so that two processes do not wait for each other.
        written.sort { ($0.device, $0.counter) < ($1.device, $1.counter) }
        removed.sort { ($0.device, $0.counter) < ($1.device, $1.counter) }
    }
}
