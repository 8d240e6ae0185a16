import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import SyncClient

extension AccountCommand {
    struct Others: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "others",
            abstract: "List, move, export or erase the data of other users on this device.")
        @Option(help: .of(user: "Move this user's data to the present user.")) var bring: String?
        @Option(help: .of(user: "Write this user's data as JSON to standard output."))
        var export: String?
        @Option(help: .of(user: "Erase this user's data from the device.")) var erase: String?
        @Flag(help: "Erase it even though some was not sent.") var loseUnsent = false
        @OptionGroup var store: UserDataOptions
        @OptionGroup var outputOptions: OutputOptions

        func validate() throws {
            if [bring, export, erase].compactMap(\.self).count > 1 {
                throw ValidationError("Choose one of --bring, --export and --erase.")
            }
        }

        func run() async throws {
            try await reportingErrors {
                let store = try store.openUserData()
                if let bring {
                    try store.bring(from: bring, now: Date())
                    return Console.say(
                        "Taken along; the next sync sends it.", json: ["brought": .string(bring)])
                }
                if let export {
                    return Console.write(try store.export(user: export))
                }
                if let erase {
                    try store.erase(user: erase, lossIsAccepted: loseUnsent)
                    return Console.say("Erased.", json: ["removed": .string(erase)])
                }
                let others = try store.otherUsers()
                guard !Console.isJSON else {
                    return Console.say(json: .array(others.map(\.json)))
                }
                if others.isEmpty { Console.say("There is no data of other users here.") }
                for other in others {
                    Console.say(
                        "\(other.user): \(Console.count(other.recordCount, "record")),"
                            + " \(Console.count(other.answerCount, "answer")),"
                            + " \(other.waitingCount) not sent")
                }
            }
        }
    }
}

extension ArgumentHelp {
    /// The help of an option whose value is a user.
    fileprivate static func of(user abstract: String) -> ArgumentHelp {
        ArgumentHelp(abstract, valueName: "user")
    }
}

extension OtherUser {
    fileprivate var json: JSONValue {
        [
            "user": .string(user), "records": .integer(recordCount),
            "answers": .integer(answerCount), "waiting": .integer(waitingCount),
        ]
    }
}
