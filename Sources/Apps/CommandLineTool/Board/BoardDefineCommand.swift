import Accounts
import ArgumentParser
import Boards
import ContentModel
import UserData

extension BoardRule.Counting: ExpressibleByArgument {}

extension BoardPeriod {
    /// Parses an argument.
    ///
    /// - Throws: `ValidationError`.
    static func argument(_ text: String) throws -> BoardPeriod {
        guard let period = BoardPeriod(rawValue: text) else {
            throw ValidationError("A period is day, week, month or all, not '\(text)'.")
        }
        return period
    }
}

extension BoardCommand {
    struct Define: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "define",
            abstract: "Declare a board, or change one.",
            discussion: """
                A right answer is worth 10 points. If you change what counts, the server computes the whole board \
                again from the sessions; new periods or grace hours do not need that. Of two equal scores, the one \
                reached in an earlier second ranks first, then the older account.
                """,
            examples: ["underway board define driving --bank de/driving --data users"])
        @Argument(
            help:
                "The name in addresses, for example driving: lowercase letters, digits and hyphens."
        )
        var name: String
        @OptionGroup var exam: BankOptions
        @Option(help: "The time zone in which days, weeks and months begin.")
        var zone = "UTC"
        @Option(
            help: "A period: day, week, month or all; may be repeated (default: all four).",
            transform: BoardPeriod.argument)
        var period: [BoardPeriod] = []
        @Option(help: "What counts: sum, of all sessions of the period, or best, the best one.")
        var counts = BoardRule.Counting.sum
        @Flag(help: "Count only answers to questions that the learner had not seen before.")
        var firstAttempts = false
        @Option(
            help:
                "A mode of sessions that counts, for example exam; may be repeated (default: every mode)."
        )
        var mode: [String] = []
        @Option(help: "The least number of counted answers of a session.")
        var questionsMin = 1
        @Option(
            help:
                "The hours after a period in which answers from before its end still count."
        )
        var graceHours = 24
        @OptionGroup var options: Options

        func run() async throws {
            let bank = try await exam.released()
            try await options.withBoards { boards, users in
                let definition = try BoardDefinition(
                    name: name, bank: bank, timeZone: zone,
                    periods: period.isEmpty ? BoardPeriod.allCases : period,
                    rule: BoardRule(
                        counts: counts, firstAttemptsOnly: firstAttempts, modes: mode,
                        questionsMin: questionsMin), graceHours: graceHours)
                let before = try await boards.storage.definitions().first { $0.name == name }
                try await boards.storage.set(definition)
                try await users.note(.boardDefined, name, definition.line)
                let verb =
                    before == nil
                    ? "declared"
                    : before == definition ? "as it was" : "changed; it was \(before?.line ?? "")"
                Console.say(
                    "\(name)  \(definition.line)\nThe board is \(verb). A running server shows it within a minute;"
                        + " `underway board refresh` fills it now.", json: definition.json)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the boards of a server.",
            examples: ["underway board list --data users"])
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withBoards { boards, _ in
                let definitions = try await boards.storage.definitions()
                let lines = definitions.map { board in
                    "\(board.name)  \(board.line)"
                }
                Console.say(
                    lines.isEmpty
                        ? "There is no board. `underway board define` declares one."
                        : lines.joined(separator: "\n"),
                    json: .array(definitions.map(\.json)))
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a board.",
            discussion: "The sessions remain, so you can declare the board again.",
            examples: ["underway board remove driving --data users"])
        @Argument(help: "The name.")
        var name: String
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withBoards { boards, users in
                guard try await boards.storage.removeDefinition(name) else {
                    throw CommandFailure(.notFound, "There is no board \(name).")
                }
                try await users.note(.boardRemoved, name)
                Console.say("The board \(name) is removed.", json: ["removed": .string(name)])
            }
        }
    }
}

extension BoardDefinition {
    /// All but the name, in one line.
    fileprivate var line: String {
        "\(bank), \(timeZone): \(periods.map(\.rawValue).joined(separator: ", ")); \(ruleText)"
    }

    /// The rule in words.
    fileprivate var ruleText: String {
        let what = rule.counts == .sum ? "all sessions" : "the best session"
        return
            ([what]
            + (rule.modes.isEmpty ? [] : ["of mode \(rule.modes.joined(separator: " or "))"])
            + (rule.firstAttemptsOnly ? ["first attempts only"] : [])
            + (rule.questionsMin > 1 ? ["of at least \(rule.questionsMin) questions"] : []))
            .joined(separator: ", ")
    }

    fileprivate var json: JSONValue {
        [
            "name": .string(name), "bank": .string(bank), "timeZone": .string(timeZone),
            "periods": .array(periods.map { .string($0.rawValue) }),
            "counts": .string(rule.counts.rawValue),
            "firstAttemptsOnly": .bool(rule.firstAttemptsOnly),
            "modes": .array(rule.modes.map { .string($0) }),
            "questionsMin": .integer(rule.questionsMin), "graceHours": .integer(graceHours),
        ]
    }
}
