import Accounts
import ArgumentParser
import ContentModel
import Foundation
import Ledger

extension Role: ExpressibleByArgument {}

/// The command for the roles of accounts.
struct RoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role",
        abstract: "Give roles to accounts, take and list them.",
        discussion: """
            Every role may read how many devices have which release, an administrator the audit log too; author and \
            publisher are for those who edit and publish content. Only this command changes roles, on the server's \
            machine; each change is in the audit log, and counts from the account's next request on. An email that \
            its owner did not verify names nobody: use the account's id.
            """,
        subcommands: [Grant.self, Revoke.self, List.self])

    struct Grant: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "grant", abstract: "Give a role to an account.")
        @OptionGroup var change: Change

        func run() async throws { try await change.apply(isGranted: true) }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Take a role from an account.")
        @OptionGroup var change: Change

        func run() async throws { try await change.apply(isGranted: false) }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the accounts that have a role.")
        @OptionGroup var storage: StorageOptions
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            let roles = try await storage.withUsers {
                try await $0.administration?.storage.roles() ?? []
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
            let (id, isChanged) = try await storage.withUsers { users in
                let named = try await users.neededUser(user)
                guard named.isProven || !isGranted else {
                    throw CommandFailure(
                        .refused,
                        "Nobody has proved to own this email: a stranger can have entered it. Let the person"
                            + " read you the id that `underway account show` or the app says, and name the account"
                            + " by that.")
                }
                let id = named.id
                let isChanged = try await users.administration?.set(
                    role, isGranted: isGranted, of: id, by: Operator.name)
                return (id, isChanged ?? false)
            }
            let name = role.rawValue
            let text =
                switch (isGranted, isChanged) {
                case (true, true): "\(id) has the role \(name) now."
                case (true, false): "\(id) had the role \(name) already; nothing changed."
                case (false, true): "\(id) has the role \(name) no more."
                case (false, false): "\(id) did not have the role \(name); nothing changed."
                }
            Console.say(
                text,
                json: [
                    "user": .string(id), "role": .string(name), "isGranted": .bool(isGranted),
                    "isChanged": .bool(isChanged),
                ])
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
