/// The request of a command for a release.
struct PublishRequest: Sendable {
    /// The commands, by what they make a release of.
    enum Action: Sendable, Hashable {
        /// Reports the effect of a publish.
        case look
        /// Publishes the content folder.
        case publish
        /// Makes the content of an older release current under a new number.
        case rollback(to: Int)
        /// Gives the current content to other devices.
        case rollout
    }

    /// The command.
    var action: Action
    /// Its options.
    var publisher: Publisher
    /// The time in RFC 3339, for the manifest.
    var generatedAt = ""
}
