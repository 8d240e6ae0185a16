import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import SyncClient

extension AccountCommand {
    struct Others: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "others",
            abstract: "List, move, export or erase other users' data on this device.",
            discussion: "Without options, the command lists the users.",
            examples: ["underway account others", "underway account others --export 7"])
        @Option(help: .of(user: "Move this user's data to the current user.")) var bring: String?
        @Option(help: .of(user: "Write this user's data as JSON to standard output."))
        var export: String?
        @Option(help: .of(user: "Erase this user's data from the device.")) var erase: String?
        @Flag(help: "Erase it even if some data was not sent.") var loseUnsent = false
        @Option(
            help: "The address of the server, which joins that user's account with the current one."
        )
        var server: String?
        @OptionGroup var store: UserDataOptions
        @OptionGroup var network: NetworkOptions
        @OptionGroup var outputOptions: OutputOptions

        func validate() throws {
            if [bring, export, erase].compactMap(\.self).count > 1 {
                throw ValidationError("Choose one of --bring, --export and --erase.")
            }
            if let bring, bring != UserStore.localUser, server == nil {
                throw ValidationError(
                    "--bring needs --server, which joins that user's account with the present one.")
            }
        }

        private func bring(_ other: String, to store: UserStore) async throws {
            guard let server else { return try store.bring(from: other, now: Date()) }
            let transport = network.openTransport()
            defer { transport.close() }
            let address = try URL(address: server)
            let account = try self.store.account(
                store, transport, server: DeviceSync.server(of: address) ?? address)
            try await account.bring(from: other)
        }

        func run() async throws {
            try await reportingErrors {
                let store = try store.openUserData()
                if let bring {
                    try await self.bring(bring, to: store)
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
                    if let note = other.obstacleNote { Console.say("  " + note) }
                }
            }
        }
    }
}

extension ArgumentHelp {
    /// Returns the help of an option whose value is a user.
    fileprivate static func of(user abstract: String) -> ArgumentHelp {
        ArgumentHelp(abstract, valueName: "user")
    }
}

extension OtherUser {
    fileprivate var json: JSONValue {
        .compact([
            "user": .string(user), "records": .integer(recordCount),
            "answers": .integer(answerCount), "waiting": .integer(waitingCount),
            "obstacle": obstacle.map { .string($0) },
        ])
    }

    /// Says why the user's account was not joined with another one; `nil` where nothing was in the way.
    var obstacleNote: String? {
        let reason: String? =
            switch obstacle {
            case nil: nil
            case "needsFreshSignIn":
                "it has a way in of its own. Run `underway account join` with its email"
            case "movedElsewhere": "it was joined with a third account. Sign in to that one"
            case "hasRole": "it has a role. An account with a role stays as it is"
            case "tooMuch": "both together have more than one account may have"
            default: "the server refused it"
            }
        return reason.map { "The account \(user) was not joined with another one: \($0)." }
    }
}
