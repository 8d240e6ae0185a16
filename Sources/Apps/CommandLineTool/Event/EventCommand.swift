import ArgumentParser
import Ledger
import LiveEvents

/// The command for a server's live events, for its operator, and for taking part from a device.
struct EventCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event",
        abstract: "Declare, show and remove live events, and take part in them.",
        discussion: """
            A live event has a start and an end; learners submit points meanwhile and see their places at once. \
            A learner sees one with `event see`, follows it with `event watch`, and submits with `event submit`.
            """,
        subcommands: [
            Define.self, List.self, Show.self, Reopen.self, Remove.self, See.self, Watch.self,
            Submit.self,
        ])

    /// The options of a command on the server's data.
    struct Options: ParsableArguments {
        @OptionGroup var storage: StorageOptions
        @OptionGroup var outputOptions: OutputOptions

        /// Runs a body with the events of the data, whose places are computed from the database, and all else of the
        /// users.
        ///
        /// - Throws: `CommandFailure`.
        func withEvents(
            _ body: @Sendable (EventService, UserBackend) async throws -> Void
        ) async throws {
            try await storage.withUsers { users in
                guard let events = users.events else { return }
                do {
                    try await body(events, users)
                } catch let mistake as EventDefinition.ValidationError {
                    throw CommandFailure(.usage, mistake.description)
                }
            }
        }
    }
}
