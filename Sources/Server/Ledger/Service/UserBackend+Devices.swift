import ContentServer
import ServiceAPI

/// A device of a user, as the server knows it.
package struct UserDevice: Sendable, Hashable {
    /// The device's own id.
    package var id: String
    /// The time of its last exchange, in milliseconds since 1970.
    package var lastSeenMilliseconds: Int64
    /// The number of its answers on the server.
    package var answers: Int
    /// The number of results of its changes that it has not fetched yet.
    package var unreadResults: Int

    package init(id: String, lastSeenMilliseconds: Int64, answers: Int, unreadResults: Int) {
        self.id = id
        self.lastSeenMilliseconds = lastSeenMilliseconds
        self.answers = answers
        self.unreadResults = unreadResults
    }
}

extension UserBackend {
    /// Returns the active devices of a user, the last used first.
    ///
    /// - Throws: `UserServiceError` `noAccount`.
    package func devices(of user: String) async throws -> [UserDevice] {
        try await translatingErrors(of: user) {
            try await ledger.storage.devices(of: user).filter { !BranchName.isBranch($0.id) }
        }
    }

    /// Retires a device: it no longer counts as active, and its data stays.
    ///
    /// A retired device that syncs again gets a new identity and continues.
    /// - Parameters:
    ///   - id: The device.
    ///   - user: The account.
    /// - Throws: `UserServiceError` `notFound`, `noAccount`.
    package func forgetDevice(_ id: String, of user: String) async throws {
        let isKnown = try await translatingErrors(of: user) {
            try await ledger.forget(device: id, of: user)
        }
        guard isKnown else {
            throw UserServiceError(.notFound, "There is no such device.")
        }
    }
}
