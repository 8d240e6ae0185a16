public import Foundation

/// What a session came to.
public struct SessionResult: Sendable, Hashable {
    /// A part of the score.
    public struct Score: Sendable, Hashable {
        /// The credit that was earned; negative marking can bring it below 0.
        public var credit = 0.0
        /// How many questions there were; each can earn 1.
        public var questionCount = 0
        /// How many were answered right.
        public var correctCount = 0
        /// How many were not answered.
        public var unansweredCount = 0

        /// The share of the credit, at least 0; 0 without questions.
        public var fraction: Double {
            questionCount == 0 ? 0 : max(0, credit) / Double(questionCount)
        }
    }

    /// All questions together.
    public var total = Score()
    /// Each domain by its id; questions without a domain are only in the total.
    public var domains: [String: Score] = [:]
    /// The seconds that questions were on the screen.
    public var timeTaken: TimeInterval
    /// Whether the share that passes was reached; `nil` where none is set.
    public var hasPassed: Bool?

    /// Adds up a session; what is not answered earns nothing.
    ///
    /// - Parameters:
    ///   - session: The session, finished or not.
    ///   - passFraction: The share of the credit that passes, from 0 to 1.
    public init(_ session: StudySession, passFraction: Double? = nil) {
        timeTaken = session.timeTaken
        for item in session.items {
            total.add(item)
            if let domain = item.domain { domains[domain, default: Score()].add(item) }
        }
        let fraction = total.fraction
        // A share such as 0.7 of 10 must not fail for the last bit of a division.
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
