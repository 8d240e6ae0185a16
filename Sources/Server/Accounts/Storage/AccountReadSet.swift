package import Foundation

/// Everything that a decision about an account needs to see.
///
/// ```swift
/// var keys = AccountReadSet(.email("ada@example.org"))
/// keys.readsSignInMethods = true
/// ```
package struct AccountReadSet: Sendable, Hashable {
    /// A name by which an account is found.
    package enum Name: Sendable, Hashable {
        /// Its id.
        case id(String)
        /// The email that opens it.
        case email(String)
        /// The external identity that opens it.
        case identity(ExternalIdentity)
    }

    /// A code that was sent by e-mail.
    package struct Code: Sendable, Hashable {
        /// The hash of the code.
        package var hash: Data
        /// The purpose of the code.
        package var purpose: AccountMessage.Purpose

        package init(hash: Data, purpose: AccountMessage.Purpose) {
            self.hash = hash
            self.purpose = purpose
        }
    }

    /// The account; `nil` for none.
    package var account: Name?
    /// The hash of a refresh token: if it is stored, its account is opened instead of the named one.
    package var token: Data?
    /// The session whose state is needed.
    package var session: String?
    /// An external identity whose owner is needed.
    package var identity: ExternalIdentity?
    /// An email whose owner is needed.
    package var email: String?
    /// True when the account's sign-in methods are needed.
    package var readsSignInMethods = false
    /// A code of the account.
    package var code: Code?
    /// The account that the named one is to move into; both are locked, and what a move's beginning needs is read.
    package var moveTarget: String?
    /// True when the moves into the account are needed.
    package var readsMovesInto = false

    package init(_ account: Name? = nil) { self.account = account }

    /// The id by which the account is named; `nil` when it is named otherwise.
    package var id: String? {
        if case .id(let id)? = account { id } else { nil }
    }
}
