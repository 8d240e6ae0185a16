package import ContentModel
package import Publishing

/// A piece of work of several steps, which a command, a page or a route begins, and any of them finishes.
///
/// ```swift
/// let confirmation = KeyConfirmation(3, ships: .alone)
/// let outcome = try await confirmation.run(in: workplace, by: actor)
/// ```
package protocol Workflow: Sendable {
    /// Takes the steps that are not taken yet.
    ///
    /// - Throws: ``WorkflowError``, and what a first step throws; nothing is changed by that one then.
    func run(in place: Workplace, by actor: Actor) async throws -> Outcome
}

/// A step that holds once it was taken, also when the process ends right after it.
package enum WorkflowStep: Sendable, Hashable, CaseIterable {
    /// The author's file is right.
    case corrected
    /// The repository has the file.
    case committed
    /// The decision is stored.
    case decided
    /// A release has the change.
    case released
    /// The audit log has the release.
    case recorded
}

/// The end of a workflow.
package struct Outcome: Sendable {
    /// What is so now, in sentences on lines of their own.
    package let sentence: String
    /// The same for programs.
    package let json: JSONValue
    /// What a publish did; `nil` where none was asked for.
    package var summary: PublishSummary?
}

/// A workflow that ended early.
package typealias WorkflowError = CodedError<WorkflowErrorCode>

/// The kind of a ``WorkflowError``, whose message says what is so and what is not, and whose cause says why.
package enum WorkflowErrorCode: String, ErrorCode {
    /// There is no such thing.
    case notFound
    /// Something else is so than was asked for; nothing was changed.
    case conflict
    /// Steps hold, and another failed.
    case incomplete
}

/// The steps of a workflow that hold so far.
struct StepLog {
    private let place: Workplace
    /// What is so by now.
    private(set) var sentences: [String] = []

    init(_ place: Workplace) { self.place = place }

    /// Takes a step: looks whether it holds, and else does what it takes.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - otherwise: What is not so when it fails.
    ///   - body: Takes it; returns a value, and what is so then.
    /// - Returns: The value.
    /// - Throws: The step's error; `WorkflowError` `incomplete` when others hold.
    mutating func take<Value: Sendable>(
        _ step: WorkflowStep, otherwise: String,
        _ body: () async throws -> (Value, sentence: String?)
    ) async throws -> Value {
        let taken: (value: Value, sentence: String?)
        do { taken = try await body() } catch {
            guard !sentences.isEmpty else { throw error }
            let message = (sentences + [otherwise]).joined(separator: " ")
                .replacing("\n", with: " ")
            throw WorkflowError(.incomplete, message, cause: error)
        }
        if let sentence = taken.sentence { sentences.append(sentence) }
        try place.reached(step)
        return taken.value
    }
}
