import ArgumentParser
import Foundation
import ServiceAPI
import SyncClient

extension AccountCommand {
    struct Devices: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "devices", abstract: "List the devices that use the account.")
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount { account, _ in
                for device in try await account.devices() {
                    let seconds = TimeInterval(device.lastSeenMilliseconds) / 1000
                    let date = Date(timeIntervalSince1970: seconds)
                    Console.say(
                        "\(device.id)  last used \(date.formatted(.iso8601)),"
                            + " \(device.answers) answers")
                }
            }
        }
    }

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget", abstract: "Forget a device that is not used any more.",
            discussion:
                "What it sent stays. A device that returns all the same goes on as a new one.")
        @Argument(help: "The device, as `underway account devices` names it.") var device: String
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount { account, _ in
                try await account.forgetDevice(device)
                Console.say("Forgotten.")
            }
        }
    }
}
