import ContentModel
public import Foundation
import ServiceAPI

/// A code that somebody must receive by e-mail.
public struct AccountMessage: Sendable, Hashable {
    /// The reason for a code.
    public enum Purpose: String, Sendable {
        /// Proves that the address is the user's.
        case verifyEmail
        /// Sets a new password.
        case resetPassword
    }

    /// The reason.
    public let purpose: Purpose
    /// The address.
    public let email: String
    /// The code; whoever knows it acts for the address.
    public let code: String
    /// The end of its validity.
    public let expiresAt: Date
}

/// Where codes go to be sent by e-mail; the server has no mail server of its own.
///
/// ```swift
/// let mailbox = try FileMailbox(folder: URL(fileURLWithPath: "/srv/mail"))
/// ```
public protocol Mailbox: Sendable {
    /// Hands a message over.
    ///
    /// - Throws: An error; the code is not valid then.
    func deliver(_ message: AccountMessage) async throws
}

/// Writes each message as a JSON file into a folder, from which a program of the operator sends it.
///
/// Files appear whole, under names that end with `.json`, in the order of time; whoever sent one
/// deletes it. A folder that nobody empties is not filled beyond a bound.
public struct FileMailbox: Mailbox {
    private let folder: URL

    /// Opens a folder, making it if there is none.
    ///
    /// - Parameter folder: For messages alone.
    /// - Throws: An error of the file system.
    public init(folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    /// Writes a message.
    ///
    /// - Parameter message: What is to be sent.
    /// - Throws: `UserServiceError` `busy` when too many wait, or an error of the file system.
    public func deliver(_ message: AccountMessage) async throws {
        let waiting = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard waiting.count < ServiceLimits.waitingMessagesMax else {
            throw UserServiceError(.busy, "No messages can be sent at the moment.")
        }
        let json: JSONValue = [
            "purpose": .string(message.purpose.rawValue), "email": .string(message.email),
            "code": .string(message.code),
            "expires": .string(message.expiresAt.formatted(.iso8601)),
        ]
        let time = String(Int64(message.expiresAt.timeIntervalSince1970))
        try DurableFile.replace(
            folder.appending(path: "\(time)-\(RandomText.make(bytes: 9)).json"),
            with: Data(json.canonicalBytes))
    }
}
