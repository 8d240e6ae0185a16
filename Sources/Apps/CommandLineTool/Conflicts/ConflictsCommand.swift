import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import UserData

struct ConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Show and resolve conflicts between changes of two devices.",
        discussion: "Without a subcommand, the command lists the conflicts.",
        examples: ["underway conflicts"],
        subcommands: [
            List.self, Show.self, KeepMine.self, UseServer.self, Notices.self, Dismiss.self,
        ],
        defaultSubcommand: List.self)

    /// The key of a record as an argument: `reservations/int/swift`.
    struct RecordArgument: ExpressibleByArgument {
        let key: RecordKey

        init?(argument: String) {
            guard let slash = argument.firstIndex(of: "/") else { return nil }
            let id = String(argument[argument.index(after: slash)...])
            guard Validity.isID(id) else { return nil }
            key = RecordKey(String(argument[..<slash]), id)
        }
    }

    /// The conflict that the user looked at before deciding.
    struct ShownOption: ParsableArguments {
        @Option(
            help: "The tag that was shown with the conflict; the command fails if it has changed.")
        var shown: String?
    }

    /// Resolves a conflict, or refuses when it changed since the user looked at it.
    static func resolve(
        _ record: RecordArgument, _ options: UserDataOptions,
        _ resolution: RecordResolution, _ seen: ShownOption
    ) async throws {
        try await reportingErrors {
            let store = try options.openUserData()
            let conflict = try store.conflicts().first { $0.key == record.key }
            try store.resolve(
                record.key, resolution, shown: seen.shown ?? conflict?.tag ?? "", now: Date())
            Console.say(
                resolution == .keepMine
                    ? "Resolved; the next sync sends this device's change."
                    : "Resolved; the server's version is shown now.",
                json: ["resolved": .string(UserDataText.key(record.key))])
        }
    }
}

extension RecordConflict {
    var json: JSONValue {
        [
            "record": .string(UserDataText.key(key)), "tag": .string(tag),
            "mine": .string(UserDataText.change(mine.change)),
            "server": UserDataText.json(theirs), "before": UserDataText.json(base),
        ]
    }
}
