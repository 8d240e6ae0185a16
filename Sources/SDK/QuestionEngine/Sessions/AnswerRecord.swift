public import ContentModel
public import Foundation

/// The purpose of a session.
public enum SessionMode: String, Sendable, Hashable, Codable, CaseIterable {
    /// Learning: the right answer is shown after each question.
    case study
    /// Testing: answers can be changed until the end.
    case exam
    /// Placement of the learner at a level.
    case placement
}

/// A stored answer; it never changes, and new ones are only appended.
///
/// ```swift
/// let record = AnswerRecord(
///     sessionID: "s1", questionID: "q1", contentVersion: "1", response: ["a"], isCorrect: true,
///     credit: 1, timeTaken: 8, exposuresBefore: 0, mode: .study, isRandomlySelected: false,
///     date: .now)
/// print(record.review.rating)
/// ```
public struct AnswerRecord: Sendable, Hashable, Codable {
    /// The id of the session.
    public var sessionID: String
    /// The question's id.
    public var questionID: String
    /// The id of the question's domain, if it has one.
    public var domain: String?
    /// The version of the question that was shown, see `Question.contentVersion`.
    public var contentVersion: String
    /// The learner's response; empty when the question was skipped.
    public var response: QuestionResponse
    /// True when the response matched the key of that version.
    public var isCorrect: Bool
    /// The credit.
    public var credit: Double
    /// The learner's rating of the recall; `nil` in the two-rating mode.
    public var rating: Rating?
    /// The time that the question was on the screen, in seconds.
    public var timeTaken: TimeInterval
    /// The number of times that the learner had seen the question before.
    public var exposuresBefore: Int
    /// The purpose of the answer.
    public var mode: AnswerMode
    /// True when chance alone selected the question, so that its answer is eligible for
    /// calibration.
    public var isRandomlySelected: Bool
    /// The time of the answer.
    public var date: Date
    /// The minutes by which the learner's zone was then ahead of UTC; `nil` if unknown, as in an imported answer: the
    /// zone of this device counts then.
    public var offsetMinutes: Int?

    /// The key of the answer within its session, which differs each time that the question is asked.
    package var answerKey: String { Self.key(questionID, exposuresBefore) }

    static func key(_ question: String, _ exposuresBefore: Int) -> String {
        "\(question) \(exposuresBefore)"
    }

    /// Creates an answer.
    public init(
        sessionID: String, questionID: String, domain: String? = nil, contentVersion: String,
        response: QuestionResponse,
        isCorrect: Bool, credit: Double, rating: Rating? = nil, timeTaken: TimeInterval,
        exposuresBefore: Int,
        mode: AnswerMode, isRandomlySelected: Bool, date: Date, offsetMinutes: Int? = nil
    ) {
        self.sessionID = sessionID
        self.questionID = questionID
        self.domain = domain
        self.contentVersion = contentVersion
        self.response = response
        self.isCorrect = isCorrect
        self.credit = credit
        self.rating = rating
        self.timeTaken = timeTaken
        self.exposuresBefore = exposuresBefore
        self.mode = mode
        self.isRandomlySelected = isRandomlySelected
        self.date = date
        self.offsetMinutes = offsetMinutes
    }

    /// The chosen options; none for a response of another kind.
    public var optionIDs: [String] { response.optionIDs }

    /// The review that scheduling derives from the answer.
    public var review: Review {
        let rating = rating ?? Rating(isCorrect: isCorrect)
        return offsetMinutes.map { Review(rating, at: date, offsetMinutes: $0) }
            ?? Review(rating, at: date)
    }

    /// Returns the same answer graded by another key, for example after a correction; replay schedules afterwards.
    ///
    /// An answer without a response, or with one that the question does not accept (any more), is unchanged.
    /// - Parameters:
    ///   - question: The question with its corrected key.
    ///   - policy: The scoring policy.
    /// - Returns: The answer with its new credit; the version remains the one that was shown.
    public func regraded(
        against question: Question, policy: ScoringPolicy = ScoringPolicy()
    ) -> AnswerRecord {
        guard !response.isEmpty, question.id == questionID,
            let grade = try? Grading.grade(
                response, to: question, policy: policy, timeTaken: timeTaken)
        else { return self }
        var result = self
        result.isCorrect = grade.isCorrect
        result.credit = grade.credit
        return result
    }
}
