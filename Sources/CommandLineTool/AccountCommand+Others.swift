import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import SyncClient

extension AccountCommand {
    struct Others: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "others",
            abstract: "The data of other users on this device: list, take along, export, remove.")
        @Option(help: "Take this user's data over to the present one.") var bring: String?
        @Option(help: "Write this user's data as JSON to standard output.") var export: String?
        @Option(help: "Remove this user's data from the device.") var erase: String?
        @Flag(help: "Remove it even though some was not sent.") var loseUnsent = false
        @OptionGroup var store: StoreOptions
        @OptionGroup var answer: AnswerOptions

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
                    return Console.say("Removed.", json: ["removed": .string(erase)])
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

    struct StartOver: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "start-over",
            abstract: "Make a new account and take everything there that is on this device.",
            discussion: "For a device whose account was deleted elsewhere.")
        @Flag(help: "Do it although the account of this device is in order.") var yes = false
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount { account, store in
                guard try store.hasData() else {
                    throw CommandFailure(
                        .notFound,
                        "The present user of this device has no data; underway account others names"
                            + " what is left here.")
                }
                // Whether it is in order is only asked; any failure means that it is not.
                if !yes, store.user != UserStore.localUser,
                    (try? await account.signInMethods()) != nil
                {
                    throw CommandFailure(
                        .usage,
                        "The account of this device is in order, and other devices stay with it."
                            + " Add --yes to make a new one all the same.")
                }
                let user = try await account.startOver()
                Console.say(
                    "A new account (\(user)) has everything; the next sync sends it.",
                    json: ["user": .string(user)])
            }
        }
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
