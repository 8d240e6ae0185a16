import ContentServer
import ServiceAPI
import UserData

extension UserBackend {
    /// Returns the active devices of a user, the last used first.
    ///
    /// - Throws: `RequestError` `noAccount`.
    package func devices(of user: String) async throws -> [LedgerDevice] {
        var keys = LedgerReadSet(user: user, client: Ledger.plainRequests, now: 0)
        keys.listsDevices = true
        return try await translatingErrors(of: user) {
            try await ledger.storage.open(keys).devicesInUse
                .filter { !BranchName.isBranch($0.client.text) }
        }
    }

    /// Retires a device: it no longer counts as active, and its data stays.
    ///
    /// A retired device that syncs again gets a new identity and continues.
    /// - Parameters:
    ///   - id: The device.
    ///   - user: The account.
    /// - Throws: `RequestError` `notFound`, `noAccount`.
    package func forgetDevice(_ id: String, of user: String) async throws {
        let isKnown = try await translatingErrors(of: user) {
            try await ledger.forget(device: id, of: user)
        }
        guard isKnown else {
            throw RequestError(.notFound, "There is no such device.")
        }
    }
}
