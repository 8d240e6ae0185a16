import Accounts
import ArgumentParser
import Boards
import ContentModel
import ServiceAPI
import UserData

extension BoardCommand {
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the best places of a board.",
            examples: ["underway board show driving week --data users"])
        @Argument(help: "The name.")
        var name: String
        @Argument(
            help: "The period: day, week, month or all.", transform: BoardPeriod.argument)
        var period: BoardPeriod
        @Option(help: "The number of places.")
        var top = ServiceLimits.boardTopDefault
        @Option(help: "The first day of an earlier period, for example 2026-11-23.")
        var first: String?
        @OptionGroup var options: Options

        func validate() throws {
            guard (0...ServiceLimits.boardTopMax).contains(top) else {
                throw ValidationError("--top takes 0 to \(ServiceLimits.boardTopMax).")
            }
        }

        func run() async throws {
            try await options.withBoards { boards, _ in
                let query = BoardQuery(
                    name: name, period: period, firstDay: first, user: nil, top: top)
                guard let page = try await boards.page(query) else {
                    throw try await missing(boards)
                }
                Console.say(BoardText(page).text, json: page.json)
            }
        }

        /// Says what of the board is missing.
        private func missing(_ boards: BoardService) async throws -> CommandFailure {
            guard
                let board = try await boards.storage.definitions().first(where: { $0.name == name })
            else {
                return CommandFailure(
                    .notFound,
                    "There is no board \(name). `underway board list` lists those that are declared."
                )
            }
            guard board.periods.contains(period) else {
                return CommandFailure(
                    .notFound,
                    "The board \(name) has no period \(period.rawValue). Choose one of"
                        + " \(board.periods.map(\.rawValue).joined(separator: ", ")).")
            }
            return CommandFailure(
                .notFound,
                first == nil
                    ? "The board \(name) was not computed yet. `underway board refresh` does it now."
                    : "The board \(name) has no \(period.rawValue) that begins on that day.")
        }
    }

    struct Refresh: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "refresh",
            abstract: "Add new sessions to all boards now.",
            discussion: "A running server does this once a minute.",
            examples: ["underway board refresh --data users"])
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withBoards { boards, _ in
                guard let report = try await boards.refresh() else {
                    throw CommandFailure(.busy, "Another process is refreshing the boards.")
                }
                Console.say(
                    "\(Console.count(report.members, "member")) looked at,"
                        + " \(Console.count(report.places, "place")) changed.",
                    json: [
                        "members": .integer(report.members), "places": .integer(report.places),
                    ])
            }
        }
    }

    struct Recount: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "recount",
            abstract: "Compute the sums of all sessions again from their answers.",
            discussion: """
                Run it once after you upgrade from a version without boards. Servers may run at the same time. The \
                next refresh computes the boards.
                """,
            examples: ["underway board recount --data users"])
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withBoards { boards, _ in
                let count = try await boards.recount()
                Console.say(
                    "The sessions of \(Console.count(count, "account")) were summed.",
                    json: ["accounts": .integer(count)])
            }
        }
    }

    struct HideName: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hide-name",
            abstract: "Remove a display name, for example after a complaint.",
            discussion: """
                Boards and events show the learner without a name at once. The learner cannot choose another name \
                until you run `allow-name`.
                """,
            examples: ["underway board hide-name Ada --data users"])
        @Argument(help: "The name exactly as it is shown, or the learner's friend code.")
        var name: String
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withBoards { boards, users in
                let codes = try await boards.storage.removeNames(name)
                guard !codes.isEmpty else {
                    throw CommandFailure(
                        .notFound,
                        "No learner has this name, or this friend code and a name. Nothing was changed."
                    )
                }
                for code in codes { try await users.note(.nameHidden, code) }
                Console.say(
                    "The name of \(Console.count(codes.count, "learner")) is removed:"
                        + " \(codes.joined(separator: ", ")). `underway board allow-name` lets one choose again.",
                    json: ["codes": .array(codes.map { .string($0) })])
            }
        }
    }

    struct AllowName: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "allow-name",
            abstract: "Let a learner whose name was removed choose one again.",
            examples: ["underway board allow-name ABCD2345 --data users"])
        @Argument(help: "The learner's friend code, as `hide-name` printed it.")
        var code: String
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withBoards { boards, users in
                guard try await boards.storage.allowName(of: code) else {
                    throw CommandFailure(
                        .notFound,
                        "No name of a learner with this code was removed. Nothing was changed.")
                }
                try await users.note(.nameAllowed, code)
                Console.say("\(code) may choose a name again.", json: ["code": .string(code)])
            }
        }
    }
}
