import ContentModel

/// A device of an account in the reply of the device list.
public struct DeviceBody: Sendable, Hashable, Identifiable {
    /// The device's id.
    public var id: String
    /// The time of its last exchange, in milliseconds since 1970.
    public var lastSeenMilliseconds: Int64
    /// The number of its answers stored on the server.
    public var answers: Int

    /// Parses `{"devices": […]}`.
    ///
    /// - Parameter bytes: The body.
    /// - Returns: The devices, the last used first.
    /// - Throws: `WireError` when the list is malformed.
    package static func list(_ bytes: [UInt8]) throws(WireError) -> [DeviceBody] {
        let nodes = try WireObject.parse(bytes).array("devices") ?? []
        var devices: [DeviceBody] = []
        for (index, node) in nodes.enumerated() {
            let object = try WireObject(node, "devices[\(index)]")
            devices.append(
                DeviceBody(
                    id: try object.id("id"),
                    lastSeenMilliseconds: Int64(try object.requiredNumber("lastSeen")),
                    answers: Int(try object.requiredNumber("answers"))))
        }
        return devices
    }
}
