import Foundation
import UserData

/// The names of stores and of processes in an account.
@usableFromInline enum DeviceName {
    /// Returns a new globally unique name of a store: `d` and 128 random bits in 22 characters.
    @usableFromInline static func random() -> String {
        let bits = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        let text = Data(bits).base64EncodedString().prefix(22)
        return "d" + text.replacing("+", with: "-").replacing("/", with: "_")
    }

    /// Returns the name of a store or, for the local user, of a process: `w` and 64 of its bits in 11 characters.
    ///
    /// A name that the app provides is used unchanged.
    static func client(_ name: String, of user: String) -> ClientID {
        let isOwn = name.hasPrefix("d") && name.utf8.count == 23
        guard user == DeviceState.localUser, isOwn else { return ClientID(name) }
        return ClientID("w" + name.dropFirst().prefix(11))
    }
}
