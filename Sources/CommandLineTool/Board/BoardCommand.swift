import ArgumentParser
import Foundation
import PostgresDriver
import PostgresStorage
import UserService

/// The command for a server's leaderboards, for its operator, and for a look at them from a device.
struct BoardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "board",
        abstract: "Declare, show and maintain leaderboards.",
        discussion: """
            A board ranks the learners of an exam by their sessions. The server refreshes all boards once a \
            minute; a learner sees one with `board see`, and chooses a name with `board profile`.
            """,
        subcommands: [
            Define.self, List.self, Show.self, Remove.self, Refresh.self, Recount.self,
            HideName.self, See.self, Profile.self,
        ])

    /// The options of a command on the server's data.
    struct Options: ParsableArguments {
        @OptionGroup var storage: StorageOptions
        @OptionGroup var outputOptions: OutputOptions

        /// Runs a body with the boards of the data.
        ///
        /// - Throws: `CommandFailure`.
        func withBoards(_ body: @Sendable (BoardService) async throws -> Void) async throws {
            try await reportingErrors {
                do {
                    switch try storage.place() {
                    case .file(let path):
                        let boards = SQLiteBoards(try UserDatabase(path: path))
                        try await body(BoardService(boards) { Date() })
                    case .address(let address):
                        try await CommandFailure.naming(address) {
                            let pool = PostgresPool(PoolSettings(address))
                            do {
                                try await pool.use { try PostgresMigrator().check($0) }
                                try await body(BoardService(PostgresBoards(pool)) { Date() })
                            } catch {
                                await pool.close()
                                throw error
                            }
                            await pool.close()
                        }
                    }
                } catch let mistake as BoardDefinition.Mistake {
                    throw CommandFailure(.usage, mistake.description)
                } catch LedgerError.busy {
                    throw CommandFailure(.busy, "The database is busy. Try again in a moment.")
                } catch let error as UserServiceError {
                    throw CommandFailure(.refused, error.message)
                }
            }
        }
    }
}
