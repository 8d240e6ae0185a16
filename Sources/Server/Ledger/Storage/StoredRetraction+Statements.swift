import ContentModel
import ServiceAPI
import Tables
import UserData

extension StoredRetraction {
    // MARK: Reading

    /// Tells whether the user contributes first answers, and whether a retraction waits for one of the new answers: one
    /// statement for each request with answers.
    static func arrival(_ keys: LedgerReadSet) -> Bound { arrival(keys.broughtAnswers.values) }

    private static let arrival = Statement(
        sqlite: arrival(waiting.sqlite), postgres: arrival(waiting.postgres))

    private static func arrival(_ waiting: String) -> String {
        """
        SELECT EXISTS (SELECT 1 FROM {contributor} WHERE account = {me}) AS contributes,
            EXISTS (SELECT 1 \(waiting)) AS awaits_answers
        """
    }

    /// Reads the retractions that a decision about new answers concerns, at most
    /// `ServiceLimits.retractionsJudgedMax` of those that wait.
    static func reading(_ keys: LedgerReadSet) -> Bound {
        reading(keys.broughtAnswers.values.merging(keys.retracted.values) { $1 })
    }

    private static let reading = Statement(
        sqlite: reading(
            waiting.sqlite,
            """
            FROM json_each(:pairs) AS t CROSS JOIN {retraction} r ON r.account = {me}
                AND r.target_client = t.value ->> 0 AND r.target_number = t.value ->> 1
            """),
        postgres: reading(
            waiting.postgres,
            """
            FROM unnest(:clients::text[], :numbers::bigint[]) AS t (client, number)
                JOIN {retraction} r ON r.account = {me} AND r.target_client = t.client
                    AND r.target_number = t.number
            """))

    private static func reading(_ waiting: String, _ named: String) -> String {
        """
        SELECT * FROM (SELECT \(columns) \(waiting)
            ORDER BY r.target_client, r.target_number, r.client, r.number
            LIMIT \(ServiceLimits.retractionsJudgedMax)) AS waiting
        UNION
        SELECT \(columns) \(named) WHERE r.holds
        """
    }

    /// The retractions of the answers within runs.
    private static let within = (
        sqlite: """
        FROM json_each(:runs) AS run CROSS JOIN {retraction} r ON r.account = {me}
            AND r.target_client = run.value ->> 0
            AND r.target_number BETWEEN run.value ->> 1 AND run.value ->> 2
        """,
        postgres: """
        FROM unnest(:run_clients::text[], :firsts::bigint[], :lasts::bigint[])
                AS run (client, first, last)
            JOIN {retraction} r ON r.account = {me} AND r.target_client = run.client
                AND r.target_number BETWEEN run.first AND run.last
        """
    )

    /// Those of them that wait for an answer.
    private static let waiting = (
        sqlite: within.sqlite + " WHERE NOT r.holds",
        postgres: within.postgres + " WHERE NOT r.holds"
    )

    /// Reads the retractions that hold for the account's answers within runs.
    static func holding(in spans: [AnswerSpan]) -> Bound { holding(spans.values) }

    private static let holding = Statement(
        sqlite: "SELECT \(columns) \(within.sqlite) WHERE r.holds",
        postgres: "SELECT \(columns) \(within.postgres) WHERE r.holds")

    /// Reads all retractions that hold for answers of the account.
    static let allHolding = Statement(
        "SELECT \(columns) FROM {retraction} r WHERE r.account = {me} AND r.holds")

    private static let columns = "r.target_client, r.target_number, r.client, r.number, r.holds"

    /// Returns the answers of rows, each with its retraction.
    static func targets(in rows: Rows) throws -> [AnswerID: AnswerID] {
        let stored = try rows.map(StoredRetraction.init)
        return Dictionary(stored.map { ($0.target, $0.id) }, uniquingKeysWith: { $1 })
    }

    init(row: TableRow) throws {
        self.init(
            target: AnswerID(
                client: ClientID(try row.value("target_client")),
                number: try row.number("target_number")),
            id: AnswerID(
                client: ClientID(try row.value("client")), number: try row.number("number")),
            holds: try row.value("holds"))
    }

    // MARK: Writing

    /// Returns the statements that store changes; none if nothing changes.
    static func writing(_ changes: RetractionChanges) -> [Bound] {
        (changes.judged.isEmpty ? [] : [removal(changes.judged.values)])
            + (changes.stored.isEmpty ? [] : [insertion(changes.stored)])
    }

    private static let removal = Statement(
        sqlite: """
            DELETE FROM {retraction} WHERE account = {me} AND (target_client, target_number) IN
                (SELECT value ->> 0, value ->> 1 FROM json_each(:pairs))
            """,
        postgres: """
            DELETE FROM {retraction} r
            USING unnest(:clients::text[], :numbers::bigint[]) AS t (client, number)
            WHERE r.account = {me} AND r.target_client = t.client AND r.target_number = t.number
            """)

    private static let insertion = Statement(
        sqlite: insertion(
            """
            \((0..<5).map { "value ->> \($0)" }.joined(separator: ", ")) FROM json_each(:rows)
            """),
        postgres: insertion(
            """
            * FROM unnest(:target_clients::text[], :target_numbers::bigint[], :clients::text[],
                :numbers::bigint[], :holding::boolean[])
            """))

    private static func insertion(_ rows: String) -> String {
        """
        INSERT INTO {retraction} (account, target_client, target_number, client, number, holds)
        SELECT {me}, \(rows)
        """
    }

    private static func insertion(_ rows: [StoredRetraction]) -> Bound {
        insertion([
            "rows": JSONValue.array(rows.map(\.row)).text,
            "target_clients": rows.map(\.target.client.text),
            "target_numbers": rows.map { Int64($0.target.number) },
            "clients": rows.map(\.id.client.text), "numbers": rows.map { Int64($0.id.number) },
            "holding": rows.map(\.holds),
        ])
    }

    private var row: JSONValue {
        [
            .string(target.client.text), .integer(Int(target.number)), .string(id.client.text),
            .integer(Int(id.number)), .integer(holds ? 1 : 0),
        ]
    }

    // MARK: What follows

    /// Returns the statements that remove new grades of answers that are taken back, and sums of sessions without an
    /// answer.
    static func clearing(_ takenBack: [RetractionChanges.TakenBack]) -> [Bound] {
        takenBack.isEmpty ? [] : [regrades(takenBack.map(\.id).values), emptySessions()]
    }

    private static let regrades = Statement(
        sqlite: """
            DELETE FROM {regraded_answer} WHERE account = {me} AND (device, counter) IN
                (SELECT d.number, t.value ->> 1 FROM json_each(:pairs) AS t
                    JOIN {device} d ON d.account = {me} AND d.name = t.value ->> 0)
            """,
        postgres: """
            DELETE FROM {regraded_answer} g
            USING unnest(:clients::text[], :numbers::bigint[]) AS t (client, number)
                JOIN {device} d ON d.account = {me} AND d.name = t.client
            WHERE g.account = {me} AND g.device = d.number AND g.counter = t.number
            """)

    private static let emptySessions = Statement(
        "DELETE FROM {session_score} WHERE account = {me} AND answers = 0")
}

extension [AnswerSpan] {
    /// The runs for statements of both databases: as JSON, and as columns.
    fileprivate var values: [String: any TableValue] {
        [
            "runs": JSONValue.array(
                map {
                    [
                        .string($0.client.text), .integer(Int($0.first)), .integer(Int($0.last)),
                    ]
                }
            ).text,
            "run_clients": map(\.client.text), "firsts": map { Int64($0.first) },
            "lasts": map { Int64($0.last) },
        ]
    }
}

extension [AnswerID] {
    /// The answers for statements of both databases: as JSON, and as columns.
    fileprivate var values: [String: any TableValue] {
        [
            "pairs": JSONValue.array(
                map { [.string($0.client.text), .integer(Int($0.number))] }
            ).text,
            "clients": map(\.client.text), "numbers": map { Int64($0.number) },
        ]
    }
}

extension JSONValue {
    fileprivate var text: String { String(decoding: canonicalBytes, as: UTF8.self) }
}

extension LedgerSnapshot {
    /// Adds the result of `StoredRetraction.arrival`.
    mutating func add(arrival rows: Rows) throws {
        guard let row = rows.first else { return }
        contributes = try row.value("contributes")
        awaitsAnswers = try row.value("awaits_answers")
    }

    /// Adds the stored retractions and rows that new answers concern.
    ///
    /// - Parameters:
    ///   - keys: The read set.
    ///   - run: Executes a statement.
    ///   - read: Reads runs of stored answers.
    /// - Throws: The error of `run` or `read`.
    mutating func addRetractions(
        _ keys: LedgerReadSet, run: (Bound) throws -> Rows,
        read: ([AnswerSpan]) throws -> AnswerPage
    ) throws {
        guard awaitsAnswers || !keys.retracted.isEmpty else { return }
        retractions.stored = try run(StoredRetraction.reading(keys)).map(StoredRetraction.init)
        let spans = retractions.spans(of: keys.retracted, in: devices)
        if !spans.isEmpty { retractions.add(try read(spans).runs) }
    }
}
