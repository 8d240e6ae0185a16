import ArgumentParser
import ContentModel
import Foundation
import SyncClient

extension AccountCommand {
    struct Devices: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "devices",
            abstract: "List the devices that use the account.",
            examples: ["underway account devices --server http://127.0.0.1:8080"])
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount { account, _ in
                let devices = try await account.devices()
                guard !Console.isJSON else { return Console.say(json: .array(devices.map(\.json))) }
                for device in devices {
                    Console.say(
                        "\(device.id)  last used \(device.lastSeen.formatted(.iso8601)),"
                            + " \(device.answerCount) answers")
                }
            }
        }
    }
}

extension AccountDevice {
    fileprivate var json: JSONValue {
        [
            "id": .string(id), "lastUsed": .string(lastSeen.formatted(.iso8601)),
            "answers": .integer(answerCount),
        ]
    }
}
