import Accounts
import ArgumentParser
import ContentModel
import Foundation
import Ledger
import ServiceAPI

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show who did what on the server.",
        discussion: """
            The log has roles, deletions, boards, events and releases, the newest entries last. An entry names an \
            account by its id, never by an email. The server removes it after \(ServiceLimits.auditDays) days. \
            `underway history` shows who published.
            """,
        examples: [
            "underway audit --data users",
            "underway audit --action role --last 10 --data users",
        ])

    @Option(help: "The number of entries.")
    var last = 50
    @Option(help: "Only entries with a smaller number, to read further back.")
    var before: Int64?
    @Option(help: "Only this action; for example role.granted, or role for all that begin with it.")
    var action: String?
    @OptionGroup var storage: StorageOptions
    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard (1...ServiceLimits.auditPageMax).contains(last) else {
            throw ValidationError("--last takes 1 to \(ServiceLimits.auditPageMax).")
        }
        guard before.map({ $0 > 0 }) ?? true else {
            throw ValidationError("--before takes the number of an entry, from 1.")
        }
    }

    func run() async throws {
        let entries = try await storage.withUsers {
            try await $0.administration?.entries(
                before: before, limit: last, action: action) ?? []
        }
        let lines = entries.reversed().map { entry in
            "\(entry.number)  \(Date(milliseconds: entry.time).formatted(.iso8601))"
                + "  \(entry.actor)  \(entry.action.rawValue)  \(entry.subject)"
                + (entry.detail.isEmpty ? "" : "  \(entry.detail)")
        }
        Console.say(
            lines.isEmpty
                ? "There is no entry." : lines.map(Console.shown).joined(separator: "\n"),
            json: .array(entries.reversed().map(\.json)))
    }
}
