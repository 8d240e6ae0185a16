import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import UserData

struct ConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Settle what two devices changed without seeing each other.",
        subcommands: [
            List.self, Show.self, KeepMine.self, UseServer.self, Notices.self, Dismiss.self,
        ],
        defaultSubcommand: List.self)

    /// A record as it is typed: `reservations/swift-2026`.
    struct RecordArgument: ExpressibleByArgument {
        let key: RecordKey

        init?(argument: String) {
            guard let slash = argument.firstIndex(of: "/") else { return nil }
            let id = String(argument[argument.index(after: slash)...])
            guard Validity.isID(id) else { return nil }
            key = RecordKey(String(argument[..<slash]), id)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the conflicts.")
        @OptionGroup var store: StoreOptions
        @Flag(help: "Answer in JSON.") var json = false

        func run() async throws {
            try await reportingErrors {
                let conflicts = try store.openUserData().conflicts()
                if json {
                    return Console.say(json: .array(conflicts.map(\.json)))
                }
                if conflicts.isEmpty { Console.say("There are no conflicts.") }
                for conflict in conflicts {
                    for line in ConflictText(conflict, store: store.store).lines {
                        Console.say(line)
                    }
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show one conflict: mine, the server's, and what was before both.")
        @Argument(help: "The record, as reservations/swift-2026.") var record: RecordArgument
        @OptionGroup var store: StoreOptions
        @Flag(help: "Answer in JSON.") var json = false

        func run() async throws {
            try await reportingErrors {
                let conflicts = try store.openUserData().conflicts()
                guard let conflict = conflicts.first(where: { $0.key == record.key }) else {
                    throw CommandFailure(
                        .notFound, "There is no conflict about \(UserDataText.key(record.key)).")
                }
                if json { return Console.say(json: conflict.json) }
                let made = UserDataText.time(conflict.mine.time.milliseconds)
                let written = UserDataText.time(conflict.theirs.time.milliseconds)
                Console.say("tag:    \(conflict.tag)")
                Console.say("before: \(UserDataText.record(conflict.base))")
                Console.say("mine:   \(UserDataText.change(conflict.mine.change))  (\(made))")
                Console.say("server: \(UserDataText.record(conflict.theirs))  (\(written))")
            }
        }
    }

    /// What the user looked at before deciding.
    struct ShownOption: ParsableArguments {
        @Option(help: "The tag that was shown with the conflict; refused when it changed since.")
        var shown: String?
    }

    struct KeepMine: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keep-mine", abstract: "Put the own change over the server's.")
        @Argument(help: "The record, as reservations/swift-2026.") var record: RecordArgument
        @OptionGroup var store: StoreOptions

        @OptionGroup var seen: ShownOption
        @OptionGroup var answer: AnswerOptions

        func run() async throws {
            try await ConflictsCommand.settle(record, store, .keepMine, seen)
        }
    }

    struct UseServer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "use-server", abstract: "Give up the own change.")
        @Argument(help: "The record, as reservations/swift-2026.") var record: RecordArgument
        @OptionGroup var store: StoreOptions

        @OptionGroup var seen: ShownOption
        @OptionGroup var answer: AnswerOptions

        func run() async throws {
            try await ConflictsCommand.settle(record, store, .useServer, seen)
        }
    }

    private static func settle(
        _ record: RecordArgument, _ options: StoreOptions, _ how: DeviceMachine.Settlement,
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
    fileprivate var json: JSONValue {
        [
            "record": .string(UserDataText.key(key)), "tag": .string(tag),
            "mine": .string(UserDataText.change(mine.change)),
            "server": UserDataText.json(theirs), "before": UserDataText.json(base),
        ]
    }
}
