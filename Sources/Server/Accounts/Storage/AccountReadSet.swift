package import Foundation

/// The read set of a decision about an account.
///
/// ```swift
/// var keys = AccountReadSet(.email("ada@example.org"))
/// keys.readsSignInMethods = true
/// ```
package struct AccountReadSet: Sendable, Hashable {
    /// An identification of an account.
    package enum Name: Sendable, Hashable {
        /// The account's id.
        case id(String)
        /// Its sign-in email.
        case email(String)
        /// Its external identity.
        case identity(ExternalIdentity)
    }

    /// A code that was sent by email.
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
    /// The hash of a refresh token; if it is stored, its account is opened instead of the named one.
    package var token: Data?
    /// The session whose state is read.
    package var session: String?
    /// An external identity whose owner is read.
    package var identity: ExternalIdentity?
    /// An email whose owner is read.
    package var email: String?
    /// True to read the account's sign-in methods.
    package var readsSignInMethods = false
    /// A code of the account.
    package var code: Code?
    /// The target account of a move; both accounts are locked, and the state for the beginning of a move is read.
    package var moveTarget: String?
    /// True to read the moves into the account.
    package var readsMovesInto = false

    package init(_ account: Name? = nil) { self.account = account }

    /// The id that identifies the account; `nil` for another identification.
    package var id: String? {
        if case .id(let id)? = account { id } else { nil }
    }
}
