extension Table {
    /// The tables of answers and their counts on PostgreSQL; SQLite shares its tables of answers with devices.
    package static let answers = [
        ownName, session, answer, questionDay, questionDomain, answerDay,
    ]

    /// The texts of an account's answers.
    ///
    /// Positive numbers are left for published content; a version refers to its question.
    static let ownName = Table(
        "own_name",
        [
            .account, .int32("number", "number < 0"),
            .choice("kind", "question", "version", "options"), .uuid("digest"),
            .int32("question").optional, .text("bank").optional, .text("domain").optional,
            .text("text"),
        ],
        key: ["account", "number"], unique: [["account", "digest"]],
        checks: [
            "(kind = 'question') = (bank IS NOT NULL) AND (kind = 'version') = (question IS NOT NULL)"
                + " AND (kind = 'version' OR domain IS NULL)"
        ],
        access: [
            .own(.select, .insert),
            .reads(
                .keeper, where: "kind <> 'options'",
                ["account", "number", "kind", "digest", "question", "text"]),
        ], place: .postgres)

    static let session = Table(
        "session", [.account, .int32("number", "number > 0"), .text("name"), .text("mode")],
        key: ["account", "number"], unique: [["account", "name", "mode"]],
        access: [.own(.select, .insert)], place: .postgres)

    /// An answer that the server did not take is a row of NULL.
    ///
    /// Credit is NULL where it follows from the first bit of `flags`; the second is for chance alone, those from 4 on are
    /// the recall. Answers refer to nothing by foreign keys: each check would cost as much as its row.
    static let answer = Table(
        "answer",
        [
            .int64("account"), .int64("at", "at BETWEEN 0 AND 9007199254740992").optional,
            .int32("device"),
            .int32("counter", "counter > 0"), .int32("question").optional,
            .int32("session").optional, .int32("options").optional,
            .int32("taken", "taken BETWEEN 0 AND 86400000").optional,
            .int32("exposures", "exposures BETWEEN 0 AND 1000000").optional,
            .int16("flags").optional,
            .double("credit").optional, .text("response").optional,
            .int16("offset_minutes", "offset_minutes BETWEEN -1080 AND 1080").optional,
        ],
        key: ["account", "device", "counter"],
        checks: [
            """
            (question IS NULL) = (at IS NULL) AND (question IS NULL) = (session IS NULL)
                AND (question IS NULL) = (taken IS NULL) AND (question IS NULL) = (exposures IS NULL)
                AND (question IS NULL) = (flags IS NULL)
                AND (question IS NULL) = (options IS NULL AND response IS NULL)
                AND (options IS NULL OR response IS NULL)
                AND (question IS NOT NULL OR credit IS NULL)
            """
        ],
        access: [.own(.select, .insert), orphans("answer")], place: .postgres)

    /// The questions of a day, of which each counts in the row of `answer_day` in which it was first seen, so that sums over
    /// rows are numbers of different questions.
    static let questionDay = Table(
        "question_day", [.int64("account"), .int32("day"), .int32("question")],
        key: ["account", "day", "question"],
        access: [.own(.select, .insert, .delete), orphans("question_day")], place: .postgres)

    /// The questions of a domain, as those of a day.
    static let questionDomain = Table(
        "question_domain", [.int64("account"), .int32("question"), .text("domain")],
        key: ["account", "question", "domain"],
        access: [.own(.select, .insert, .delete), orphans("question_domain")], place: .postgres)

    /// Sums by day, bank and domain; `histogram` counts the steps of `time_step`.
    static let answerDay = Table(
        "answer_day",
        [
            .account, .int32("day"), .text("bank"), .text("domain"), .int32("answers"),
            .int32("correct"), .int32("questions_of_day"), .int32("questions_of_domain"),
            .int64("taken"), .int64("last_at"), Column(.int32List, "histogram"),
        ],
        key: ["account", "day", "bank", "domain"],
        access: [.own(.select, .insert, .update, .delete)],
        place: .postgres, fillFactor: 70)

    /// Returns access to the rows of removed accounts, which a trigger erases: `db check` finds the remaining ones.
    private static func orphans(_ table: String) -> Access {
        .policy(
            "orphans", .keeper, .select,
            visible:
                "NOT (EXISTS (SELECT FROM underway.account a WHERE a.number = \(table).account))",
            grants: Access.Grant(role: .keeper, commands: [], columns: [.select: ["account"]]))
    }
}
