import ArgumentParser
import ContentModel
import Foundation
import ServiceAPI
import UserData
import UserService

extension EventRule.Counting: ExpressibleByArgument {}

extension Date {
    /// Parses an argument: a time with its zone.
    ///
    /// - Throws: `ValidationError`.
    static func argument(_ text: String) throws -> Date {
        guard let date = try? Date(text, strategy: .iso8601) else {
            throw ValidationError(
                "A time is written with its zone, as 2026-12-01T18:00:00Z or 2026-12-01T19:00:00+01:00,"
                    + " not '\(text)'.")
        }
        return date
    }
}

extension EventCommand {
    struct Define: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "define",
            abstract: "Declare a live event, or change one to which nobody has submitted.",
            discussion: """
                Of two equal scores the one that was reached in an earlier second ranks first, then the older \
                account. The server's clock decides what is early or late; a few seconds after the end the places \
                are stored for good.
                """)
        @Argument(help: "The name in addresses, as finals: lowercase letters, digits and hyphens.")
        var name: String
        @Option(help: "The exam: a language as es, or a region and an exam as de/driving.")
        var bank: String
        @Option(help: "The title that learners see (default: the name).")
        var title: String?
        @Option(help: "The start, as 2026-12-01T18:00:00Z.", transform: Date.argument)
        var start: Date
        @Option(
            help: "The end, as 2026-12-01T19:00:00Z; at most 12 days after the start.",
            transform: Date.argument)
        var end: Date
        @Option(help: "What counts: sum, of all submissions, or best, the best one.")
        var counts = EventRule.Counting.sum
        @Option(help: "The most points of a submission (default: 100).")
        var pointsMax = 100
        @Option(help: "The most submissions of a learner (default: 1000).")
        var submissionsMax = 1_000
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withEvents { events in
                let definition = try EventDefinition(
                    name: name, title: title, bank: bank, startsAt: start, endsAt: end,
                    rule: EventRule(
                        counts: counts, pointsMax: pointsMax, submissionsMax: submissionsMax))
                try await events.set(definition)
                Console.say(
                    "The event \(name) is declared, from \(start.formatted(.iso8601)) to"
                        + " \(end.formatted(.iso8601)).", json: definition.summary.json)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the live events of a server.")
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withEvents { events in
                EventText.say(try await events.summaries())
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the best places of a live event, computed from the database.")
        @Argument(help: "The name.")
        var name: String
        @Option(help: "The number of places (default: 10).")
        var top = ServiceLimits.boardTopDefault
        @OptionGroup var options: Options

        func validate() throws {
            guard (0...ServiceLimits.boardTopMax).contains(top) else {
                throw ValidationError("--top takes 0 to \(ServiceLimits.boardTopMax).")
            }
        }

        func run() async throws {
            try await options.withEvents { events in
                try await events.buildPlaces(of: name)
                guard let page = try await events.page(name, top: top, for: nil) else {
                    throw CommandFailure(
                        .notFound,
                        "There is no event \(name). `underway event list` lists those that are declared."
                    )
                }
                Console.say(EventText(page).text, json: page.json)
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a live event with all submissions to it, which cannot be undone.")
        @Argument(help: "The name.")
        var name: String
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withEvents { events in
                guard try await events.storage.remove(name) != nil else {
                    throw CommandFailure(.notFound, "There is no event \(name).")
                }
                Console.say("The event \(name) is removed.", json: ["removed": .string(name)])
            }
        }
    }
}
