extension Table {
    /// Users, their devices, and the log of their records.
    package static let ledger = [
        setting, account, device, record, damagedRecord, mark, result, retraction,
    ]

    static let setting = Table(
        "setting", [.text("name"), .text("value")], key: ["name"],
        access: [
            .allRead(.user, .accounts, .keeper), .all(.keeper, .select, .insert, .update),
            .policy(
                "accounts", .accounts, visible: "name IN ('generation', 'keyPrint')",
                writable: "name IN ('generation', 'keyPrint')",
                grants: Access.Grant(role: .accounts, commands: [.insert, .update])),
        ], copied: .rows(where: "name = 'generation'"))

    /// `user_id` is the subject of tokens, and NULL once the account is marked as deleted; `collections` has the number of
    /// records by collection.
    static let account = Table(
        "account",
        [
            .identity(), .text("id", "{bytes id} BETWEEN 1 AND 200"),
            .uuid("user_id").optional.only(.postgres), .int64("created_at"),
            .int64("position", "position >= 0", initial: 0), .int64("purged_through", initial: 0),
            .text("digest", initial: "0.0.0"), .text("epoch", initial: ""),
            Column(.jsonObject, "collections", initial: "'{}'").only(.postgres),
            .int64("record_bytes", initial: 0), .int64("answer_bytes", initial: 0),
            .int64("answer_count", initial: 0), .int64("last_used_at", initial: 0),
            .int64("deleted_at").optional, .int64("token_generation", initial: 0),
        ],
        key: ["number"], unique: [["id"], ["user_id"]],
        indexes: [
            .by("by_use", "last_used_at", "number"),
            .by("by_deletion", "deleted_at", where: "deleted_at IS NOT NULL"),
        ],
        access: [
            .policy(
                "own", .user, visible: "user_id = (SELECT underway.token_user())",
                writable: "user_id = (SELECT underway.token_user())",
                grants: Access.Grant(
                    role: .user, commands: [.select],
                    columns: [
                        .update: [
                            "position", "digest", "epoch", "collections", "record_bytes",
                            "answer_bytes", "answer_count",
                        ]
                    ])),
            .all(.accounts, .select, .insert, .update),
            .all(.keeper, .select, updating: ["purged_through", "record_bytes", "collections"]),
            .policy(
                "erased", .owner,
                visible: "number = (SELECT underway.erased()) OR deleted_at IS NOT NULL"),
        ], fillFactor: 70, copied: .all)

    /// Numbers are of an account; those of SQLite are of the whole database.
    ///
    /// So an answer's row there names its device by one number. `counted` is the last answer of a device that SQLite's
    /// statistics have.
    static let device = Table(
        "device",
        [
            .account, .int32("number", "number > 0"), .text("name"),
            .int32("last_answer", initial: 0), .int64("last_seen_at", initial: 0),
            .flag("is_retired", initial: false), .int64("processed_before", initial: 0),
            .int64("request_number", initial: 0), Column(.bytes, "request_hash", initial: "''"),
            .int64("head_position", initial: 0), .text("head_epoch", initial: ""),
            .int64("answers_sum").optional.derived, .int64("answers_cross").optional.derived,
            .int64("counted", initial: 0).only(.sqlite),
        ],
        key: ["account", "number"], unique: [["account", "name"]],
        access: [
            .own(.select, .insert, .update, .delete),
            .reads(.keeper, where: "name ~ '^d[A-Za-z0-9_-]{22}$'", ["account", "name"]),
        ], fillFactor: 70, sqliteKey: ["number"], copied: .all)

    /// `json` is no `jsonb`, because the text that was written is compared and counted.
    static let record = Table(
        "record",
        [
            .account, .text("collection", "length(collection) BETWEEN 1 AND 64"),
            .text("id", "length(id) BETWEEN 1 AND 200"), .int64("position", "position > 0"),
            .int64("batch"), .int64("deleted_at").optional, .json("json"),
        ],
        key: ["account", "collection", "id"],
        indexes: [
            .unique("by_position", "account", "position"),
            .by("by_deletion", "deleted_at", where: "deleted_at IS NOT NULL"),
        ],
        access: [
            .own(.select, .insert, .update, .delete),
            .sweeps(
                .keeper, .delete, where: "deleted_at IS NOT NULL",
                reading: ["account", "collection", "id", "position", "deleted_at", "json"]),
        ], copied: .all)

    static let damagedRecord = Table(
        "damaged_record",
        [
            .account, .text("collection"), .text("id"), .int64("position"), .int64("found_at"),
            .text("json"),
        ],
        key: ["account", "position"],
        access: [.own(.select, .insert, .delete), .reads(.keeper, ["account", "position"])],
        copied: .all)

    static let mark = Table(
        "mark", [.account, .int64("position", "position > 0"), .text("text")],
        key: ["account", "position"], access: [.own(.select, .insert, .delete)], copied: .all)

    static let result = Table(
        "result",
        [
            .int64("account").only(.postgres), .int32("device"), .int64("counter", "counter > 0"),
            .choice("kind", "accepted", "merged", "conflict", "refused"),
            .int64("revision", initial: 0), .text("refusal", initial: ""), .bytes("hash"),
        ],
        key: ["account", "device", "counter"],
        references: [Reference(["account", "device"], to: "device", ["account", "number"])],
        access: [.own(.select, .insert, .delete)], copied: .all)

    /// The retractions whose answer did not arrive yet, and for each answer that is taken back the one that holds.
    ///
    /// Devices are names here: a retraction may name one of which the account has no answer.
    package static let retraction = Table(
        "retraction",
        [
            .account, .text("target_client"), .int64("target_number", "target_number > 0"),
            .text("client"), .int64("number", "number > 0"), .flag("holds"),
        ],
        key: ["account", "target_client", "target_number", "client", "number"],
        access: [.own(.select, .insert, .delete)], copied: .all)
}
