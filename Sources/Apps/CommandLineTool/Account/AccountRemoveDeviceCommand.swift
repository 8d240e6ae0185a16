import ArgumentParser
import ContentModel
import Foundation
import SyncClient

extension AccountCommand {
    struct RemoveDevice: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-device", abstract: "Remove a device that is no longer used.",
            discussion:
                "Its data stays. A removed device that syncs again continues as a new one.")
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
