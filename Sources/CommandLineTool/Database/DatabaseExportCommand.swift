import ArgumentParser
import ContentModel
import Foundation
import PostgresDriver
import PostgresStorage
import UserService

extension DatabaseCommand {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write all data that the server stores about a user, as JSON.",
            discussion: """
                For a request that reaches you and not the app, in which users export their data themselves. It \
                reads beside a server that runs. The file is readable by you alone; send it only to whom you \
                know to be that user.
                """)
        @Argument(help: "The user's email, or the account's id.")
        var user: String
        @Option(
            help: "The file to write, which must not exist.", transform: PathArgument.path)
        var output: String
        @OptionGroup var storage: StorageOptions
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            let bytes = try await reportingErrors {
                switch try storage.place() {
                case .file(let path):
                    try await write(AccountService.reader(UserDatabase(path: path)))
                case .address(let address):
                    try await CommandFailure.naming(address) {
                        let pool = PostgresPool(PoolSettings(address))
                        do {
                            try await pool.use { try PostgresMigrator().check($0) }
                            let service = await AccountService.reader(
                                accounts: try PostgresAccounts(pool, now: Date()),
                                ledger: PostgresLedger(pool), boards: PostgresBoards(pool),
                                events: PostgresEvents(pool))
                            let bytes = try await write(service)
                            await pool.close()
                            return bytes
                        } catch {
                            await pool.close()
                            throw error
                        }
                    }
                }
            }
            Console.say(
                "\(Console.bytes(bytes)) were written to \(output).",
                json: ["bytes": .integer(bytes), "file": .string(output)])
        }

        /// Writes the export in pieces, so that a large account needs no more memory than a small one.
        ///
        /// - Returns: The number of bytes.
        private func write(_ service: AccountService) async throws -> Int {
            guard let id = try await service.findUser(user) else {
                throw CommandFailure(.notFound, "There is no account with this email or id.")
            }
            let file = open(output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else {
                throw CommandFailure(
                    .files,
                    "\(output) cannot be written: \(String(cString: strerror(errno))).",
                    place: output)
            }
            let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
            do {
                var (export, count) = (service.export(id), 0)
                while let piece = try await export.next() {
                    try handle.write(contentsOf: Data(piece))
                    count += piece.count
                }
                try handle.synchronize()
                return count
            } catch {
                // Half of the data is worse than none.
                unlink(output)
                throw error
            }
        }
    }
}
