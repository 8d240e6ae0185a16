import ContentDatabase
import ContentModel
import Operations
import PostgresDriver
import Tables

extension CommandFailure {
    /// Translates an error of a database; `nil` for another error.
    static func ofPostgres(_ error: any Error) -> CommandFailure? {
        switch error {
        case let error as PostgresMigrationError: CommandFailure(.refused, error.description)
        case let error as PostgresLoginError: CommandFailure(.refused, error.description)
        case let error as PostgresClockError: CommandFailure(.refused, error.description)
        case let error as PostgresError: CommandFailure(.network, advice(on: error))
        case let error as ContentDatabaseError: CommandFailure(.network, error.message)
        case let error as StorageError: CommandFailure(.network, advice(on: error))
        default: nil
        }
    }

    /// Runs the work of a command on a database, and names the database in an error of it.
    static func naming<Value>(
        _ address: PostgresAddress, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch {
            guard var failure = ofPostgres(error) else { throw error }
            failure.place = address.description
            throw failure
        }
    }

    private static func advice(on error: PostgresError) -> String {
        switch error.code {
        case .cannotConnect, .connectionLost, .replyOverdue:
            "The database does not answer\(reason(of: error)). Does it run, and are host, port, certificate and"
                + " password of the address right?"
        case .invalidPassword, .invalidAuthorization:
            "The database refused the login. Are user and password right (in the address, PGPASSWORD or"
                + " ~/.pgpass), and does pg_hba.conf allow them from here? `underway db migrate` makes the"
                + " login underway_server, without a password."
        case .unknownDatabase:
            "The server has no such database. `createdb` makes one."
        case .insufficientPrivilege:
            "The login may not do that (\(error)). Migrations need a superuser, or a login that may create"
                + " roles and the database's schemas."
        case .raisedException:
            error.serverMessage.map { "\($0.reveal()) Nothing was changed." }
                ?? "The database failed: \(error)."
        case .protocolViolation where error.phase == .connecting:
            "The database refuses the connection\(reason(of: error)). Through a pooler, name the database itself."
        case .readOnlyTransaction:
            "The database is read-only, or a standby. Name the primary server."
        case .tooManyConnections:
            "The database has no connection left. End some, or raise its max_connections."
        case .diskFull:
            "The disk of the database is full. Nothing was changed."
        default:
            "The database failed: \(error)."
        }
    }

    /// Returns what libpq says of a connection that was not made, which names host and file at most.
    private static func reason(of error: PostgresError) -> String {
        guard error.phase == .connecting, let words = error.serverMessage?.reveal() else {
            return ""
        }
        return words.split(whereSeparator: \.isNewline).first.map { " (\($0))" } ?? ""
    }

    private static func advice(on error: StorageError) -> String {
        switch error {
        case .busy: "The database is busy. Try again in a moment."
        case .outdatedSchema(let text):
            "The database is not of this version (\(text)). Run `underway db migrate` of this version."
        default: "The database of users cannot be used for now. Nothing was changed."
        }
    }
}
