extension Table {
    /// The tables of sign-in methods, tokens, moves and roles of accounts, and of the audit log.
    package static let accounts = [
        password, identity, emailCode, refreshToken, revocation, instanceMark, failedAttempt,
        accountMove, role, audit,
    ]

    static let password = Table(
        "password",
        [
            .account, .text("email", "{bytes email} BETWEEN 1 AND 254"), .bytes("salt", 16),
            .bytes("hash", 32), .int32("rounds", "rounds >= 1024"), .int64("verified_at").optional,
        ],
        key: ["account"], unique: [["email"]],
        access: [
            .all(.accounts, .select, .insert, .update, .delete),
            .sweeps(.keeper, reading: ["account"]),
        ], copied: .all)

    static let identity = Table(
        "identity",
        [
            .text("issuer", "{bytes issuer} BETWEEN 1 AND 1024"),
            .text("subject", "{bytes subject} BETWEEN 1 AND 255"), .account,
        ],
        key: ["issuer", "subject"], indexes: [.by("by_account", "account")],
        access: [
            .all(.accounts, .select, .insert, .update, .delete),
            .sweeps(.keeper, reading: ["account"]),
        ], copied: .all)

    static let emailCode = Table(
        "email_code",
        [
            .account, .choice("purpose", "verifyEmail", "resetPassword"), .bytes("hash", 32),
            .text("email"), .int64("expires_at"),
        ],
        key: ["account", "purpose", "hash"],
        indexes: [
            .by("by_expiry", "expires_at"),
            .by("by_email", "email", where: "purpose = 'resetPassword'"),
        ],
        access: [
            .all(.accounts, .select, .insert, .update, .delete),
            .sweeps(.keeper, .delete, reading: ["account", "expires_at", "hash", "purpose"]),
        ], copied: .all)

    static let refreshToken = Table(
        "refresh_token",
        [
            .bytes("hash", 32), .text("family"), .bytes("parent").optional, .account,
            .int64("expires_at"), .int64("used_at").optional, .int64("generation", initial: 0),
        ],
        key: ["hash"],
        indexes: [
            .by("by_family", "family"), .by("by_parent", "parent"), .by("by_account", "account"),
            .by("by_expiry", "expires_at"),
        ],
        access: [
            .all(.accounts, .select, .insert, .update, .delete),
            .sweeps(.keeper, .delete, reading: ["expires_at", "hash"]),
        ], copied: .all)

    static let revocation = Table(
        "revocation",
        [
            .choice("kind", "account", "family", "sessions"), .text("name"), .int64("at"),
            .text("kept", initial: ""), .int64("token_generation", initial: 0),
        ],
        key: ["kind", "name"], indexes: [.by("by_time", "at")],
        access: [.all(.accounts, .select, .insert, .update, .delete)], place: .postgres)

    static let instanceMark = Table(
        "instance_mark", [.text("instance"), .text("mark"), .int64("renewed_at")],
        key: ["instance"], access: [.all(.accounts, .select, .insert, .update, .delete)],
        place: .postgres)

    /// Attempts to guess, by the hash of a name; all processes count them together.
    static let failedAttempt = Table(
        "failed_attempt",
        [
            .text("limit_name"), .bytes("name", 32), .int64("started_at"), .int32("current"),
            .int32("former"), .int64("expires_at"),
        ],
        key: ["limit_name", "name"], indexes: [.by("by_expiry", "expires_at")],
        access: [
            .all(.accounts, .select, .insert, .update, .delete),
            .sweeps(.keeper, .delete, reading: ["expires_at", "limit_name", "name"]),
        ], place: .postgres)

    /// Accounts are named by their ids: the row outlives the account, and tells its devices where everything went.
    static let accountMove = Table(
        "account_move",
        [
            .text("source", "{bytes source} BETWEEN 1 AND 200"),
            .text("target", "{bytes target} BETWEEN 1 AND 200"), .int64("answers", "answers >= 0"),
            .int64("begun_at"), .int64("finished_at").optional, .jsonText("place"),
        ],
        key: ["source"],
        indexes: [.by("by_target", "target"), .by("by_end", "finished_at")],
        access: [.all(.accounts, .select, .insert, .update, .delete)], copied: .all)

    static let role = Table(
        "role",
        [.account, .choice("role", "author", "publisher", "administrator"), .int64("since")],
        key: ["account", "role"],
        access: [.all(.keeper, .select, .insert, .delete), .all(.accounts, .select, .delete)],
        copied: .all)

    /// No role of the server may change an entry, or remove one before its time.
    static let audit = Table(
        "audit",
        [
            .identity(), .int64("at"), .text("actor", "length(actor) BETWEEN 1 AND 300"),
            .text("action", "length(action) BETWEEN 1 AND 64"), .text("subject"),
            .text("detail", initial: ""),
        ],
        key: ["number"],
        indexes: [.by("by_action", "action", "actor", "number"), .by("by_time", "at")],
        access: [
            .reads(.keeper), .one("appended", .insert, .keeper, writable: "TRUE"),
            .one("accounts", .insert, .accounts, writable: "TRUE"),
            .one("expired", .delete, .keeper, visible: "at < (SELECT underway.audit_end())"),
        ], isAppendOnly: true, copied: .all)
}
