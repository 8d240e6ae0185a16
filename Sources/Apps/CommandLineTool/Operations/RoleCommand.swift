import Accounts
import ArgumentParser
import ContentModel
import Foundation
import Ledger
import Workflows

extension Role: ExpressibleByArgument {}

/// The command for the roles of accounts.
struct RoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role",
        abstract: "Grant, revoke and list the roles of accounts.",
        discussion: """
            Every role may read which releases devices have, and an administrator also the audit log. Authors edit \
            content; publishers publish it. Only this command changes roles, on the server's machine. The \
            audit log records each change, which applies from the account's next request. To name an account by its \
            email, the email must be verified; otherwise use the account's id.
            """,
        examples: ["underway role list --data users"],
        subcommands: [Grant.self, Revoke.self, List.self])

    struct Grant: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "grant",
            abstract: "Grant a role to an account.",
            examples: ["underway role grant ada@example.org author --data users"])
        @OptionGroup var change: Change

        func run() async throws { try await change.apply(isGranted: true) }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Revoke a role of an account.",
            examples: ["underway role revoke ada@example.org author --data users"])
        @OptionGroup var change: Change

        func run() async throws { try await change.apply(isGranted: false) }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the accounts that have a role.",
            examples: ["underway role list --data users"])
        @OptionGroup var storage: StorageOptions
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            let roles = try await storage.withUsers {
                try await $0.administration?.roles() ?? []
            }
            let lines = roles.map { role in
                "\(role.role.rawValue)  \(role.user)" + (role.email.map { "  \($0)" } ?? "")
                    + "  since \(Date(milliseconds: role.since).formatted(.iso8601))"
            }
            Console.say(
                lines.isEmpty
                    ? "No account has a role. `underway role grant` gives one."
                    : lines.joined(separator: "\n"),
                json: .array(roles.map(\.json)))
        }
    }

    /// The arguments of a change.
    struct Change: ParsableArguments {
        @Argument(help: "The account's id, or its verified email.")
        var user: String
        @Argument(help: "The role: author, publisher or administrator.")
        var role: Role
        @OptionGroup var storage: StorageOptions
        @OptionGroup var outputOptions: OutputOptions

        func apply(isGranted: Bool) async throws {
            let outcome = try await storage.run(RoleChange(role, isGranted: isGranted, to: user))
            Console.say(outcome.sentence, json: outcome.json)
        }
    }
}

extension Date {
    /// The time of a number of milliseconds since 1970.
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension RoleAssignment {
    fileprivate var json: JSONValue {
        .compact([
            "user": .string(user), "email": email.map { .string($0) },
            "role": .string(role.rawValue),
            "since": .string(Date(milliseconds: since).formatted(.iso8601)),
        ])
    }
}
