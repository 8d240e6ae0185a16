import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import Publishing
import SyncClient

extension AccountCommand {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write all data that the server stores about the user, as JSON.",
            examples: ["underway account export --output me.json --server http://127.0.0.1:8080"])
        @Option(
            name: [.customShort("o"), .long], help: "The file; standard output without it.",
            transform: PathArgument.output)
        var output: String?
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount { account, _ in
                let data = try await account.export()
                guard let output else {
                    Console.write(data)
                    return
                }
                do {
                    try OutputFile.write([UInt8](data), to: output)
                } catch {
                    throw CommandFailure(.files, "\(output) cannot be written.", place: output)
                }
                Console.say(
                    "Wrote \(Console.bytes(data.count)) to \(output).",
                    json: ["file": .string(output), "bytes": .integer(data.count)])
            }
        }
    }
}
