import ArgumentParser
import ContentModel
import Foundation
import ServiceAPI
import StudyModel
import SyncClient
import UserData

extension EventCommand {
    struct See: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "see",
            abstract: "Show a live event as the device's user sees it.",
            examples: ["underway event see finals --server http://127.0.0.1:8080"])
        @Argument(help: "The name; without it the events of the server are listed.")
        var name: String?
        @OptionGroup var options: AccountCommand.Options

        func run() async throws {
            try await options.withAccount { account, _ in
                guard let name else { return EventText.say(try await account.events()) }
                let page = try await account.event(name)
                let event = try await account.events().first { $0.id == name }
                let screen = event.map { EventScreen($0, page, now: Date()) }
                Console.say(EventText(page, screen).text, json: page.json)
            }
        }
    }

    struct Watch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch",
            abstract: "Follow a live event: print each change of its best places.",
            discussion: "The command ends with the event.",
            examples: ["underway event watch finals --server http://127.0.0.1:8080"])
        @Argument(help: "The name.")
        var name: String
        @OptionGroup var options: AccountCommand.Options

        func run() async throws {
            try await options.withAccount { account, _ in
                for try await page in account.watch(name) {
                    if Console.isJSON {
                        Console.say(jsonLine: page.json)
                    } else {
                        Console.say(EventText(page).text)
                    }
                }
            }
        }
    }

    struct Submit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "submit",
            abstract: "Submit points to a live event.",
            examples: ["underway event submit finals 10 --server http://127.0.0.1:8080"])
        @Argument(help: "The name.")
        var name: String
        @Argument(help: "The points.")
        var points: Int
        @Option(
            help:
                "The submission's id: repeated with the same one, it counts once (default: a new one)."
        )
        var id: String?
        @OptionGroup var options: AccountCommand.Options

        func run() async throws {
            try await options.withAccount { account, _ in
                let id = id ?? UUID().uuidString.lowercased()
                let receipt = try await account.submit(points: points, id: id, to: name)
                let outcome: RoundOutcome =
                    receipt.result == .counted ? .counted(points, receipt) : .refused(receipt)
                let sentence = outcome.sentence(.terminal)
                guard outcome.isCounted else { throw CommandFailure(.refused, sentence) }
                Console.say(sentence, json: receipt.json)
            }
        }
    }
}

/// A live event as lines of a terminal.
struct EventText {
    private let page: LiveEventPage
    private let said: StudyModel.EventText?

    /// Takes places, and the screen of a learner who sees them.
    init(_ page: LiveEventPage, _ screen: EventScreen? = nil) {
        self.page = page
        said = screen.map { StudyModel.EventText($0, .terminal) }
    }

    /// The lines: the top, and the own place when it is not in it.
    var text: String {
        let own = page.own.map { own in page.top.contains { $0.rank == own.rank } ? [] : [own] }
        let figures = said?.figures.map { "\($0.name): \($0.number)" } ?? []
        let lines = [said?.clock, said?.noPoints].compactMap(\.self) + figures
        return
            ([title] + lines + (page.top + (own ?? [])).map(BoardText.line) + [freshness])
            .joined(separator: "\n")
    }

    private var title: String {
        Console.styled(page.event, .bold)
            + ": \(page.state.rawValue), \(Console.count(page.placeCount, "place"))"
    }

    private var freshness: String {
        let time = page.asOf.formatted(.iso8601)
        if page.isFinal { return "final" }
        return "as of \(time)"
            + (page.isStale ? "; the server cannot read newer places yet" : "")
    }

    /// Says a list of events.
    static func say(_ events: [LiveEvent], final: Set<String> = [], now: Date = Date()) {
        let lines = events.map { event in
            "\(event.id)  \(Console.shown(event.title)), \(event.bank):"
                + " \(event.startsAt.formatted(.iso8601)) to \(event.endsAt.formatted(.iso8601)),"
                + " \(final.contains(event.id) ? "ended, final" : event.state(at: now).rawValue)"
        }
        Console.say(
            lines.isEmpty
                ? "There is no event. `underway event define` declares one."
                : lines.joined(separator: "\n"), json: .array(events.map(\.json)))
    }
}
