import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import SyncClient

extension AccountCommand {
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete the account on the server, and the data on this device.",
            examples: ["underway account delete --yes --server http://127.0.0.1:8080"])
        @Flag(help: "Confirm that everything is deleted; you cannot undo this.") var yes = false
        @OptionGroup var options: Options

        func validate() throws {
            guard yes else {
                throw ValidationError("This deletes everything for good. Add --yes to do it.")
            }
        }

        func run() async throws {
            try await options.withAccount { account, _ in
                try await account.delete()
                Console.say(
                    "Deleted: the account and what this device had of it.", json: ["deleted": true])
            }
        }
    }
}
