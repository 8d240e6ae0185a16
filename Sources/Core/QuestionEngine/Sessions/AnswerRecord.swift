public import ContentModel
public import Foundation

/// What a session is for.
public enum SessionMode: String, Sendable, Hashable, Codable, CaseIterable {
    /// To learn: the right answer is shown at once.
    case study
    /// To be tested: answers can be changed until the end.
    case exam
    /// To be placed at a level.
    case placement
}

/// One answer as it is kept for ever: never changed, only added.
public struct AnswerRecord: Sendable, Hashable, Codable {
    /// The session in which it was given.
    public var sessionID: String
    /// The question.
    public var questionID: String
    /// The question's domain, where it has one.
    public var domain: String?
    /// The checksum or version of the content that was shown.
    public var contentVersion: String
    /// The learner's response; empty when it was skipped.
    public var response: QuestionResponse
    /// Whether it matched the key of that content.
    public var isCorrect: Bool
    /// What it was worth.
    public var credit: Double
    /// How well it was recalled, where the learner was asked; `nil` in the two-rating mode.
    public var rating: Rating?
    /// The seconds that the question was on the screen.
    public var timeTaken: TimeInterval
    /// How often the learner had seen the question before.
    public var exposuresBefore: Int
    /// What the session was for.
    public var mode: SessionMode
    /// True when chance alone chose the question, so that its answer is eligible for calibration.
    public var isRandomlySelected: Bool
    /// When it was given.
    public var date: Date

    /// Describes an answer.
    public init(
        sessionID: String, questionID: String, domain: String? = nil, contentVersion: String,
        response: QuestionResponse,
        isCorrect: Bool, credit: Double, rating: Rating? = nil, timeTaken: TimeInterval,
        exposuresBefore: Int,
        mode: SessionMode, isRandomlySelected: Bool, date: Date
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
    }

    /// The chosen options; none for a response of another kind.
    public var optionIDs: [String] { response.optionIDs }

    /// The review that scheduling makes of it.
    public var review: Review { Review(rating ?? Rating(isCorrect: isCorrect), at: date) }

    /// The same answer judged by another key, as after a correction; replay schedules afterwards.
    ///
    /// An answer without a response, or with one that the question does not take (any more), stays
    /// as it is.
    /// - Parameters:
    ///   - question: The question with its corrected key.
    ///   - policy: How answers are worth.
    /// - Returns: The answer with its new worth; the version stays that of what was shown.
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

extension AnswerRecord {
    /// Names as earlier versions wrote them, so that what they kept reads on.
    private enum CodingKeys: String, CodingKey {
        case sessionID, questionID, domain, contentVersion, isCorrect, credit, rating, timeTaken
        case exposuresBefore, mode, isRandomlySelected, date
        case response = "optionIDs"
    }
}
