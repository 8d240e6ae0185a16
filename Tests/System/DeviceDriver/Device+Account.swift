import ContentModel
import Foundation
import OfflineStorage
import SyncClient

extension Device {
    /// Does a command about the account.
    func identify(_ command: Command) async throws -> [String: JSONValue] {
        let email = command.email ?? ""
        switch command.action {
        case .upgrade: try await account.upgrade(email: email, password: Self.password)
        case .signIn:
            try await account.signIn(
                email: email, password: Self.password, bringing: .everything)
        default: try await account.signOut(erasing: command.erase ?? false)
        }
        return try place()
    }
}
