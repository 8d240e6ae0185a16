import Foundation
package import Ledger

/// The rule that computes a score from the sessions of a period.
///
/// ```swift
/// let rule = BoardRule(counts: .best, modes: ["exam"], questionsMin: 20)
/// let standing = rule.standing(of: sessions)
/// print(standing?.score ?? 0)
/// ```
package struct BoardRule: Sendable, Hashable, Codable {
    /// The counted part of the sessions.
    package enum Counting: String, Sendable, Hashable, Codable, CaseIterable {
        /// The sum of points of all sessions.
        case sum
        /// The points of the best session; the earliest of equal ones.
        case best
    }

    /// The counted part of the sessions.
    package var counts: Counting
    /// True to count only answers to questions that were new to the learner.
    package var firstAttemptsOnly: Bool
    /// The counted modes of sessions, in order; empty for all modes.
    package var modes: [String]
    /// The minimum number of counted answers in a session; shorter sessions do not count.
    package var questionsMin: Int

    package init(
        counts: Counting = .sum, firstAttemptsOnly: Bool = false, modes: [String] = [],
        questionsMin: Int = 1
    ) {
        self.counts = counts
        self.firstAttemptsOnly = firstAttemptsOnly
        self.modes = modes.sorted()
        self.questionsMin = questionsMin
    }

    /// Returns the standing that a learner's sessions of one period reach.
    ///
    /// - Parameter sessions: The sessions of one learner in any order.
    /// - Returns: The score and the second in which it was reached; `nil` if no session counts.
    package func standing(of sessions: some Sequence<SessionScore>) -> BoardStanding? {
        var standing: BoardStanding?
        for session in sessions {
            let answers = firstAttemptsOnly ? session.firstAnswers : session.answers
            guard answers >= max(1, questionsMin), modes.isEmpty || modes.contains(session.mode)
            else { continue }
            let points = max(0, firstAttemptsOnly ? session.firstPoints : session.points)
            let one = BoardStanding(score: points, second: session.endedAt / 1000)
            switch (counts, standing) {
            case (_, nil): standing = one
            case (.sum, let known?):
                standing = BoardStanding(
                    score: known.score + one.score, second: max(known.second, one.second))
            case (.best, let known?):
                if one.key < known.key { standing = one }
            }
        }
        return standing
    }
}

/// A score, and the second in which it was reached.
package struct BoardStanding: Sendable, Hashable {
    /// The largest score that a board distinguishes.
    package static let scoreMax = Int(Int32.max)
    /// The last second that a board distinguishes, in the year 2106.
    package static let secondMax = Int64(UInt32.max)

    /// The score, from 0 to `scoreMax`.
    package let score: Int
    /// The second in which it was reached, since 1970.
    package let second: Int64

    package init(score: Int, second: Int64) {
        self.score = min(max(0, score), Self.scoreMax)
        self.second = min(max(0, second), Self.secondMax)
    }

    /// Decodes a key.
    package init(key: Int64) {
        self.init(score: Self.scoreMax - Int(key >> 32), second: key & Self.secondMax)
    }

    /// The sort key of a board: the highest score first, then the earlier second.
    ///
    /// | score | second | key |
    /// |---|---|---|
    /// | 2³¹ − 1 | 0 | 0 |
    /// | 2³¹ − 1 | 7 | 7 |
    /// | 2³¹ − 2 | 7 | 2³² + 7 |
    /// | 0 | 0 | (2³¹ − 1) · 2³² |
    package var key: Int64 { Int64(Self.scoreMax - score) << 32 | second }
}
