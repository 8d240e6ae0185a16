import ArgumentParser
import Boards
import Ledger

/// The command for a server's leaderboards, for its operator, and for a look at them from a device.
struct BoardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "board",
        abstract: "Declare, show and maintain leaderboards.",
        discussion: """
            A board ranks the learners of an exam by their sessions. The server refreshes all boards once a minute. \
            Learners see a board with `board see`, and choose a name with `board profile`.
            """,
        examples: ["underway board list --data users"],
        subcommands: [
            Define.self, List.self, Show.self, Remove.self, Refresh.self, Recount.self,
            HideName.self, AllowName.self, See.self, Profile.self,
        ])

    /// The options of a command on the server's data.
    struct Options: ParsableArguments {
        @OptionGroup var storage: StorageOptions
        @OptionGroup var outputOptions: OutputOptions

        /// Runs a body with the boards of the data, and all else of the users.
        ///
        /// - Throws: `CommandFailure`.
        func withBoards(
            _ body: @Sendable (BoardService, UserBackend) async throws -> Void
        ) async throws {
            try await storage.withUsers { users in
                guard let boards = users.boards else { return }
                do {
                    try await body(boards, users)
                } catch let mistake as BoardDefinition.ValidationError {
                    throw CommandFailure(.usage, mistake.description)
                }
            }
        }
    }
}
