extension Table {
    /// Live events, with their submissions and scores.
    package static let liveEvents = [event, eventSubmission, eventScore]

    static let event = Table(
        "event",
        [
            .identity(), .text("id"), .text("name"), .jsonText("text"),
            .int64("changes", "changes >= 0", initial: 0).only(.sqlite),
            .int64("frozen_at").optional, .int32("places", "places >= 0", initial: 0),
        ],
        key: ["number"], unique: [["id"], ["name"]], access: [.allRead(.user), kept], copied: .all)

    static let eventSubmission = Table(
        "event_submission",
        [
            .int64("event").refers(to: "event"), .account, .text("id"),
            .int32("points", "points >= 0"), .int64("at"),
        ],
        key: ["event", "account", "id"], indexes: [.by("by_account", "account")],
        access: [
            .own(.select, .insert),
            .all(.keeper, .select, .insert, .delete, updating: ["account", "points", "at"]),
        ], copied: .all)

    /// A change is the number of the transaction that wrote a score, so that a reader which knows the oldest transaction still
    /// under way misses none.
    static let eventScore = Table(
        "event_score",
        [
            .int64("event").refers(to: "event"), .account, .int32("score", "score >= 0"),
            .int32("second", "second >= 0"), .int32("submissions", "submissions > 0"),
            .int64("change", initial: 0).derived, .int32("rank", "rank > 0").optional,
        ],
        key: ["event", "account"],
        indexes: [
            .by("by_change", "event", "change"),
            .by("by_rank", "event", "rank", where: "rank IS NOT NULL"),
            .by("by_account", "account"),
        ],
        access: [.own(.select, .insert, .update), kept], copied: .all)
}
