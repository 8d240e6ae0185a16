import Foundation

/// An error of a step.
///
/// ```swift
/// do throws(StudySessionError) {
///     try session.answer(.options(["a"]), to: question, now: now)
/// } catch {
///     switch error.code {
///     case .sessionPaused: print("Continue first.")
///     case .noQuestionLeft: print("That was the last question.")
///     default: print(error.localizedDescription)
///     }
/// }
/// ```
public struct StudySessionError: EngineError {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode
    /// The mistake and its remedy, in English.
    public var message: String
    /// The question that the error concerns, if any.
    public var question: String?
    /// The index of the question, if the session has none with it.
    public var index: Int?
    /// The error of grading, if the response cannot be graded.
    public var grading: GradingError?

    /// The error of grading, if any.
    public var cause: (any Error)? { grading }
}

extension StudySessionError {
    /// The error of a paused session.
    public static var paused: Self {
        Self(
            code: .sessionPaused,
            message: "The session is paused: resume it first.")
    }

    /// The error of a session that is over.
    public static var finished: Self {
        Self(
            code: .sessionFinished,
            message: "The session is over: begin another one.")
    }

    /// The error of a session without an open question.
    public static var nothingLeft: Self {
        Self(
            code: .noQuestionLeft,
            message: "No question of the session is open: finish it.")
    }

    /// Reports that no question has that index.
    public static func noSuchItem(_ index: Int) -> Self {
        Self(
            code: .unknownQuestion,
            message:
                "The session has no question with the index \(index): take one of the indices of its items.",
            index: index)
    }

    /// Reports that the question is not the one on the screen.
    public static func notOnScreen(question: String) -> Self {
        Self(
            code: .notOnScreen,
            message: "The question \(question) is not on the screen: go to it first.",
            question: question)
    }

    /// Reports that the question was answered, and answers of this mode are final.
    public static func answeredBefore(question: String) -> Self {
        Self(
            code: .answeredBefore,
            message:
                "The question \(question) was answered, and answers of this mode are final: go to the"
                + " next one.", question: question)
    }

    /// Reports that no answer to the question awaits a rating, or it was rated already.
    public static func ratingNotAwaited(question: String) -> Self {
        Self(
            code: .ratingNotAwaited,
            message:
                "The answer to the question \(question) awaits no rating: rate a right answer once, before"
                + " the next step.", question: question)
    }

    /// The error of an undo in an exam or a placement test.
    public static var examNotUndoable: Self {
        Self(code: .notUndoable, message: "An exam's answers cannot be undone.")
    }

    /// The error of an undo of an answer that was given on another learner's day.
    public static var ofAnotherDay: Self {
        Self(code: .notUndoable, message: "This answer is of another day.")
    }

    /// The error of an undo without an answer that can be undone.
    public static var nothingToUndo: Self {
        Self(code: .notUndoable, message: "There is nothing to undo.")
    }

    /// Reports that the response cannot be graded, with the code and the message of `error`.
    public static func grading(_ error: GradingError) -> Self {
        Self(
            code: error.code,
            message: error.message, question: error.question, grading: error)
    }
}
