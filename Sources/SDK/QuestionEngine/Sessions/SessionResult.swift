public import Foundation

/// The result of a session.
///
/// ```swift
/// var random = SeededRandom(seed: 1)
/// let session = StudySession(id: "s1", mode: .exam, entries: [], now: .now, using: &random)
/// let result = SessionResult(session, passFraction: 0.7)
/// print(result.total.fraction, result.hasPassed ?? false)
/// ```
public struct SessionResult: Sendable, Hashable, Codable {
    /// A score, of all questions or of one domain.
    public struct Score: Sendable, Hashable, Codable {
        /// The earned credit; negative marking can reduce it below 0.
        public var credit = 0.0
        /// The number of questions; each can earn 1.
        public var questionCount = 0
        /// The number of right answers.
        public var correctCount = 0
        /// The number of unanswered questions.
        public var unansweredCount = 0

        /// The fraction of the credit, at least 0; 0 without questions.
        public var fraction: Double {
            questionCount == 0 ? 0 : max(0, credit) / Double(questionCount)
        }
    }

    /// The score of all questions.
    public var total = Score()
    /// The score of each domain by its id; questions without a domain count only in the total.
    public var domains: [String: Score] = [:]
    /// The total time of the questions on the screen, in seconds.
    public var timeTaken: TimeInterval
    /// True when the pass fraction was reached; `nil` when none is set.
    public var hasPassed: Bool?

    /// Scores a session; unanswered questions earn nothing.
    ///
    /// - Parameters:
    ///   - session: The session, finished or not.
    ///   - passFraction: The fraction of the credit that passes, from 0 to 1.
    public init(_ session: StudySession, passFraction: Double? = nil) {
        timeTaken = session.timeTaken
        for item in session.items {
            total.add(item)
            if let domain = item.domain { domains[domain, default: Score()].add(item) }
        }
        let fraction = total.fraction
        // A fraction such as 0.7 of 10 must not fail for the last bit of a division.
        hasPassed = passFraction.map { fraction >= $0 - 1e-9 }
    }
}

extension SessionResult.Score {
    fileprivate mutating func add(_ item: StudySession.Item) {
        questionCount += 1
        guard let answer = item.answer else {
            unansweredCount += 1
            return
        }
        credit += answer.credit
        if answer.isCorrect { correctCount += 1 }
    }
}
