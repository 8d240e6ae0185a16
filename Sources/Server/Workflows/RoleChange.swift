package import Accounts
import ContentModel
import Ledger

/// A grant or revocation of a role; one transaction stores the change and its audit entry.
package struct RoleChange: Workflow {
    private let role: Role
    private let isGranted: Bool
    private let account: String

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - role: The role.
    ///   - isGranted: True to grant the role, false to revoke it.
    ///   - account: The account's id or email.
    package init(_ role: Role, isGranted: Bool, to account: String) {
        (self.role, self.isGranted, self.account) = (role, isGranted, account)
    }

    /// Changes the role.
    ///
    /// - Throws: ``WorkflowError`` `notFound`, and `conflict` for an unverified email, or for an administrator's own
    ///   role; `StorageError`. Then nothing is changed.
    package func run(in place: Workplace, by actor: Actor) async throws -> Outcome {
        guard let users = place.users, let administration = users.administration,
            let found = try await users.findUser(account)
        else { throw WorkflowError(.notFound, "There is no account with this email or id.") }
        // Anybody can make an account with anybody's email.
        guard found.isProven || !isGranted else {
            throw WorkflowError(
                .conflict,
                "Nobody has proved to own this email: a stranger can have entered it. Let the person verify it in the app, or"
                    + " read you the id that the app or `underway account show` says, and name the account by that."
            )
        }
        guard isGranted || found.id != actor.id || role != .administrator else {
            throw WorkflowError(.conflict, "Another administrator takes this role from you.")
        }
        let isChanged = try await administration.set(
            role, isGranted: isGranted, of: found.id, by: actor.id)
        return Outcome(
            sentence: sentence(isChanged),
            json: [
                "user": .string(found.id), "role": .string(role.rawValue),
                "isGranted": .bool(isGranted), "isChanged": .bool(isChanged),
            ])
    }

    private func sentence(_ isChanged: Bool) -> String {
        let name = role.rawValue
        return switch (isGranted, isChanged) {
        case (true, true): "\(account) has the role \(name) now."
        case (true, false): "\(account) had the role \(name) already; nothing changed."
        case (false, true): "\(account) has the role \(name) no more."
        case (false, false): "\(account) did not have the role \(name); nothing changed."
        }
    }
}
