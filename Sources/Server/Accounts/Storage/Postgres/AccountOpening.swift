import Foundation
import PostgresDriver
import Tables

/// The statements that read what a decision about an account needs, and the snapshot that their results make.
struct AccountOpening {
    typealias Step = (
        statement: PostgresStatement,
        read: (PostgresResult, inout AccountSnapshot) throws -> Void
    )

    /// Takes the role of sign-in for the rest of the transaction.
    static let role = UserClaims.accounts

    let keys: AccountReadSet
    let locks: Bool

    /// - Parameters:
    ///   - keys: What the decision needs.
    ///   - locks: True to lock the account until the transaction ends.
    init(_ keys: AccountReadSet, locks: Bool) {
        self.keys = keys
        self.locks = locks
    }

    /// The statements of the snapshot, from which `snapshot(of:)` is made.
    var statements: [PostgresStatement] {
        [Self.role] + [lockingBoth, locating].compactMap(\.self) + steps.map(\.statement)
    }

    private var steps: [Step] { [account] + token + signInMethods + owners + code + moves }

    /// Makes the snapshot of the results of `statements`.
    func snapshot(of results: [PostgresResult]) throws -> AccountSnapshot {
        var snapshot = AccountSnapshot()
        for (step, result) in zip(steps, results.suffix(steps.count)) {
            try step.read(result, &snapshot)
        }
        return snapshot
    }

    /// The statements of what is needed besides when the account or the token is unknown; mostly none.
    func furtherStatements(_ snapshot: AccountSnapshot) -> [PostgresStatement] {
        furtherSteps(snapshot).map(\.statement)
    }

    private func furtherSteps(_ snapshot: AccountSnapshot) -> [Step] {
        let isUnknown = snapshot.account == nil || keys.token != nil && snapshot.token == nil
        return isUnknown ? revocations + renewal(in: snapshot.generation) + move : []
    }

    /// Completes the snapshot with the results of `furtherStatements`.
    func complete(_ snapshot: AccountSnapshot, _ results: [PostgresResult]) throws
        -> AccountSnapshot
    {
        var complete = snapshot
        for (step, result) in zip(
            furtherSteps(snapshot), results.suffix(furtherSteps(snapshot).count))
        {
            try step.read(result, &complete)
        }
        return complete
    }

    // MARK: Accounts

    /// Finds the account and locks it; all else is read by later statements, which see what the lock waited for.
    private var locating: PostgresStatement? {
        guard keys.token != nil || keys.account != nil else { return nil }
        let hash = keys.token.map { [UInt8]($0) }
        var (email, identity) = (String?.none, ExternalIdentity?.none)
        switch keys.account {
        case .email(let text): email = text
        case .identity(let external): identity = external
        case .id, nil: break
        }
        return """
            SELECT set_config('underway.opened', number::text, true) FROM (
                SELECT number FROM underway.account
                WHERE deleted_at IS NULL AND number = coalesce(
                    (SELECT t.account FROM underway.refresh_token t
                        JOIN underway.account a ON a.number = t.account
                        WHERE t.hash = \(hash)::bytea AND a.deleted_at IS NULL),
                    (SELECT a.number FROM underway.account a WHERE a.id = \(keys.id)::text),
                    (SELECT p.account FROM underway.password p WHERE p.email = \(email)::text),
                    (SELECT i.account FROM underway.identity i WHERE i.issuer = \(identity?.issuer)::text
                        AND i.subject = \(identity?.subject)::text))
                \(sql: locks ? "FOR NO KEY UPDATE" : "")) AS found
            """
    }

    private var account: Step {
        let session = keys.session
        let statement: PostgresStatement = """
            SELECT a.id, a.token_generation, a.last_used_at,
                (SELECT value FROM underway.setting WHERE name = 'generation') AS generation,
                EXISTS (SELECT FROM underway.refresh_token t
                    WHERE t.family = \(session)::text AND t.account = a.number) AS is_open
            FROM (SELECT) AS one LEFT JOIN underway.account a
                ON a.number = underway.opened() AND a.deleted_at IS NULL
            """
        return (
            statement,
            { result, snapshot in
                guard let row = result.first else { return }
                let generation = try row.value("generation", as: String?.self)
                snapshot.generation = generation.flatMap { Int64($0) } ?? 0
                guard let id = try row.value("id", as: String?.self) else { return }
                snapshot.account = StoredAccount(
                    id: id, tokenGeneration: try row.value("token_generation"),
                    lastUsedAt: try row.value("last_used_at"))
                snapshot.session.isOpen = try row.value("is_open")
            }
        )
    }

    // MARK: Sessions

    private var token: [Step] {
        guard let hash = keys.token else { return [] }
        let statement: PostgresStatement = """
            SELECT t.family, t.expires_at, r.hash AS relative, r.expires_at AS relative_expires_at,
                r.used_at IS NOT NULL AS is_used, coalesce(r.parent = t.hash, false) AS is_successor
            FROM underway.refresh_token t LEFT JOIN underway.refresh_token r
                ON r.parent = ANY (ARRAY[t.hash, t.parent]) AND r.hash <> t.hash
            WHERE t.hash = \([UInt8](hash)) AND t.account = underway.opened()
            """
        return [(statement, { try $1.read(token: hash, $0) })]
    }

    private func renewal(in generation: Int64) -> [Step] {
        guard keys.token != nil, let session = keys.session else { return [] }
        let statement: PostgresStatement = """
            SELECT EXISTS (SELECT FROM underway.refresh_token
                WHERE family = \(session) AND generation = \(generation)) AS is_renewed
            """
        return [
            (
                statement,
                { result, snapshot in
                    guard let row = result.first else { return }
                    snapshot.session.isRenewed = try row.value("is_renewed")
                }
            )
        ]
    }

    private var revocations: [Step] {
        guard keys.id != nil || keys.session != nil else { return [] }
        let statement: PostgresStatement = """
            SELECT kind, name, at, kept, token_generation FROM underway.revocation
            WHERE (kind, name) IN (('account', \(keys.id)::text), ('sessions', \(keys.id)::text),
                ('family', \(keys.session)::text))
            """
        return [(statement, { try $1.read(revocations: $0) })]
    }

    // MARK: Sign-in methods

    private var signInMethods: [Step] {
        guard keys.readsSignInMethods else { return [] }
        return [
            (
                """
                SELECT email, salt, hash, rounds, verified_at FROM underway.password
                WHERE account = underway.opened()
                """, { try $1.read(password: $0) }
            ),
            (
                "SELECT issuer, subject FROM underway.identity WHERE account = underway.opened()",
                { result, snapshot in
                    snapshot.identities = try result.map {
                        ExternalIdentity(
                            issuer: try $0.value("issuer"), subject: try $0.value("subject"))
                    }
                }
            ),
        ]
    }

    private var owners: [Step] {
        var steps: [Step] = []
        if let identity = keys.identity {
            steps.append(
                (
                    """
                    SELECT id FROM underway.identity JOIN underway.account ON number = account
                    WHERE issuer = \(identity.issuer) AND subject = \(identity.subject)
                    """, { $1.identityOwner = try $0.first?.value("id") }
                ))
        }
        if let email = keys.email {
            steps.append(
                (
                    """
                    (SELECT id FROM underway.password JOIN underway.account ON number = account
                        WHERE email = \(email))
                    UNION ALL
                    -- Who has a way back to an email: nobody else may take it meanwhile.
                    (SELECT id FROM underway.email_code code JOIN underway.account ON number = code.account
                            LEFT JOIN underway.password ON password.account = code.account
                        WHERE code.email = \(email) AND purpose = 'resetPassword'
                            AND password.email IS DISTINCT FROM code.email
                        ORDER BY code.expires_at)
                    LIMIT 1
                    """, { $1.emailOwner = try $0.first?.value("id") }
                ))
        }
        return steps
    }

    private var code: [Step] {
        guard let code = keys.code else { return [] }
        let statement: PostgresStatement = """
            SELECT email, expires_at, (SELECT max(other.expires_at) FROM underway.email_code other
                    LEFT JOIN underway.password ON password.account = other.account
                WHERE other.account = underway.opened() AND other.purpose = 'resetPassword'
                    AND password.email IS DISTINCT FROM other.email) AS way_back_ends_at
            FROM underway.email_code
            WHERE account = underway.opened() AND purpose = \(code.purpose.rawValue)
                AND hash = \([UInt8](code.hash))
            """
        return [
            (
                statement,
                { result, snapshot in
                    guard let row = result.first else { return }
                    snapshot.code = StoredCode(
                        email: try row.value("email"), expiresAt: try row.value("expires_at"),
                        wayBackEndsAt: try row.value("way_back_ends_at"))
                }
            )
        ]
    }
}
