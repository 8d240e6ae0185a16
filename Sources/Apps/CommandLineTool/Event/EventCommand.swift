import ArgumentParser
import Ledger
import LiveEvents

/// The command for a server's live events, for its operator, and for taking part from a device.
struct EventCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event",
        abstract: "Declare, show and remove live events, and take part in them.",
        discussion: """
            A live event has a start and an end. Between them learners submit points, and see their places at once. \
            Learners see an event with `event see`, follow it with `event watch`, and submit with `event submit`.
            """,
        examples: ["underway event list --data users"],
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
