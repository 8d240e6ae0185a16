extension Table {
    /// Installed releases, and how fast a release spreads.
    package static let uptake = [deviceContent, releaseSpread]

    /// First answers, reports and proposals, and the answers that are graded again.
    package static let review = [
        contributor, firstAnswerInbox, firstAnswer, questionReport, reviewChange, proposal,
        correctedVersion, regradeState, regradeNote, regradedAnswer,
    ]

    static let deviceContent = Table(
        "device_content",
        [
            .int64("account").only(.postgres), .int32("device"), .int64("release", "release >= 0"),
            .text("obstacle", initial: ""), .int64("since"), .int32("day"),
        ],
        key: ["account", "device"],
        references: [Reference(["account", "device"], to: "device", ["account", "number"])],
        indexes: [.by("by_day", "day", "release", "obstacle")],
        access: [.own(.select, .insert, .update), .reads(.keeper)], copied: .all)

    static let releaseSpread = Table(
        "release_spread",
        [
            .int64("release"), .int64("served_at"), .int64("half").optional,
            .int64("most").optional, .int64("nearly_all").optional,
        ],
        key: ["release"], access: [.all(.keeper, .select, .insert, .update)], copied: .all)

    static let contributor = Table(
        "contributor", [.identity(), .account, .int64("since")], key: ["number"],
        unique: [["account"]],
        access: [
            .own(.select, .insert, .delete), .all(.accounts, .select, .delete),
            .all(.keeper, .select, updating: ["since"]),
        ])

    /// An exchange adds here; one process at a time moves the rows to `first_answer`, so that numbers there grow in the order
    /// of commits, and a reader who knows one misses none below it.
    static let firstAnswerInbox = Table(
        "first_answer_inbox",
        [
            .identity(), .int64("account").refers(to: "contributor", "account"), .int64("item"),
            .text("response"), .int16("flags"), .flag("is_retracted", initial: false),
        ],
        key: ["number"], indexes: [.by("by_account", "account")],
        access: [.own(.insert), .all(.keeper, .select, .delete)], place: .postgres)

    /// An empty response stands for an answer that was taken back: its row gets a later number then, so that a reader who
    /// knows the answer learns of it.
    static let firstAnswer = Table(
        "first_answer",
        [
            .identity(), .int64("contributor").refers(to: "contributor"), .int64("item"),
            .text("response"), .int16("flags"),
        ],
        key: ["number"], unique: [["contributor", "item"]],
        access: [.all(.keeper, .select, .insert, updating: ["number", "response"])])

    static let questionReport = Table(
        "question_report",
        [
            .account, .text("bank"), .text("question"), .text("version"), .text("reason"),
            .text("text"), .int64("at"),
        ],
        key: ["account", "bank", "question"],
        indexes: [.by("by_question", "bank", "question", "version"), .by("by_time", "at")],
        access: [
            .own(.select, .insert, .delete, updating: ["version", "reason", "text"]),
            .all(.accounts, .select, .delete), .all(.keeper, .select),
        ])

    static let reviewChange = Table(
        "review_change", [.identity(), .int64("member")], key: ["number"],
        access: [.all(.keeper, .select, .delete), .ownInserted])

    static let proposal = Table(
        "proposal",
        [
            .identity(), .text("bank"), .text("question"), .text("version"), .text("key"),
            .text("proposed_key").optional,
            .choice("state", "open", "confirmed", "dismissed", "shipped"), .jsonText("evidence"),
            .int64("flagged_at"), .int64("changed_at"), .text("actor").optional,
            .int64("decided_at").optional, .text("reason", initial: ""),
            .int64("release").optional, .int64("shipped_at").optional,
            .int64("follows").optional.refers(to: "proposal", cascades: false),
        ],
        key: ["number"],
        checks: [
            "(actor IS NULL) = (decided_at IS NULL)", "state = 'open' OR actor IS NOT NULL",
            "(state = 'shipped') = (release IS NOT NULL)",
            "(release IS NULL) = (shipped_at IS NULL)",
        ],
        indexes: [
            .unique("pending", "bank", "question", where: "state IN ('open', 'confirmed')"),
            .by("by_question", "bank", "question", "number"),
            .by("by_change", "state", "changed_at"),
        ],
        access: [.all(.keeper, .select, .insert, .update)], copied: .all)

    /// The digest is that of the question's name in `own_name`.
    static let correctedVersion = Table(
        "corrected_version",
        [
            .text("bank"), .text("question"), .text("version"), .uuid("digest").only(.postgres),
        ],
        key: ["bank", "question", "version"],
        access: [.all(.keeper, .select, .insert, .delete), .allRead(.user)])

    static let regradeState = Table(
        "regrade_state",
        [
            .int32("one", "one = 1"), .int64("release"), .text("digest"),
            .int64("swept_through").optional,
        ],
        key: ["one"], access: [.all(.keeper, .select, .insert, .update), .allRead(.user)])

    /// Each note is a separate row that is never rewritten: removing the read notes must not remove later ones.
    static let regradeNote = Table(
        "regrade_note", [.identity(), .int64("member")], key: ["number"],
        indexes: [.by("by_member", "member")],
        access: [.all(.keeper, .select, .insert, .delete), .own(.select, .delete, by: "member")])

    /// An answer is never changed: a row has its new grade, and what that adds to sums.
    static let regradedAnswer = Table(
        "regraded_answer",
        [
            .account, .int32("device"), .int32("counter"), .text("bank"), .int64("session"),
            .int32("day"), .text("domain"), .flag("is_correct"), .double("credit"),
            .int32("correct", "correct BETWEEN -1 AND 1"), .int32("points"),
            .int32("first_points"),
        ],
        key: ["account", "device", "counter"],
        access: [.own(.select, .insert, .update, .delete), .reads(.keeper)])
}
