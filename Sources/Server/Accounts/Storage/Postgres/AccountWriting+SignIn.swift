import Foundation
import PostgresDriver

extension AccountWriting {
    static func statements(_ change: SignInChange) -> [PostgresStatement] {
        switch change {
        case .setPassword(let password, let id): [setting(password, of: id)]
        case .removePassword(let id):
            [
                """
                DELETE FROM underway.password
                WHERE account = (SELECT number FROM underway.account WHERE id = \(id))
                """
            ]
        case .link(let identity, let id):
            [
                """
                INSERT INTO underway.identity (issuer, subject, account)
                VALUES (\(identity.issuer), \(identity.subject),
                    (SELECT number FROM underway.account WHERE id = \(id)))
                """
            ]
        case .unlink(let identity, let id):
            [
                """
                DELETE FROM underway.identity
                WHERE issuer = \(identity.issuer) AND subject = \(identity.subject)
                    AND account = (SELECT number FROM underway.account WHERE id = \(id))
                """
            ]
        case .addCode(let key, let code, let id):
            [
                """
                INSERT INTO underway.email_code (account, purpose, hash, email, expires_at)
                VALUES ((SELECT number FROM underway.account WHERE id = \(id)),
                    \(key.purpose.rawValue), \([UInt8](key.hash)), \(code.email), \(code.expiresAt))
                """
            ]
        case .removeCodes(let id, let email, let kept):
            [
                """
                DELETE FROM underway.email_code
                WHERE account = (SELECT number FROM underway.account WHERE id = \(id))
                    AND email <> coalesce(\(email)::text, '')
                    AND (expires_at < \(kept.lowerBound) OR expires_at >= \(kept.upperBound))
                """
            ]
        }
    }

    private static func setting(_ password: StoredPassword, of id: String) -> PostgresStatement {
        """
        INSERT INTO underway.password (account, email, salt, hash, rounds, verified_at)
        VALUES ((SELECT number FROM underway.account WHERE id = \(id)), \(password.email),
            \(password.hash.salt), \(password.hash.bytes), \(Int32(clamping: password.hash.rounds)),
            \(password.verifiedAt)::bigint)
        ON CONFLICT (account) DO UPDATE SET
            email = excluded.email, salt = excluded.salt, hash = excluded.hash,
            rounds = excluded.rounds, verified_at = excluded.verified_at
        """
    }
}
