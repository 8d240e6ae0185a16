import ArgumentParser
import ContentModel
import ServiceAPI
import UserData
import UserService

extension BoardCommand {
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the best places of a board.")
        @Argument(help: "The name.")
        var name: String
        @Argument(
            help: "The period: day, week, month or all.", transform: BoardPeriod.argument)
        var period: BoardPeriod
        @Option(help: "The number of places (default: 10).")
        var top = ServiceLimits.boardTopDefault
        @Option(help: "The first day of an earlier period, as 2026-11-23.")
        var first: String?
        @OptionGroup var options: Options

        func validate() throws {
            guard (0...ServiceLimits.boardTopMax).contains(top) else {
                throw ValidationError("--top takes 0 to \(ServiceLimits.boardTopMax).")
            }
        }

        func run() async throws {
            try await options.withBoards { boards in
                let query = BoardQuery(
                    name: name, period: period, firstDay: first, user: nil, top: top)
                guard let page = try await boards.page(query) else {
                    throw CommandFailure(
                        .notFound,
                        "There is no such board yet. `underway board list` lists those that are declared,"
                            + " and `underway board refresh` fills them.")
                }
                Console.say(BoardText(page).text, json: page.json)
            }
        }
    }

    struct Refresh: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "refresh",
            abstract:
                "Take new sessions into all boards now; a running server does so once a minute.")
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withBoards { boards in
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
            abstract: "Sum the sessions of all accounts anew from their answers.",
            discussion: """
                Once after an upgrade from a version without boards, whose answers are in no sum. Servers may run \
                meanwhile. The next refresh computes the boards.
                """)
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withBoards { boards in
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
            abstract: "Remove a learner's display name, as after a complaint.")
        @Argument(help: "The friend code of the learner.")
        var code: String
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withBoards { boards in
                guard try await boards.storage.removeName(of: code) else {
                    throw CommandFailure(.notFound, "No learner with a name has the code \(code).")
                }
                Console.say("The name is removed.", json: ["code": .string(code)])
            }
        }
    }
}
