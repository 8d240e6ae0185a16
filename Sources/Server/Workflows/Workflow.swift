package import ContentModel
package import Publishing

/// A task of several steps that a command, a page or a route begins, and that any of them can complete.
///
/// ```swift
/// let confirmation = KeyConfirmation(3, ships: .alone)
/// let outcome = try await confirmation.run(in: workplace, by: actor)
/// ```
package protocol Workflow: Sendable {
    /// Runs the remaining steps.
    ///
    /// - Throws: ``WorkflowError``, or the error of the first step, after which nothing is changed.
    func run(in place: Workplace, by actor: Actor) async throws -> Outcome
}

/// A step that is durable once completed, even if the process ends right after it.
package enum WorkflowStep: Sendable, Hashable, CaseIterable {
    /// The author's file is corrected.
    case corrected
    /// The file is committed to the repository.
    case committed
    /// The decision is stored.
    case decided
    /// A release contains the change.
    case released
    /// The audit log contains the release.
    case recorded
}

/// The end of a workflow.
package struct Outcome: Sendable {
    /// The resulting state, in sentences on separate lines.
    package let sentence: String
    /// The resulting state for programs.
    package let json: JSONValue
    /// The result of the publish; `nil` if none was requested.
    package var summary: PublishSummary?
}

/// A workflow that ended early.
package typealias WorkflowError = CodedError<WorkflowErrorCode>

/// The kind of a ``WorkflowError``, whose message describes the resulting state, and whose cause the reason.
package enum WorkflowErrorCode: String, ErrorCode {
    /// The object does not exist.
    case notFound
    /// The state differs from the expected one; nothing was changed.
    case conflict
    /// Some steps are complete, and another failed.
    case incomplete
}

/// The steps of a workflow that hold so far.
struct StepLog {
    private let place: Workplace
    /// The resulting state so far.
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
