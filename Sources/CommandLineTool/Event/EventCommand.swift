import ArgumentParser
import Foundation
import PostgresDriver
import PostgresStorage
import UserService

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
            Define.self, List.self, Show.self, Remove.self, See.self, Watch.self, Submit.self,
        ])

    /// The options of a command on the server's data.
    struct Options: ParsableArguments {
        @OptionGroup var storage: StorageOptions
        @OptionGroup var outputOptions: OutputOptions

        /// Runs a body with the events of the data, whose places are computed from the database.
        ///
        /// - Throws: `CommandFailure`.
        func withEvents(_ body: @Sendable (EventService) async throws -> Void) async throws {
            try await reportingErrors {
                do {
                    switch try storage.place() {
                    case .file(let path):
                        try await body(Self.service(SQLiteEvents(try UserDatabase(path: path))))
                    case .address(let address):
                        try await CommandFailure.naming(address) {
                            let pool = PostgresPool(PoolSettings(address))
                            do {
                                try await pool.use { try PostgresMigrator().check($0) }
                                try await body(Self.service(PostgresEvents(pool)))
                            } catch {
                                await pool.close()
                                throw error
                            }
                            await pool.close()
                        }
                    }
                } catch let mistake as EventDefinition.Mistake {
                    throw CommandFailure(.usage, mistake.description)
                } catch LedgerError.busy {
                    throw CommandFailure(.busy, "The database is busy. Try again in a moment.")
                }
            }
        }

        private static func service(_ storage: any EventStorage) -> EventService {
            EventService(storage, ranking: MemoryRanking()) { Date() }
        }
    }
}
