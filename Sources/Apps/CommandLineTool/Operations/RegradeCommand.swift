import ArgumentParser
import Boards
import ContentModel
import Operations
import Review
import Workflows

/// The command for answers that are graded again after a wrong key was corrected.
struct RegradeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "regrade",
        abstract: "Show which answers a release grades again, or note a wrong key.",
        discussion: """
            A release names the versions of questions whose key was wrong (corrections.yaml in the content folder). \
            Devices and servers then grade earlier answers to them again; the answers themselves do not change. \
            --dry-run shows the corrections of the release and, with --data or --database, their effect on a \
            server's answers. --add notes a key that you have already corrected, for the next release.
            """,
        examples: [
            "underway regrade --dry-run --release release --data users",
            "underway regrade --add int/swift q17",
        ])

    @Flag(help: "Show the corrections and what they would change; change nothing.")
    var dryRun = false
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Note that a question's former key was wrong.", valueName: "bank question"))
    var add: [String] = []
    @Option(help: "With --add: the wrong key, if it is not the last one that was released before.")
    var was: String?
    @Option(
        help: "The folder of users of a server with SQLite, for --dry-run.",
        transform: PathArgument.path)
    var data: String?
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var folders: FolderOptions

    func validate() throws {
        guard dryRun != !add.isEmpty else {
            throw ValidationError("Choose one of --dry-run and --add BANK QUESTION.")
        }
        guard add.isEmpty || add.count == 2 else {
            throw ValidationError("Name the bank and the question: --add de/driving q17.")
        }
        if was != nil, add.isEmpty { throw ValidationError("--was belongs to --add.") }
        if data != nil, database.database != nil {
            throw ValidationError("Name either --data or --database.")
        }
    }

    func run() async throws {
        if add.isEmpty { return try await preview() }
        try await note(bank: add[0], question: add[1])
    }

    // MARK: A note

    private func note(bank: String, question: String) async throws {
        let change = RegradeChange(question, of: bank, from: was)
        let outcome = try await reportingErrors {
            try await change.run(in: folders.workplace(), by: Operator.actor)
        }
        let hint = outcome.json["correction"] == nil ? "" : "\n`underway publish` ships it."
        Console.say(outcome.sentence + hint, json: outcome.json)
    }

    // MARK: A preview

    private func preview() async throws {
        let corrections = try await reportingErrors {
            try ReleaseCorrections(directory: folders.release)
        }
        let server = try await server(corrections.served)
        let overview = RegradeOverview(corrections, server: server)
        folders.json ? try Console.say(result: overview) : Console.say(text(overview))
    }

    /// Asks a server's data, if any was named.
    private func server(_ corrections: ServedCorrections) async throws -> RegradePreview? {
        guard let storage = try storage() else { return nil }
        return try await storage.withUsers { users in
            guard let boards = users.boards, let regrader = users.regrader else {
                throw CommandFailure(.notFound, "This data has no sums of sessions.")
            }
            return try await regrader.preview(corrections, boards: boards)
        }
    }

    private func text(_ overview: RegradeOverview) -> String {
        var lines = overview.corrections.map { correction in
            "\(correction.bank) \(correction.question): \"\(correction.was)\" was wrong, \"\(correction.is)\" is"
                + " right; \(Console.count(correction.versions.count, "version"))"
                + (correction.day.map { ", \($0)" } ?? "")
        }
        lines.append(
            "Release \(overview.release) has"
                + " \(Console.count(overview.corrections.count, "correction")).")
        if let server = overview.server {
            lines.append(
                server.answers == 0
                    ? "No grade on the server would change."
                    : "On the server \(Console.count(server.answers, "grade")) of"
                        + " \(Console.count(server.learners, "learner")) would change, in"
                        + " \(Console.count(server.sessions, "session")), and"
                        + " \(Console.count(server.places, "place")) on open boards.")
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the place of a server's answers; `nil` when none was named.
    private func storage() throws -> StorageOptions? {
        guard try data != nil || database.address() != nil else { return nil }
        var storage = StorageOptions()
        storage.data = data
        storage.database = database
        return storage
    }
}
