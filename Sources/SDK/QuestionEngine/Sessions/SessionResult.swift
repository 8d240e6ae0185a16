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

    /// The score of all questions in their first places, also if an answer was undone and given anew.
    public var total = Score()
    /// The score of the questions that were asked again and answered, each by its last repeat.
    public var again = Score()
    /// The score of each domain by its id; questions without a domain count only in the total.
    public var domains: [String: Score] = [:]
    /// The total time of the questions on the screen, in seconds.
    public var timeTaken: TimeInterval
    /// True when the pass fraction was reached; `nil` when none is set.
    public var hasPassed: Bool?

    /// Scores a session; unanswered questions earn nothing, and repeats count in ``again`` alone.
    ///
    /// - Parameters:
    ///   - session: The session, finished or not.
    ///   - passFraction: The fraction of the credit that passes, from 0 to 1.
    public init(_ session: StudySession, passFraction: Double? = nil) {
        timeTaken = session.timeTaken
        for item in session.items where item.isFirst {
            total.add(item)
            if let domain = item.domain { domains[domain, default: Score()].add(item) }
        }
        for item in session.lastRepeats { again.add(item) }
        let fraction = total.fraction
        // A fraction such as 0.7 of 10 must not fail for the last bit of a division.
        hasPassed = passFraction.map { fraction >= $0 - 1e-9 }
    }
}

extension StudySession {
    /// The last answered repeat of each question that has one.
    fileprivate var lastRepeats: [Item] {
        let answered = items.filter { !$0.isFirst && $0.answer != nil }
        let last = Dictionary(
            answered.map { ($0.questionID, $0.repetition) }, uniquingKeysWith: max)
        return answered.filter { $0.repetition == last[$0.questionID] }
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
