import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import UserData

struct ConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Resolve conflicts between changes of two devices.",
        subcommands: [
            List.self, Show.self, KeepMine.self, UseServer.self, Notices.self, Dismiss.self,
        ],
        defaultSubcommand: List.self)

    /// The key of a record as an argument: `reservations/swift-2026`.
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
        @Option(help: "The tag that was shown with the conflict; refused when it changed since.")
        var shown: String?
    }

    static func settle(
        _ record: RecordArgument, _ options: StoreOptions, _ how: DeviceMachine.Decision,
        _ seen: ShownOption
    ) async throws {
        try await reportingErrors {
            let store = try options.openUserData()
            let conflict = try store.conflicts().first { $0.key == record.key }
            try store.resolve(
                record.key, how, shown: seen.shown ?? conflict?.tag ?? "", now: Date())
            Console.say(
                "Settled; the next sync tells the server.",
                json: ["settled": .string(UserDataText.key(record.key))])
        }
    }
}

extension DeviceState.Conflict {
    var json: JSONValue {
        [
            "record": .string(UserDataText.key(key)), "tag": .string(tag),
            "mine": .string(UserDataText.change(mine.change)),
            "server": UserDataText.json(theirs), "before": UserDataText.json(base),
        ]
    }
}
