import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import ServiceAPI
import StudyModel
import SyncClient
import UserData

extension BoardCommand {
    struct See: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "see",
            abstract: "Show a board as the device's user sees it.",
            discussion: "Offline, the command shows the board as it was last seen.",
            examples: ["underway board see driving week --server http://127.0.0.1:8080"])
        @Argument(help: "The name; without it the boards of the server are listed.")
        var name: String?
        @Argument(
            help: "The period: day, week, month or all.", transform: BoardPeriod.argument)
        var period = BoardPeriod.week
        @Option(help: "The friend code of another learner; may be repeated.")
        var friend: [String] = []
        @OptionGroup var options: AccountCommand.Options

        func run() async throws {
            try await options.withAccount { account, store in
                guard let name else { return try await list(account) }
                let screen = try await screen(of: name, account, store)
                guard let page = screen.seen?.page else { return }
                Console.say(BoardText(screen, page).text, json: page.json)
            }
        }

        /// Returns the board as now or, without a reply, as last received, with the reason.
        private func screen(
            of name: String, _ account: Account, _ store: UserStore
        ) async throws -> BoardScreen {
            let now = Date()
            do {
                let seen = try await account.latestBoard(
                    name, period, friends: friend, now: now)
                return BoardScreen(seen, obstacle: nil, now: now)
            } catch let error as ServiceError where StandingsObstacle(error).isPassing {
                guard let seen = try store.seenBoard(name, period) else { throw error }
                return BoardScreen(seen, obstacle: StandingsObstacle(error), now: now)
            }
        }

        private func list(_ account: Account) async throws {
            let boards = try await account.boards()
            Console.say(
                boards.isEmpty
                    ? "The server has no board."
                    : boards.map { board in
                        "\(board.id)  \(board.bank):"
                            + " \(board.periods.map(\.rawValue).joined(separator: ", "))"
                    }.joined(separator: "\n"), json: .array(boards.map(\.json)))
        }
    }

    struct Profile: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "profile",
            abstract: "Show or change the user's display name and listing on boards.",
            examples: ["underway board profile --name Ada --server http://127.0.0.1:8080"])
        @Option(help: "The display name, which everybody may see.")
        var name: String?
        @Flag(help: "Have no display name.")
        var nameless = false
        @Flag(
            inversion: .prefixedNo,
            help: "Have places on boards (--listed), or none (--no-listed).")
        var listed: Bool?
        @OptionGroup var options: AccountCommand.Options

        func validate() throws {
            guard name == nil || !nameless else {
                throw ValidationError("--name and --nameless exclude each other.")
            }
        }

        func run() async throws {
            try await options.withAccount { account, _ in
                var profile = try await account.boardProfile()
                if name != nil || nameless || listed != nil {
                    profile = try await account.setBoardProfile(
                        name: nameless ? nil : name ?? profile.name,
                        isListed: listed ?? profile.isListed)
                }
                Console.say(
                    """
                    name: \(profile.name ?? "none")
                    on boards: \(profile.isListed ? "yes" : "no")
                    friend code: \(profile.friendCode)
                    """, json: profile.json)
            }
        }
    }
}

/// A board as lines of a terminal.
struct BoardText {
    private let page: BoardPage
    private let said: StudyModel.BoardText?

    /// Takes a board as its operator sees it.
    init(_ page: BoardPage) { (self.page, said) = (page, nil) }

    /// Takes a board as a learner sees it, with the sentences of its screen.
    init(_ screen: BoardScreen, _ page: BoardPage) {
        self.page = page
        said = StudyModel.BoardText(screen, .terminal)
    }

    /// The lines: the top, and the own place with its neighbours when it is not in it.
    var text: String {
        let rows = PlaceRow.rows(top: page.top, around: page.neighbours, of: 0)
        let friends = page.friends.isEmpty ? [] : ["friends"] + page.friends.map(Self.line)
        return
            ([title] + [said?.notice, said?.own, said?.empty].compactMap(\.self)
            + rows.map(Self.line) + friends + [said?.note ?? freshness]).joined(separator: "\n")
    }

    private static func line(_ row: PlaceRow) -> String {
        switch row {
        case .place(let entry): line(entry)
        case .gap: "     …"
        }
    }

    private var title: String {
        let period = page.firstDay.map { "\(page.period.rawValue) from \($0)" } ?? "all time"
        return Console.styled("\(page.board): \(page.bank), \(period)", .bold)
            + ", \(Console.count(page.placeCount, "place"))"
    }

    /// Returns the line of a place.
    static func line(_ entry: BoardEntry) -> String {
        let rank = String(entry.rank)
        let name = entry.name.map(Console.shown) ?? "(no name)"
        return String(repeating: " ", count: max(1, 6 - rank.count)) + rank + "  \(entry.score)  "
            + name + (entry.isOwn ? "  ← you" : "")
    }

    private var freshness: String {
        "as of \(page.refreshedAt.formatted(.iso8601))\(page.isFinal ? ", final" : "")"
    }
}

extension StudyFormats {
    /// The words of the study app at a terminal, whose other words are English.
    static var terminal: StudyFormats {
        StudyFormats(words: StudyText(language: "en"), calendar: .autoupdatingCurrent)
    }
}
