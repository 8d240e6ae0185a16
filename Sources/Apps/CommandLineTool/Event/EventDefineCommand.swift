import Accounts
import ArgumentParser
import ContentModel
import Foundation
import LiveEvents
import ServiceAPI
import UserData

extension EventRule.Counting: ExpressibleByArgument {}

extension Date {
    /// Parses an argument: a time with its zone.
    ///
    /// - Throws: `ValidationError`.
    static func argument(_ text: String) throws -> Date {
        guard isDay(text.prefix(10)), let date = try? Date(text, strategy: .iso8601) else {
            throw ValidationError(
                "Write a time with its zone, for example 2026-12-01T18:00:00Z or 2026-12-01T19:00:00+01:00,"
                    + " not '\(text)'.")
        }
        return date
    }

    /// Returns true for a day of the calendar: a parser would take 30 February for 2 March.
    private static func isDay(_ text: Substring) -> Bool {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return false }
        return DateComponents(
            calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: parts[0],
            month: parts[1], day: parts[2]
        ).isValidDate
    }
}

extension EventDefinition {
    /// All but the name, in one line.
    fileprivate var line: String {
        let summary = summary
        return
            "\(Console.shown(summary.title)), \(bank): \(summary.startsAt.formatted(.iso8601)) to"
            + " \(summary.endsAt.formatted(.iso8601)); \(rule.counts.rawValue), at most"
            + " \(rule.pointsMax) points, \(rule.submissionsMax) times"
    }
}

extension EventCommand {
    struct Define: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "define",
            abstract: "Declare a live event, or change one without submissions.",
            discussion: """
                Of two equal scores, the one reached in an earlier second ranks first, then the older account. The \
                server's clock decides what is too early or too late. A few seconds after the end the places are \
                final.
                """,
            examples: [
                """
                underway event define finals --bank es --start 2026-12-01T18:00:00Z \\
                  --end 2026-12-01T19:00:00Z --data users
                """
            ])
        @Argument(
            help:
                "The name in addresses, for example finals: lowercase letters, digits and hyphens.")
        var name: String
        @OptionGroup var exam: BankOptions
        @Option(help: "The title that learners see (default: the name).")
        var title: String?
        @Option(help: "The start, for example 2026-12-01T18:00:00Z.", transform: Date.argument)
        var start: Date
        @Option(
            help: "The end, for example 2026-12-01T19:00:00Z; at most 12 days after the start.",
            transform: Date.argument)
        var end: Date
        @Option(help: "What counts: sum, of all submissions, or best, the best one.")
        var counts = EventRule.Counting.sum
        @Option(help: "The most points of a submission.")
        var pointsMax = 100
        @Option(help: "The most submissions of a learner.")
        var submissionsMax = 1_000
        @OptionGroup var options: Options

        func run() async throws {
            let bank = try await exam.released()
            try await options.withEvents { events, users in
                let definition = try EventDefinition(
                    name: name, title: title, bank: bank, startsAt: start, endsAt: end,
                    rule: EventRule(
                        counts: counts, pointsMax: pointsMax, submissionsMax: submissionsMax))
                let before = try await events.storage.events().first { $0.definition.name == name }
                try await events.set(definition)
                try await users.note(.eventDefined, name, definition.line)
                let verb =
                    before == nil
                    ? "declared"
                    : before?.definition == definition
                        ? "as it was" : "changed; it was \(before?.definition.line ?? "")"
                let warning =
                    definition.summary.endsAt < Date()
                    ? " It is over already: nobody can submit to it." : ""
                Console.say(
                    "\(name)  \(definition.line)\nThe event is \(verb).\(warning)",
                    json: definition.summary.json)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the live events of a server.",
            examples: ["underway event list --data users"])
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withEvents { events, _ in
                let stored = try await events.storage.events()
                EventText.say(
                    stored.map(\.definition.summary),
                    final: Set(stored.filter(\.isFrozen).map(\.definition.name)))
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the best places of a live event, from the database.",
            examples: ["underway event show finals --data users"])
        @Argument(help: "The name.")
        var name: String
        @Option(help: "The number of places.")
        var top = ServiceLimits.boardTopDefault
        @OptionGroup var options: Options

        func validate() throws {
            guard (0...ServiceLimits.boardTopMax).contains(top) else {
                throw ValidationError("--top takes 0 to \(ServiceLimits.boardTopMax).")
            }
        }

        func run() async throws {
            try await options.withEvents { events, _ in
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

    struct Reopen: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reopen",
            abstract: "Open a live event again that a wrong clock ended too early.",
            discussion: """
                Its end must be in the future. All submissions remain, and learners can submit again.
                """,
            examples: ["underway event reopen finals --data users"])
        @Argument(help: "The name.")
        var name: String
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withEvents { events, users in
                let event = try await events.storage.events().first { $0.definition.name == name }
                guard let event else {
                    throw CommandFailure(.notFound, "There is no event \(name).")
                }
                guard event.isFrozen else {
                    throw CommandFailure(
                        .refused, "The event \(name) is still open, so nothing was changed.")
                }
                guard event.definition.summary.endsAt > Date() else {
                    throw CommandFailure(
                        .refused,
                        "The event \(name) cannot be opened again, because its end has passed.")
                }
                try await events.storage.reopen(event.number)
                try await users.note(.eventReopened, name)
                Console.say("The event \(name) is open again.", json: ["reopened": .string(name)])
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a live event and all its submissions.",
            discussion: "You cannot undo this.",
            examples: ["underway event remove finals --data users"])
        @Argument(help: "The name.")
        var name: String
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withEvents { events, users in
                guard try await events.storage.remove(name) != nil else {
                    throw CommandFailure(.notFound, "There is no event \(name).")
                }
                try await users.note(.eventRemoved, name)
                Console.say("The event \(name) is removed.", json: ["removed": .string(name)])
            }
        }
    }
}
