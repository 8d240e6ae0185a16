import Foundation
import Tables

/// The statements that read what a decision about an account needs, and the snapshot that their rows make.
struct AccountOpening {
    typealias Step = (statement: Bound, read: (Rows, inout AccountSnapshot) throws -> Void)

    let keys: AccountReadSet
    let locks: Bool

    /// - Parameters:
    ///   - keys: What the decision needs.
    ///   - locks: True to lock the account until the transaction ends.
    init(_ keys: AccountReadSet, locks: Bool) {
        self.keys = keys
        self.locks = locks
    }

    /// The statements that find the account and lock it; all others see what the lock waited for.
    var locating: [Bound] { lockingBoth + located }

    /// The statements of the snapshot, from which `snapshot(of:)` is made.
    var statements: [Bound] { steps.map(\.statement) }

    private var steps: [Step] { [account] + token + signInMethods + owners + code + moves }

    /// Makes the snapshot of the rows of `statements`.
    func snapshot(of rows: [Rows]) throws -> AccountSnapshot {
        var snapshot = AccountSnapshot()
        for (step, rows) in zip(steps, rows.suffix(steps.count)) { try step.read(rows, &snapshot) }
        return snapshot
    }

    /// Returns the statements of what is needed besides when the account or the token is unknown; mostly none.
    func furtherStatements(_ snapshot: AccountSnapshot) -> [Bound] {
        furtherSteps(snapshot).map(\.statement)
    }

    private func furtherSteps(_ snapshot: AccountSnapshot) -> [Step] {
        let isUnknown = snapshot.account == nil || keys.token != nil && snapshot.token == nil
        return isUnknown ? revocations + renewal(in: snapshot.generation) + move : []
    }

    /// Completes the snapshot with the rows of `furtherStatements`.
    func complete(_ snapshot: AccountSnapshot, _ rows: [Rows]) throws -> AccountSnapshot {
        var complete = snapshot
        for (step, rows) in zip(furtherSteps(snapshot), rows) { try step.read(rows, &complete) }
        return complete
    }

    // MARK: Accounts

    /// Returns a statement about the located account: on SQLite that of the transaction.
    private static func ofOpened(_ text: (String) -> String) -> Statement {
        Statement(sqlite: text("{me}"), postgres: text("underway.opened()"))
    }

    private var located: [Bound] {
        guard keys.token != nil || keys.account != nil else { return [] }
        var (email, identity) = (String?.none, ExternalIdentity?.none)
        switch keys.account {
        case .email(let text): email = text
        case .identity(let external): identity = external
        case .id, nil: break
        }
        let statement = locks ? Self.locatingAlone : Self.locating
        return [
            statement([
                "hash": keys.token, "id": keys.id, "email": email, "issuer": identity?.issuer,
                "subject": identity?.subject,
            ])
        ]
    }

    private static let locating = locating(lock: "")
    private static let locatingAlone = locating(lock: "FOR NO KEY UPDATE")

    private static func locating(lock: String) -> Statement {
        let found = """
            SELECT number FROM {account}
            WHERE deleted_at IS NULL AND number = coalesce(
                (SELECT t.account FROM {refresh_token} t JOIN {account} a ON a.number = t.account
                    WHERE t.hash = :hash AND a.deleted_at IS NULL),
                (SELECT a.number FROM {account} a WHERE a.id = :id),
                (SELECT p.account FROM {password} p WHERE p.email = :email),
                (SELECT i.account FROM {identity} i
                    WHERE i.issuer = :issuer AND i.subject = :subject))
            """
        return Statement(
            sqlite: found,
            postgres: """
                SELECT set_config('underway.opened', number::text, true)
                FROM (\(found) \(lock)) AS found
                """)
    }

    private var account: Step {
        (
            Self.opened(["session": keys.session]),
            { rows, snapshot in
                guard let row = rows.first else { return }
                let generation: String? = try row.value("generation")
                snapshot.generation = generation.flatMap { Int64($0) } ?? 0
                guard let id: String = try row.value("id", as: String?.self) else { return }
                snapshot.account = StoredAccount(
                    id: id, tokenGeneration: try row.value("token_generation"),
                    lastUsedAt: try row.value("last_used_at"))
                snapshot.session.isOpen = try row.value("is_open")
            }
        )
    }

    private static let opened = ofOpened { account in
        """
        SELECT a.id, a.token_generation, a.last_used_at,
            (SELECT value FROM {setting} WHERE name = 'generation') AS generation,
            EXISTS (SELECT 1 FROM {refresh_token} t
                WHERE t.family = :session AND t.account = a.number) AS is_open
        FROM (SELECT 1) AS one LEFT JOIN {account} a
            ON a.number = \(account) AND a.deleted_at IS NULL
        """
    }

    // MARK: Sessions

    private var token: [Step] {
        guard let hash = keys.token else { return [] }
        return [(Self.token(["hash": hash]), { try $1.read(token: hash, $0) })]
    }

    private static let token = ofOpened { account in
        """
        SELECT t.family, t.expires_at, r.hash AS relative, r.expires_at AS relative_expires_at,
            r.used_at IS NOT NULL AS is_used, coalesce(r.parent = t.hash, FALSE) AS is_successor
        FROM {refresh_token} t LEFT JOIN {refresh_token} r
            ON r.parent IN (t.hash, t.parent) AND r.hash <> t.hash
        WHERE t.hash = :hash AND t.account = \(account)
        """
    }

    private func renewal(in generation: Int64) -> [Step] {
        guard keys.token != nil, let session = keys.session else { return [] }
        return [
            (
                Self.renewal(["session": session, "generation": generation]),
                { rows, snapshot in
                    guard let row = rows.first else { return }
                    snapshot.session.isRenewed = try row.value("is_renewed")
                }
            )
        ]
    }

    private static let renewal = Statement(
        """
        SELECT EXISTS (SELECT 1 FROM {refresh_token}
            WHERE family = :session AND generation = :generation) AS is_renewed
        """)

    private var revocations: [Step] {
        guard keys.id != nil || keys.session != nil else { return [] }
        return [
            (
                Self.revocations(["id": keys.id, "session": keys.session]),
                { try $1.read(revocations: $0) }
            )
        ]
    }

    /// SQLite's revocations are in the journal.
    private static let revocations = Statement(
        postgres: """
            SELECT kind, name, at, kept, token_generation FROM {revocation}
            WHERE (kind, name) IN (('account', :id::text), ('sessions', :id::text),
                ('family', :session::text))
            """)

    // MARK: Sign-in methods

    private var signInMethods: [Step] {
        guard keys.readsSignInMethods else { return [] }
        return [
            (Self.password(), { try $1.read(password: $0) }),
            (
                Self.identities(),
                { rows, snapshot in
                    snapshot.identities = try rows.map {
                        ExternalIdentity(
                            issuer: try $0.value("issuer"), subject: try $0.value("subject"))
                    }
                }
            ),
        ]
    }

    private static let password = ofOpened { account in
        "SELECT email, salt, hash, rounds, verified_at FROM {password} WHERE account = \(account)"
    }

    private static let identities = ofOpened { account in
        "SELECT issuer, subject FROM {identity} WHERE account = \(account)"
    }

    private var owners: [Step] {
        let ofIdentity = keys.identity.map { identity -> Step in
            (
                Self.owner(["issuer": identity.issuer, "subject": identity.subject]),
                { $1.identityOwner = try $0.first?.value("id") }
            )
        }
        let ofEmail = keys.email.map { email -> Step in
            (
                Self.emailOwners(["email": email]),
                { rows, snapshot in
                    snapshot.emailOwners = try rows.map {
                        EmailOwner(
                            account: try $0.value("id"),
                            wayBackEndsAt: try $0.value("way_back_ends_at"))
                    }
                }
            )
        }
        return [ofIdentity, ofEmail].compactMap(\.self)
    }

    private static let owner = Statement(
        """
        SELECT a.id FROM {identity} i JOIN {account} a ON a.number = i.account
        WHERE i.issuer = :issuer AND i.subject = :subject
        """)

    /// The owner of an email, or the account with a way back to it, which no other account may take until that ends.
    private static let emailOwners = Statement(
        """
        SELECT id, way_back_ends_at FROM (
            SELECT a.id, NULL AS way_back_ends_at
            FROM {password} p JOIN {account} a ON a.number = p.account WHERE p.email = :email
            UNION ALL
            SELECT a.id, code.expires_at FROM \(wayBack) AND code.email = :email) AS owner
        ORDER BY coalesce(way_back_ends_at, 0)
        """)

    /// The codes by which accounts may go back to an email that they left.
    static let wayBack = """
        {email_code} code JOIN {account} a ON a.number = code.account
            LEFT JOIN {password} p ON p.account = code.account
        WHERE code.purpose = 'resetPassword' AND (p.email IS NULL OR p.email <> code.email)
        """

    private var code: [Step] {
        guard let code = keys.code else { return [] }
        return [
            (
                Self.code(["purpose": code.purpose.rawValue, "hash": code.hash]),
                { rows, snapshot in
                    guard let row = rows.first else { return }
                    snapshot.code = StoredCode(
                        email: try row.value("email"), expiresAt: try row.value("expires_at"),
                        wayBackEndsAt: try row.value("way_back_ends_at"))
                }
            )
        ]
    }

    private static let code = ofOpened { account in
        """
        SELECT email, expires_at, (SELECT max(code.expires_at) FROM \(wayBack)
                AND code.account = \(account)) AS way_back_ends_at
        FROM {email_code} WHERE account = \(account) AND purpose = :purpose AND hash = :hash
        """
    }
}
