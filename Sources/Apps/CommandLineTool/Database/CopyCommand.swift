import ArgumentParser
import ContentModel
import Foundation
import Operations
import PostgresDriver

extension DatabaseCommand {
    struct Copy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "copy",
            abstract: "Copy all users from SQLite to PostgreSQL, or back.",
            discussion: """
                One side is a folder of users, as in `underway serve --data`. The other is the address of a \
                PostgreSQL database, with the login that runs `underway db migrate`. Stop all servers first: the \
                copy does not start while a server uses either side, and no server can start during it.

                The target must be empty, and shows nothing until everything is copied and compared: the number of \
                rows, and a SHA-256 of each table as read back. If a copy fails or is killed, the target is as \
                before, and you can run it again. The copy never changes the source. Statistics are computed again, \
                and difficulties of questions come from the release.

                To move to PostgreSQL, run `underway db migrate` on a new database, then the copy. Then move \
                `users.sqlite` away, and start the servers with the same folder (and --keys), because they still \
                need its `token-key`.
                """,
            examples: ["underway db copy --from users --to postgres://admin@localhost/underway"])
        // Parsed later than by the parser, which would quote an address with its password.
        @Option(help: "The folder of users, or the address (postgres://…), to read.")
        var from: String
        @Option(help: "The folder of users, or the address (postgres://…), to write.")
        var to: String
        @Option(
            help: "The folder of token-key and revocations (default: the folder of users).",
            transform: PathArgument.path)
        var keys: String?
        @OptionGroup var outputOptions: OutputOptions

        func validate() throws {
            switch (try UserPlace(from, of: "--from"), try UserPlace(to, of: "--to")) {
            case (.folder, .database), (.database, .folder): break
            case (.folder, .folder):
                throw ValidationError(
                    "One side is a database, as postgres://…; two folders need no more than `sqlite3"
                        + " users.sqlite \".backup …\"`.")
            case (.database, .database):
                throw ValidationError(
                    "One side is a folder of users; from one PostgreSQL to another, use pg_dump and"
                        + " pg_restore.")
            }
        }

        func run() async throws {
            let from = try UserPlace(from, of: "--from")
            let to = try UserPlace(to, of: "--to")
            let report = try await reportingErrors {
                do {
                    return try await copy(from, to)
                } catch let error as CopyError {
                    throw CommandFailure(error)
                }
            }
            Console.say(text(report, from, to), json: json(report, from, to))
        }

        private func copy(_ from: UserPlace, _ to: UserPlace) async throws -> CopyReport {
            switch (from, to) {
            case (.folder(let folder), .database(let address)):
                try await CommandFailure.naming(address) {
                    try await UserCopy(users(folder), address).toDatabase()
                }
            case (.database(let address), .folder(let folder)):
                try await CommandFailure.naming(address) {
                    try await UserCopy(users(folder), address).toFolder()
                }
            default: throw CommandFailure(.usage, "One side is a folder, the other a database.")
            }
        }

        private func users(_ folder: String) -> UserFolder {
            UserFolder(
                URL(fileURLWithPath: folder), keys: keys.map { URL(fileURLWithPath: $0) })
        }

        // MARK: Output

        private func text(_ report: CopyReport, _ from: UserPlace, _ to: UserPlace) -> String {
            let rows = report.tables.map { table in
                "\(table.table.name): \(table.sum.rows), sha256 \(table.sum.sha256.prefix(16))"
            }
            return
                (["Copied \(from.text) to \(to.text); counts and digests of both agree."]
                + rows + ["revocations: \(report.revocations)", nextSteps(from, to)]).joined(
                    separator: "\n")
        }

        private func nextSteps(_ from: UserPlace, _ to: UserPlace) -> String {
            switch from {
            case .folder(let folder):
                "Next: move \(folder)/users.sqlite away, since `underway serve --database` refuses to start"
                    + " beside it; then start it with the same --data"
                    + (keys == nil ? "" : " and --keys")
                    + ". token-key stays where it is; every further process needs a copy of it."
            case .database:
                "Next: start `underway serve` with --data \(to.text)"
                    + (keys.map { " --keys \($0)" } ?? "")
                    + " and without --database. The folder of the keys must have the token-key of the servers"
                    + " that used the database. Their database stays as it is: let no server write there again."
            }
        }

        private func json(
            _ report: CopyReport, _ from: UserPlace, _ to: UserPlace
        ) -> JSONValue {
            [
                "from": .string(from.text), "to": .string(to.text),
                "revocations": .integer(report.revocations), "next": .string(nextSteps(from, to)),
                "tables": .array(
                    report.tables.map { table in
                        [
                            "name": .string(table.table.name),
                            "rows": .integer(table.sum.rows),
                            "sha256": .string(table.sum.sha256),
                        ]
                    }),
            ]
        }
    }
}

/// The place of users: a folder with SQLite, or a PostgreSQL database.
enum UserPlace {
    case folder(String)
    case database(PostgresAddress)

    /// Parses the value of an option.
    ///
    /// - Throws: `ValidationError`, which never quotes an address.
    init(_ text: String, of option: String) throws {
        guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else {
            guard !text.isEmpty else {
                throw ValidationError("\(option) is empty. Name a folder, or an address.")
            }
            self = .folder(text)
            return
        }
        do {
            var address = try PostgresAddress(text)
            if address.applicationName == nil { address.applicationName = "underway db copy" }
            self = .database(address)
        } catch {
            throw ValidationError("\(option): \(error)")
        }
    }

    /// The folder, or the address without its password.
    var text: String {
        switch self {
        case .folder(let path): path
        case .database(let address): address.description
        }
    }
}

extension CommandFailure {
    /// Translates the reason why users cannot be copied.
    init(_ error: CopyError) {
        let code: Code =
            switch error.code {
            case .missing, .damaged, .differs: .files
            case .inUse: .busy
            case .notEmpty, .otherVersion, .refusedRow, .wrongCredentials: .refused
            }
        self.init(code, error.message, place: error.place.isEmpty ? nil : error.place)
    }
}
