public import Foundation
import Underway

/// The reason why a screen cannot show or do something: a kind for the text, and the details.
///
/// ```swift
/// let problem = StudyProblem(.notSaved, details: "The disk is full.")
/// print(problem.code.rawValue)
/// ```
public struct StudyProblem: LocalizedError, Sendable, Hashable {
    /// The kind of problem; each has a sentence.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The session, subject or message is not on this device.
        case notFound
        /// The answer or choice could not be written; earlier data is safe.
        case notSaved
        /// Stored data cannot be read.
        case unreadable
        /// There is no network, or the host did not reply.
        case offline
        /// The data has changed in the meantime: reload the screen.
        case changed
        /// The session has ended.
        case ended
        /// The question was answered in another window, or by another process.
        case answeredElsewhere
        /// An exam's answers cannot be undone.
        case examNotUndoable
        /// The answer was given on another learner's day, so it cannot be undone.
        case ofAnotherDay
        /// No answer can be undone.
        case nothingToUndo
        /// Nothing was chosen or entered.
        case noResponse
        /// The entered text is not a number.
        case noNumber
        /// The entered number is ambiguous, as 1,234 is.
        case ambiguousNumber
        /// There is no question to ask.
        case nothingToAsk
    }

    /// The kind.
    public var code: Code
    /// The message of the SDK's error, for a details element.
    public var details: String

    /// Creates a problem.
    public init(_ code: Code, details: String = "") {
        self.code = code
        self.details = details
    }

    /// Creates the problem of an error of the SDK.
    public init(_ error: any Error) {
        switch error {
        case let problem as StudyProblem: self = problem
        case let error as StoreError: self.init(Self.code(of: error), details: error.message)
        case let error as SyncError: self.init(.offline, details: error.message)
        case let error as StudySessionError: self.init(Self.code(of: error), details: error.message)
        default: self.init(.unreadable, details: error.localizedDescription)
        }
    }

    /// The details.
    public var errorDescription: String? { details }

    private static func code(of error: StoreError) -> Code {
        switch error.code {
        case .notFound, .incomplete, .outdated: .notFound
        case .refused: .changed
        case .damaged: .unreadable
        default: .notSaved
        }
    }

    private static func code(of error: StudySessionError) -> Code {
        guard error.grading == nil else { return .noResponse }
        return switch error {
        case .finished: .ended
        case .examNotUndoable: .examNotUndoable
        case .ofAnotherDay: .ofAnotherDay
        case .nothingToUndo: .nothingToUndo
        default: .changed
        }
    }
}
