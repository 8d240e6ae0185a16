import ContentModel
import ContentServer
package import Foundation
import ServiceAPI

/// An email message with a code.
package struct AccountMessage: Sendable, Hashable {
    /// The purpose of a code.
    package enum Purpose: String, Sendable {
        /// Proves that the address belongs to the user.
        case verifyEmail
        /// Sets a new password.
        case resetPassword
        /// Informs the previous address of the change; the code reverts the change and sets a new password.
        case changeEmail
    }

    /// The purpose of the code.
    package let purpose: Purpose
    /// The address.
    package let email: String
    /// The code, a secret that authorizes for the address.
    package let code: String
    /// The end of its validity.
    package let expiresAt: Date
    /// The account, if its email has already changed; `nil` for other purposes.
    package let user: String?

    package init(
        purpose: Purpose, email: String, code: String, expiresAt: Date, user: String? = nil
    ) {
        self.purpose = purpose
        self.email = email
        self.code = code
        self.expiresAt = expiresAt
        self.user = user
    }
}

/// A destination of emailed codes; the server has no mail server of its own.
///
/// ```swift
/// let mailbox = try FileMailbox(folder: URL(fileURLWithPath: "/srv/mail"))
/// ```
package protocol MailSender: Sendable {
    /// Accepts a message for delivery.
    ///
    /// - Throws: An error; the code then becomes invalid.
    func deliver(_ message: AccountMessage) async throws
}

/// A mailbox that writes each message as a JSON file to a folder, from which an operator's program sends it.
///
/// Files appear complete, with names that end in `.json`, in order of time. The sending program deletes them. The
/// number of unsent files is bounded.
package struct FileMailbox: MailSender {
    private let folder: URL

    /// Opens a folder, or creates it.
    ///
    /// - Parameter folder: A folder for messages only.
    /// - Throws: An error of the file system.
    package init(folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    /// Writes a message.
    ///
    /// - Parameter message: The message.
    /// - Throws: `RequestError` `busy` when too many files are unsent, or an error of the file system.
    package func deliver(_ message: AccountMessage) async throws {
        let waiting = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard waiting.count < ServiceLimits.waitingMessagesMax else {
            throw RequestError(.busy, "No messages can be sent at the moment.")
        }
        let json = JSONValue.compact([
            "purpose": .string(message.purpose.rawValue), "email": .string(message.email),
            "code": .string(message.code),
            "expires": .string(message.expiresAt.formatted(.iso8601)),
            "user": message.user.map { .string($0) },
        ])
        let time = String(Int64(message.expiresAt.timeIntervalSince1970))
        try DurableFile.replace(
            folder.appending(path: "\(time)-\(RandomText.make(bytes: 9)).json"),
            with: Data(json.canonicalBytes))
    }
}
