import ContentModel
import Foundation
import Logging
import OfflineStorage
import ServiceAPI

/// The deletion of an account, which resumes from its stored intent after any interruption.
extension Account {
    private static func deletedName(_ user: String) -> String { "deleted \(user)" }

    /// Deletes the account on the server and the data on the device, irrevocably.
    ///
    /// Each later sync resumes an interrupted deletion.
    ///
    /// | code of the error | what happened |
    /// |---|---|
    /// | `deletionUnknown` | The server did not reply. Each sync retries. |
    /// | `deletedThere` | Deleted on the server. This device still has a copy, which the next sync removes. |
    /// | any other | Nothing was deleted. |
    ///
    /// - Throws: `ServiceError`, or an error of the store before the request was sent.
    public func delete() async throws {
        try await lane.steps.run {
            // What moves into another account is deleted with that one.
            try await resumeMovesInTurn()
            let user = store.user
            guard try tokens(of: user) != nil else {
                throw ServiceError(
                    .unauthorized, "There is no account yet. Sync, or sign in.", status: 401)
            }
            try store.intendDeletion(of: user)
            try await deleteOnServer(user)
            try removeCopy(of: user)
        }
    }

    /// Resumes interrupted deletions.
    ///
    /// - Returns: True when the deletion of the current user is complete now.
    /// - Throws: `ServiceError` when the current user's account may or may not exist.
    func resumeDeletions() async throws -> Bool {
        var isOver = false
        for user in try store.intendedDeletions() {
            let isCurrent = user == store.user
            do {
                try await deleteOnServer(user)
                try await lane.steps.run { try removeCopy(of: user) }
                isOver = isOver || isCurrent
            } catch {
                // The data of others is synced meanwhile.
                if isCurrent { throw error }
            }
        }
        return isOver
    }

    /// Sends the deletion to the server, unless it was already confirmed.
    private func deleteOnServer(_ user: String) async throws {
        guard try secrets.secret(Self.deletedName(user)) == nil,
            try storedTokens(of: user) != nil
        else { return }
        do {
            try await withToken(of: user) { token in
                try await client.perform("DELETE", path("account"), token: token)
            }
        } catch let error as ServiceError where error.code == .noAccount {
            // Deleted by an earlier request whose reply was lost, or on another device.
        } catch let error as ServiceError where error.isFinal {
            try store.forgetDeletion(of: user)
            throw error
        } catch let error as ServiceError {
            throw ServiceError(
                .deletionUnknown,
                "The server did not confirm the deletion. This device asks again.",
                retryAfter: error.retryAfter, cause: error)
        }
    }

    /// Removes this device's data of an account that the server has deleted: rows, secrets, then the intent.
    private func removeCopy(of user: String) throws {
        do {
            // A store that cannot be written must not have the server asked again.
            try? secrets.set(Self.deletedName(user), Data("deleted".utf8))
            try store.removeDeleted(user)
            try save(nil, of: user)
            try store.forgetDeletion(of: user)
            try secrets.set(Self.deletedName(user), nil)
        } catch {
            throw ServiceError(
                .deletedThere,
                "The account is deleted on the server, but this device still has a copy. The next sync removes it.",
                status: 204, cause: error)
        }
        logger.debug("account deleted")
    }
}

extension ServiceError {
    /// True for a rejection after which the server has certainly done nothing, now or later.
    ///
    /// A reply without a reason may come from an intermediate host, such as a captive portal.
    var isFinal: Bool {
        (400..<500).contains(details.status) && details.status != 408 && code != .unspecified
    }
}
