import Crypto
import Foundation
package import ServiceAPI

/// The sums of a session's answers in one bank, the source of every board.
///
/// Penalties can make points negative; a board counts such a session as 0.
package struct SessionScore: Sendable, Hashable {
    /// The points of a right answer; partial credit gets its share, rounded.
    package static let pointsOfRightAnswer = 10.0

    /// The number of the session within its account: the first 8 bytes of SHA-256 over its id and mode.
    package var session: Int64
    /// The bank of the questions.
    package var bank: String
    /// The purpose of the session, such as `exam`.
    package var mode: String
    /// The number of answers.
    package var answers: Int
    /// The points of all answers.
    package var points: Int
    /// The number of answers to questions that were new to the learner.
    package var firstAnswers: Int
    /// The points of those answers.
    package var firstPoints: Int
    /// The time of the last answer, in milliseconds since 1970, at most the time of its arrival.
    package var endedAt: Int64

    package init(
        session: Int64, bank: String, mode: String, answers: Int = 0, points: Int = 0,
        firstAnswers: Int = 0, firstPoints: Int = 0, endedAt: Int64 = 0
    ) {
        self.session = session
        self.bank = bank
        self.mode = mode
        self.answers = answers
        self.points = points
        self.firstAnswers = firstAnswers
        self.firstPoints = firstPoints
        self.endedAt = endedAt
    }

    /// Returns the points of a credit, at most those of one right answer.
    package static func points(of credit: Double) -> Int {
        Int((min(1, max(-1, credit)) * pointsOfRightAnswer).rounded())
    }

    private mutating func add(_ answer: EncodedAnswers.Row, now: Int64) {
        let points = Self.points(of: answer.credit)
        answers += 1
        self.points += points
        if answer.exposuresBefore == 0 {
            firstAnswers += 1
            firstPoints += points
        }
        // A clock that is ahead would place the session into a period that has not begun.
        endedAt = max(endedAt, min(answer.milliseconds, now))
    }
}

extension SessionScore {
    private struct Key: Hashable {
        var session: Int32
        var bank: String
    }

    /// Sums answers by session and bank.
    ///
    /// Cost: O(answers), with one hash for each distinct session.
    /// - Parameters:
    ///   - answers: The new answers of one account; repeats and retractions do not count.
    ///   - now: The time of their arrival, in milliseconds since 1970.
    /// - Returns: The sums to add, ordered by bank and session.
    package static func sums(_ answers: EncodedAnswers, now: Int64) -> [SessionScore] {
        let answers = answers.withoutRepeats
        var numbers = [Int64?](repeating: nil, count: answers.sessions.count)
        var sums: [Key: SessionScore] = [:]
        for case let row? in answers.rows {
            let session = answers.sessions[Int(row.session)]
            let bank = answers.questions[Int(row.question)].bank
            let number = numbers[Int(row.session)] ?? Self.number(of: session)
            numbers[Int(row.session)] = number
            sums[
                Key(session: row.session, bank: bank),
                default: SessionScore(session: number, bank: bank, mode: session.mode)
            ].add(row, now: now)
        }
        return merged(Array(sums.values))
    }

    /// Returns what answers that are taken back add to the sums: less than nothing.
    ///
    /// The time of the session's end stays.
    package static func subtracted(_ answers: EncodedAnswers) -> [SessionScore] {
        sums(answers, now: 0).map { sum in
            SessionScore(
                session: sum.session, bank: sum.bank, mode: sum.mode, answers: -sum.answers,
                points: -sum.points, firstAnswers: -sum.firstAnswers,
                firstPoints: -sum.firstPoints)
        }
    }

    /// Merges sums of the same session and bank.
    ///
    /// - Returns: The merged sums, ordered by bank and session.
    package static func merged(_ sums: [SessionScore]) -> [SessionScore] {
        var merged: [SessionScore] = []
        for sum in sums.sorted(by: { ($0.bank, $0.session) < ($1.bank, $1.session) }) {
            guard let last = merged.indices.last, merged[last].bank == sum.bank,
                merged[last].session == sum.session
            else {
                merged.append(sum)
                continue
            }
            merged[last].answers += sum.answers
            merged[last].points += sum.points
            merged[last].firstAnswers += sum.firstAnswers
            merged[last].firstPoints += sum.firstPoints
            merged[last].endedAt = max(merged[last].endedAt, sum.endedAt)
        }
        return merged
    }

    private static func number(of session: EncodedAnswers.Session) -> Int64 {
        number(of: session.session, mode: session.mode)
    }

    /// Returns the number of a session.
    package static func number(of session: String, mode: String) -> Int64 {
        Int64(hashOf: "\(session)\0\(mode)")
    }
}

extension Int64 {
    /// The number in the place of a text: the first 8 bytes of its SHA-256.
    init(hashOf text: String) {
        self = SHA256.hash(data: Data(text.utf8)).prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}
