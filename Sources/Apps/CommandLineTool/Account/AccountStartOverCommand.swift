import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import SyncClient

extension AccountCommand {
    struct StartOver: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "start-over",
            abstract: "Create a new account, and move all data of this device to it.",
            discussion: "Use it if the account was deleted on another device.",
            examples: ["underway account start-over --server http://127.0.0.1:8080"])
        @Flag(help: "Do it even if the account of this device works.") var yes = false
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount(.store) { account, store in
                guard try store.hasData() else {
                    throw CommandFailure(
                        .notFound,
                        "The current user of this device has no data. `underway account others` lists the data"
                            + " of other users.")
                }
                // Only whether the account works matters; any failure means that it does not.
                if !yes, store.isSignedIn,
                    (try? await account.signInMethods()) != nil
                {
                    throw CommandFailure(
                        .usage,
                        "The account of this device works, and other devices use it, too."
                            + " Add --yes to create a new one anyway.")
                }
                let former = store.user
                let user = try await account.startOver()
                let left = try store.otherUsers().first { $0.user == former }
                Console.say(
                    left == nil
                        ? "A new account (\(user)) has everything; the next sync sends it."
                        : "A new account (\(user)) begins without what \(former) has.",
                    json: ["user": .string(user), "isWhole": .bool(left == nil)])
                if let note = left?.obstacleNote { Console.note(note) }
            }
        }
    }
}
