import Accounts
import ArgumentParser
import ContentModel
import Foundation
import Operations
import PostgresDriver
import Tables

extension DatabaseCommand {
    struct Restored: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restored",
            abstract: "Declare that the database was restored from a backup.",
            discussion: """
                Run it once after a restore, before the server starts; for PostgreSQL with the server's login. Each \
                device then compares its data with the server's, and sends what the backup lacks. Readers of the \
                content's changes read everything once.
                """,
            examples: ["underway db restored --data users"])
        @OptionGroup var storage: StorageOptions
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            try await reportingErrors {
                switch try storage.place() {
                case .file(let path):
                    let generation = try UserDatabase(path: path).startGeneration(now: Date())
                    Console.say(
                        "Generation \(generation): devices will compare what they have.",
                        json: ["generation": .integer(Int(generation))])
                case .address(let address):
                    try await CommandFailure.naming(address) { try await declare(address) }
                }
            }
            try await storage.withUsers { try await $0.note(.databaseRestored, "users") }
        }

        private func declare(_ address: PostgresAddress) async throws {
            let pool = PostgresPool(PoolSettings(address))
            let declaration = try await RestoreDeclaration(pool, now: Date())
            await pool.close()
            Console.say(
                """
                Generation \(declaration.generation): devices will compare what they have.
                History \(declaration.contentEpoch): readers of content will read everything once.
                """,
                json: [
                    "generation": .integer(Int(declaration.generation)),
                    "contentEpoch": .string(declaration.contentEpoch),
                ])
        }
    }
}
