/// The audio of a language that a ``DeviceSync`` could not fetch.
package struct UnfetchedAudio: Sendable, Hashable {
    /// The language as requested.
    package var language: String
    /// The reason; `notFound` when the installed release has no audio of the language.
    package var failure: SyncError

    /// Creates an entry.
    package init(language: String, failure: SyncError) {
        self.language = language
        self.failure = failure
    }

    /// One sentence with the language, and the reason.
    package var text: String { "The audio of \(language) is not here. \(failure.message)" }
}
