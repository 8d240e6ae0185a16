public import Underway

/// A question of a subject, outside of a session.
///
/// The key is shown only after the learner has answered the question once: the list of a bank must not give away what a
/// session would ask. While an open exam or placement test asks the question, its key is hidden again.
public struct QuestionScreen: Sendable, Hashable {
    /// The reason why the key is hidden.
    public enum Secret: Sendable, Hashable {
        /// The learner has not answered the question.
        case unanswered
        /// An open exam or placement test asks it.
        case asked

        /// The key of its sentence.
        public var key: String {
            switch self {
            case .unanswered: "questions.keyAfterAnswer"
            case .asked: "questions.keyAfterSession"
            }
        }
    }

    /// The language or exam.
    public var subject: Subject
    /// The question.
    public var question: Question
    /// The options in the order in which they are shown: the right order of an ordering whose key is shown.
    public var options: [QuestionOption]
    /// The title of the question's domain.
    public var domain: String?
    /// The label of the question's difficulty.
    public var level: String?
    /// The reason why the key is hidden; `nil` when it is shown.
    public var secret: Secret?
    /// True if the last answer was right; `nil` for a question without an answer.
    public var isLastRight: Bool?
    /// True for a saved question.
    public var isSaved: Bool
    /// The learner's note; `nil` for none.
    public var note: String?
    /// The record that sets the question aside; `nil` for one that study asks.
    public var setAside: SetAsideQuestion?
    /// The files of the images of the question and its options, by their names, without those that the release lacks.
    public var images: [String: Checksum]
    /// The sizes of the images that are on the device, by name.
    public var pictureSizes: [String: PictureSize] = [:]
    /// The clip of the question; `nil` for none, or one that the release lacks.
    public var clip: QuestionClip?

    /// The subject, the domain and the level.
    public var crumbs: String {
        [subject.title, domain, level].compactMap { $0 }.joined(separator: " · ")
    }

    /// Returns what the learner did with the question: "last answer wrong · saved · with a note".
    public func standing(_ words: StudyText) -> String {
        question.standing(
            isLastRight, isSaved: isSaved, hasNote: note != nil,
            isAside: setAside != nil, words)
    }

    /// Returns true for a right option whose key is shown.
    public func isRight(_ option: QuestionOption) -> Bool {
        secret == nil && question.correctOptionIDs.contains(option.id)
    }

    /// Returns the sentence with the right number; `nil` for a question with options and for a hidden key.
    public func rightNumber(_ formats: StudyFormats) -> String? {
        guard secret == nil, let number = question.correctNumber else { return nil }
        return formats.words.text("questions.rightNumber", ["answer": formats.text(number)])
    }
}
