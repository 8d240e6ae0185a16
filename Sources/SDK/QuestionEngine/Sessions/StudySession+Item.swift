public import ContentModel
public import Foundation

extension StudySession {
    /// A question of the session with its outcome; a repeat has an item of its own.
    public struct Item: Sendable, Hashable, Codable, Identifiable {
        /// The question's id.
        public let questionID: String
        /// The version of its content, see `Question.contentVersion`.
        public let contentVersion: String
        /// The id of its domain, for the result.
        public let domain: String?
        /// The ids of the options in the order in which to show them.
        public let optionOrder: [String]
        /// The number of times that the learner had seen it before, with its verdict.
        public internal(set) var exposuresBefore: Int
        /// True when chance alone selected it.
        public let isRandomlySelected: Bool
        /// The number of the repeat, from 1 to ``StudySession/repeatsMax``; 0 in the question's first place.
        public internal(set) var repetition = 0
        /// True when an answer to it was undone.
        public internal(set) var wasUndone = false
        /// True when the learner flagged it, to return to it.
        public var isFlagged = false
        /// The time that it was on the screen, in seconds.
        public internal(set) var timeTaken: TimeInterval = 0
        /// The answer; `nil` while there is none.
        public internal(set) var answer: Answer?
        /// True when the learner skipped it.
        public internal(set) var isSkipped = false

        /// The item's id, unique in a session: the question's, with the number of the repeat.
        public var id: String { repetition == 0 ? questionID : "\(questionID)#\(repetition)" }
        /// The key of the answer to it, which differs each time that the question is asked.
        package var answerKey: String { AnswerRecord.key(questionID, exposuresBefore) }
        /// True for a question in its first place, which the result of the session counts.
        public var isFirst: Bool { repetition == 0 }
        /// True when it was neither answered nor skipped.
        var isOpen: Bool { answer == nil && !isSkipped }
    }

    /// An answer with its credit.
    public struct Answer: Sendable, Hashable, Codable {
        /// The learner's response.
        public let response: QuestionResponse
        /// True when the response matched the key.
        public let isCorrect: Bool
        /// The credit.
        public let credit: Double
        /// The time of the answer.
        public let date: Date
        /// The rating of the recall; `nil` in a session without ratings, and while a right answer awaits its own.
        public internal(set) var rating: Rating?
        /// The minutes by which the learner's zone was then ahead of UTC; `nil` if unknown.
        public let offsetMinutes: Int?

        /// The chosen options; none for a response of another kind.
        public var optionIDs: [String] { response.optionIDs }
    }
}
