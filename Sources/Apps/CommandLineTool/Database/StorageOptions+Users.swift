import Accounts
import ContentModel
import Foundation
import Ledger
import Operations
import PostgresDriver
import ServerApplication
import Tables
import Workflows

extension StorageOptions {
    /// Runs a body with the users' data, beside servers that run.
    ///
    /// - Throws: `CommandFailure`.
    func withUsers<Value: Sendable>(
        _ body: @Sendable (UserBackend) async throws -> Value
    ) async throws -> Value {
        try await reportingErrors {
            switch try place() {
            case .file(let path):
                return try await body(UserBackend.reader(.ofServer(path: path)))
            case .address(let address):
                return try await CommandFailure.naming(address) {
                    let pool = PostgresPool(PoolSettings(address))
                    do {
                        try await pool.use { try PostgresMigrator().check($0) }
                        let value = try await body(UserBackend.reader(pool))
                        await pool.close()
                        return value
                    } catch {
                        await pool.close()
                        throw error
                    }
                }
            }
        }
    }
}

extension StorageOptions {
    /// Runs a workflow on the users' data.
    ///
    /// - Parameters:
    ///   - workflow: The workflow.
    ///   - folders: The author's folders, where it changes them.
    ///   - signing: The keys that sign what it publishes.
    /// - Returns: What was done.
    /// - Throws: `CommandFailure`.
    func run(
        _ workflow: some Workflow, in folders: FolderOptions? = nil,
        _ signing: SigningOptions? = nil
    ) async throws -> Outcome {
        let (content, release) = (folders?.content ?? "", folders?.release ?? "")
        return try await withUsers { users in
            try await workflow.run(
                in: Workplace(
                    content: content, release: release, keys: signing?.keys, users: users),
                by: Operator.actor)
        }
    }
}

extension UserBackend {
    /// Finds the account of a name that an operator typed.
    ///
    /// - Throws: `CommandFailure` `notFound`.
    func neededUser(_ name: String) async throws -> NamedUser {
        guard let user = try await findUser(name) else {
            throw CommandFailure(.notFound, "There is no account with this email or id.")
        }
        return user
    }

    /// Writes into the audit log what the operator did by a command.
    ///
    /// - Throws: `CommandFailure` when it was done and cannot be written down.
    func note(
        _ action: AuditEntry.Action, _ subject: String, _ detail: String = ""
    ) async throws {
        do {
            try await administration?.note(action, subject, detail, by: Operator.name)
        } catch {
            throw CommandFailure(
                .files, "It is done, but the audit log could not be written: \(error).")
        }
    }
}
