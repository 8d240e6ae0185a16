public import Foundation
import ServiceAPI

/// A device that uses an account.
///
/// ```swift
/// for device in try await account.devices() {
///     print(device.id, device.lastSeen, device.answerCount)
/// }
/// ```
public struct AccountDevice: Sendable, Hashable, Identifiable {
    /// The device's id.
    public var id: String
    /// The time of its last exchange with the server, by the server's clock.
    public var lastSeen: Date
    /// The number of its answers on the server.
    public var answerCount: Int

    /// Creates a device.
    public init(id: String, lastSeen: Date, answerCount: Int) {
        self.id = id
        self.lastSeen = lastSeen
        self.answerCount = answerCount
    }

    init(_ body: DeviceBody) {
        self.init(
            id: body.id,
            lastSeen: Date(timeIntervalSince1970: Double(body.lastSeenMilliseconds) / 1000),
            answerCount: body.answers)
    }
}
