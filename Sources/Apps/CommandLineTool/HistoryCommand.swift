import ArgumentParser
import ContentModel
import Foundation
import Publishing

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show who published which release, and when.",
        discussion: """
            The record covers the last 1,000 releases. It names the account and the machine that ran \
            `underway publish`, `rollback` or `rollout`. It is stored in `.underway` in the release directory. It is \
            never served, so a copy of the release on another host does not have it.
            """,
        examples: ["underway history --release release"])

    @Option(help: "The release directory (default: release).", transform: PathArgument.path)
    var release = "release"
    @OptionGroup var outputOptions: OutputOptions

    func run() async throws {
        guard FileManager.default.fileExists(atPath: release) else {
            throw CommandFailure(
                .notFound, "There is no folder \(release). Run `underway publish` to make one.",
                place: release)
        }
        let publisher = FolderOptions.reader(of: release)
        let publications = try await reportingErrors { try publisher.publications() }
        let lines = publications.map { entry in
            let time = Date(timeIntervalSince1970: Double(entry.seconds)).formatted(.iso8601)
            let author = entry.author.isEmpty ? "nobody named" : entry.author
            return "\(entry.release)  \(time)  \(Console.shown(author))"
                + (entry.action == .publish ? "" : "  \(entry.action.rawValue)")
                // Of a release that was pruned nobody knows it any more.
                + ((try? publisher.rollout(of: entry.release)).map { "  to \($0.words)" } ?? "")
        }
        Console.say(
            lines.isEmpty
                ? "No publication is recorded in \(release)." : lines.joined(separator: "\n"),
            json: .array(publications.map(\.json)))
    }
}

extension Publication {
    fileprivate var json: JSONValue {
        [
            "release": .integer(release), "author": .string(author),
            "time": .string(Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)),
            "isRollback": .bool(action == .rollback), "action": .string(action.rawValue),
        ]
    }
}
