import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import UserData

extension ConflictsCommand {
    /// The command that lists the writes of this device that another device's later write replaced.
    struct Notices: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "notices",
            abstract: "List changes of this device that another device replaced later.",
            examples: ["underway conflicts notices"])
        @OptionGroup var store: UserDataOptions
        @Flag(help: "Print JSON, also for errors.") var json = false

        func run() async throws {
            try await reportingErrors {
                let notices = try store.openUserData().notices()
                if json { return Console.say(json: .array(notices.map(\.json))) }
                if notices.isEmpty {
                    Console.say("There are no notices: no change of this device was replaced.")
                }
                for notice in notices { for line in notice.lines { Console.say(line) } }
            }
        }
    }
}

extension ReplacementNotice {
    /// The lines to show to a learner.
    fileprivate var lines: [String] {
        let mineAt = UserDataText.localTime(mine.time.milliseconds)
        let theirsAt = UserDataText.localTime(theirs.time.milliseconds)
        return [
            Console.styled(UserDataText.key(key), .bold),
            "  A later change on another device replaced this one.",
            "  replaced: \(UserDataText.change(mine.change))  (this device, \(mineAt))",
            "  now:      \(UserDataText.record(theirs))  (another device, \(theirsAt))",
        ]
    }

    fileprivate var json: JSONValue {
        [
            "record": .string(UserDataText.key(key)),
            "replaced": .string(UserDataText.change(mine.change)),
            "replacedAt": .string(UserDataText.time(mine.time.milliseconds)),
            "now": UserDataText.json(theirs),
        ]
    }
}
