public import Foundation

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
public enum StudySessionError: Error, Hashable, Sendable {
    /// The session is paused.
    case paused
    /// The session is over.
    case finished
    /// No question is left.
    case nothingLeft
    /// No question has that index.
    case noSuchItem(Int)
    /// The question is not the one on the screen.
    case notOnScreen(question: String)
    /// The question was answered, and answers of this mode are final.
    case answeredBefore(question: String)
    /// The answer cannot be graded.
    case grading(GradingError)
}

extension StudySessionError: LocalizedError, CustomStringConvertible {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode {
        switch self {
        case .paused: .sessionPaused
        case .finished: .sessionFinished
        case .nothingLeft: .noQuestionLeft
        case .noSuchItem: .unknownQuestion
        case .notOnScreen: .notOnScreen
        case .answeredBefore: .answeredBefore
        case .grading(let error): error.code
        }
    }

    /// The reason and the remedy, in English.
    public var description: String {
        switch self {
        case .paused:
            "The session is paused: resume it first."
        case .finished:
            "The session is over: begin another one."
        case .nothingLeft:
            "No question of the session is open: finish it."
        case .noSuchItem(let index):
            "The session has no question with the index \(index)."
        case .notOnScreen(let question):
            "The question \(question) is not on the screen: go to it first."
        case .answeredBefore(let question):
            "The question \(question) was answered, and answers of this mode are final."
        case .grading(let error):
            error.description
        }
    }

    /// The reason and the remedy, in English.
    public var errorDescription: String? { description }
}
