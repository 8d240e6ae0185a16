extension Table {
    /// Leaderboards, and the sessions that they count.
    package static let boards = [
        sessionScore, boardProfile, boardChange, boardDefinition, board, boardScore, boardBucket,
    ]

    static let sessionScore = Table(
        "session_score",
        [
            .account, .text("bank"), .int64("session"), .text("mode"), .int32("answers"),
            .int32("points"), .int32("first_answers"), .int32("first_points"), .int64("ended_at"),
        ],
        key: ["account", "bank", "session"],
        indexes: [.by("by_end", "account", "bank", "ended_at"), .by("by_bank", "bank", "account")],
        access: [.own(.select, .insert, .update, .delete), .reads(.keeper)])

    static let boardProfile = Table(
        "board_profile",
        [
            .account, .text("code"), .text("name", "length(name) > 0").optional,
            .flag("is_listed"), .flag("is_name_blocked", initial: false),
        ],
        key: ["account"], unique: [["code"]],
        access: [
            .own(.select, .insert, .update),
            .all(.keeper, .select, updating: ["account", "is_listed", "name", "is_name_blocked"]),
        ], copied: .all)

    /// Each change is a separate row that is never rewritten: a refresh that removes the changes it read must not
    /// remove later ones.
    static let boardChange = Table(
        "board_change", [.identity(), .int64("member")], key: ["number"],
        access: [
            .all(.keeper, .select, .delete), .ownInserted,
            .one("accounts", .insert, .accounts, writable: "TRUE"),
        ])

    static let boardDefinition = Table(
        "board_definition", [.text("name"), .jsonText("text")], key: ["name"], access: [kept],
        copied: .all)

    static let board = Table(
        "board",
        [
            .identity(), .text("name"), .choice("period", "day", "week", "month", "all"),
            .text("first_day"), .int64("starts_at"), .int64("ends_at").optional, .text("scoring"),
            .int64("filled_through").optional, .int64("refreshed_at"), .flag("is_closed"),
        ],
        key: ["number"], unique: [["name", "period", "first_day", "scoring"]], access: [kept])

    /// A member is an account's number without a foreign key, so that erasing an account leaves its place to the next
    /// refresh, which removes it and decrements its bucket's count.
    static let boardScore = Table(
        "board_score", [.int64("board"), .int64("member"), .int64("key", "key >= 0")],
        key: ["member", "board"], indexes: [.unique("by_key", "board", "key", "member")],
        access: [kept])

    static let boardBucket = Table(
        "board_bucket",
        [
            .int64("board").refers(to: "board"), .int64("low", "low >= 0"),
            .int32("places", "places >= 0"),
        ],
        key: ["board", "low"], access: [kept])

    static let kept = Access.all(.keeper, .select, .insert, .update, .delete)
}
