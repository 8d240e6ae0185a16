import Crypto
package import Foundation
package import PostgresDriver

/// The claims of a transaction: the user whose rows are visible.
package struct UserClaims: Sendable, Hashable {
    /// The account's identity for policies: `auth.uid()` in SQL.
    package let user: UUID

    /// Derives the identity of an account.
    ///
    /// An id that is a UUID, such as Supabase gives, is its own identity. Any other becomes a UUID of
    /// version 8 from its SHA-256, so that no look-up is needed before a transaction.
    package init(of id: String) {
        user = UUID(uuidString: id) ?? Self.derived(from: id)
    }

    private static func derived(from id: String) -> UUID {
        var bytes = Array(SHA256.hash(data: Data("underway account \(id)".utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUID(bytes)
    }

    /// The claims as JSON, for policies.
    package var text: String {
        "{\"sub\":\"\(user.uuidString.lowercased())\",\"role\":\"authenticated\"}"
    }

    /// The statement that switches to the role of a user for the rest of the transaction.
    package var statement: PostgresStatement {
        """
        SELECT set_config('role', 'authenticated', true),
            set_config('request.jwt.claims', \(text), true)
        """
    }

    /// The statement that switches to the role of sign-in for the rest of the transaction.
    package static let accounts: PostgresStatement =
        "SELECT set_config('role', 'underway_accounts', true)"

    /// The statement that switches to the role of upkeep for the rest of the transaction.
    package static let keeper: PostgresStatement =
        "SELECT set_config('role', 'underway_keeper', true)"
}

extension UUID {
    /// Creates a UUID from the first 16 bytes.
    package init(_ bytes: some Sequence<UInt8>) {
        var uuid = uuid_t(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: Array(bytes.prefix(16))) }
        self.init(uuid: uuid)
    }
}
