import ArgumentParser
import ContentModel
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
                let devices = try await account.devices()
                guard !Console.isJSON else { return Console.say(json: .array(devices.map(\.json))) }
                for device in devices {
                    Console.say(
                        "\(device.id)  last used \(UserDataText.time(device.lastSeenMilliseconds)),"
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
                try await account.removeDevice(device)
                Console.say("Forgotten.", json: ["forgotten": .string(device)])
            }
        }
    }
}

extension DeviceBody {
    fileprivate var json: JSONValue {
        [
            "id": .string(id), "lastUsed": .string(UserDataText.time(lastSeenMilliseconds)),
            "answers": .integer(answers),
        ]
    }
}
