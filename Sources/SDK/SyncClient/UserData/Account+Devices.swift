import Logging
import ServiceAPI

extension Account {
    /// Returns the devices that use the account, the last used first.
    ///
    /// - Throws: `ServiceError`.
    public func devices() async throws -> [AccountDevice] {
        try await withToken { token in
            let reply = try await client.send("GET", UserDataRoutes.devices, token: token)
            return try ServiceError.reading { try DeviceBody.list(reply.body) }
                .map(AccountDevice.init)
        }
    }

    /// Removes a device that is no longer used; the data that it sent remains.
    ///
    /// - Parameter id: The device's `id` in ``devices()``.
    /// - Throws: `ServiceError` `notFound`.
    public func removeDevice(_ id: String) async throws {
        // Every other character of an id is allowed in a path.
        let name = id.replacing("/", with: "%2F")
        try await withToken { token in
            try await client.perform("DELETE", "\(UserDataRoutes.devices)/\(name)", token: token)
        }
        logger.debug("device removed")
    }
}
