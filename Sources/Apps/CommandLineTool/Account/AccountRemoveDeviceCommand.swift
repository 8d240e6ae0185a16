import ArgumentParser
import ContentModel
import Foundation
import SyncClient

extension AccountCommand {
    struct RemoveDevice: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-device",
            abstract: "Remove a device that you no longer use.",
            discussion: """
                The data that it sent remains. If the device syncs again, it counts as a new one.
                """,
            examples: ["underway account remove-device d1 --server http://127.0.0.1:8080"])
        @Argument(help: "The device's id, which `underway account devices` lists first.")
        var device: String
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount { account, _ in
                try await account.removeDevice(device)
                Console.say("Removed.", json: ["removed": .string(device)])
            }
        }
    }
}
