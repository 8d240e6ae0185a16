public import ServiceAPI

extension Account {
    /// The devices that use the account, the last used first.
    ///
    /// - Throws: `ServiceProblem`.
    public func devices() async throws -> [DeviceBody] {
        try await withToken { token in
            try DeviceBody.list(
                try await client.send("GET", UserDataRoutes.devices, token: token).body)
        }
    }

    /// Forgets a device that is not used any more; what it sent stays.
    ///
    /// - Parameter id: As `devices` names it.
    /// - Throws: `ServiceProblem` `notFound`.
    public func forgetDevice(_ id: String) async throws {
        // Every other character of an id may stand in a path as it is.
        let name = id.replacing("/", with: "%2F")
        _ = try await withToken { token in
            try await client.send("DELETE", "\(UserDataRoutes.devices)/\(name)", token: token)
        }
    }
}
