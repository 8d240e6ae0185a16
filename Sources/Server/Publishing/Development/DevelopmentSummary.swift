public import ContentModel
import ServiceAPI

/// A ``DevelopmentOutcome`` as a value with the JSON form of `dev --json`.
public struct DevelopmentSummary: Sendable, Hashable, Codable {
    /// The current release; `nil` if nothing was published.
    public var release: Int?
    /// The reason why nothing was published: `contentErrors`, or a sentence.
    public var failure: String?
    /// The readable paths that changed.
    public var changed: [String]
    /// The problems of the content.
    public var problems: [Problem]
    /// The time from the change to the end of the publish, in milliseconds.
    public var milliseconds: Int

    /// Summarizes an outcome.
    public init(_ outcome: DevelopmentOutcome) {
        switch outcome.event {
        case .release(let number): release = number
        case .problems: failure = "contentErrors"
        case .failure(let reason): failure = reason
        }
        changed = outcome.changed
        problems = outcome.problems
        milliseconds = Int(outcome.duration / .milliseconds(1))
    }
}
