import Accounts
import ArgumentParser
import ContentModel
import Foundation
import Ledger

extension DatabaseCommand {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write all data that the server stores about a user, as JSON.",
            discussion: """
                Users can export their data in the app; use this command if they ask you instead. The server may run \
                at the same time. Only your login can read the file. Send it only if you are sure that the person is \
                that user.
                """,
            examples: ["underway db export ada@example.org --output ada.json --data users"])
        @Argument(help: "The user's email, or the account's id.")
        var user: String
        @Option(
            help: "The file to write, which must not exist.", transform: PathArgument.path)
        var output: String
        @OptionGroup var storage: StorageOptions
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            let bytes = try await storage.withUsers { users in
                let named = try await users.neededUser(user)
                let id = named.id
                if !named.isProven {
                    Console.note(
                        "Nobody has proved to own the email of this account (\(id)): it may be a stranger's."
                    )
                }
                let bytes = try await write(users, id)
                try await users.note(.accountExported, id)
                return bytes
            }
            Console.say(
                "\(Console.bytes(bytes)) were written to \(output).",
                json: ["bytes": .integer(bytes), "file": .string(output)])
        }

        /// Writes the export in pieces, so that a large account needs no more memory than a small one.
        ///
        /// - Returns: The number of bytes.
        private func write(_ service: UserBackend, _ id: String) async throws -> Int {
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
