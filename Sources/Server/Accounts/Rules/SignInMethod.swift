import Crypto
import Foundation

/// A sign-in method of an account: an email with a password, or an external identity.
package struct SignInMethod: Sendable, Hashable {
    /// `email`, or an id derived from the external identity.
    package let id: String
    /// The email, or the issuer's name for the user.
    package let name: String
    /// The issuer of an external identity; `nil` for email and password.
    package let issuer: String?
    /// True for an email that was verified by a code.
    package let isVerified: Bool

    package static let emailID = "email"

    /// Returns a short id of an identity that fits into a path, without collisions by chance.
    static func id(issuer: String, subject: String) -> String {
        let digest = SHA256.hash(data: Data((issuer + "\u{0}" + subject).utf8))
        return "x" + Base64URL.text(Data(digest.prefix(15)))
    }
}
