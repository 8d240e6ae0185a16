import GRDB
import QuestionEngine
import ServiceAPI
import UserData

/// The times at which a run of answers of one device counts, see `EffectiveTimes`.
struct CountedTimes {
    /// The time of each answer, in milliseconds since 1970; 0 for a rejected one.
    private(set) var values: [Int64]
    /// The least time of these answers and of all later ones.
    let least: Int64
    /// The newest time of an answer that a later one can correct; `nil` for none.
    private(set) var latest: Int64?
    /// True where a later answer corrects one of these.
    private(set) var isCorrected = false

    init(_ answers: EncodedAnswers, before least: Int64) {
        values = Array(repeating: 0, count: answers.rows.count)
        let isOfExam = answers.sessions.map { $0.mode == SessionMode.exam.rawValue }
        var times = EffectiveTimes(before: least)
        for (index, row) in answers.rows.enumerated().reversed() {
            guard let row else { continue }
            let hasZone = row.offsetMinutes != nil
            values[index] = times.time(
                of: row.milliseconds, hasZone: hasZone, isOfExam: isOfExam[Int(row.session)])
            if hasZone { latest = max(latest ?? .min, values[index]) }
            isCorrected = isCorrected || values[index] != row.milliseconds
        }
        self.least = times.least
    }
}

/// What is known of the clocks of a user's devices, within a transaction that the caller opened.
struct DeviceClock {
    let database: Database
    let user: String

    /// Selects the least time of answers that correct earlier ones, as `EffectiveTimes` does.
    private static let least = """
        min(given.milliseconds) FILTER (WHERE given.offsetMinutes IS NOT NULL
            AND its.mode <> '\(SessionMode.exam.rawValue)'
            AND given.milliseconds >= \(EffectiveTimes.earliestMilliseconds))
        """

    /// Returns the source of a query for the answers of a user (`:user`) as `answerRow`, with the times at which they count.
    ///
    /// Cost: where a clock was wrong or answers are not counted yet, all of the user's answers are sorted.
    func rows() throws -> String {
        let wasWrong = try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM countedClient WHERE user = ? AND wasWrong)"),
            arguments: [user])
        let progress = CountingProgress(database: database, user: user)
        return try wasWrong == false && progress.isComplete() ? "answerRow" : Self.effectiveRows
    }

    private static let effectiveRows = """
        (SELECT given.device, given.counter, given.question, given.session, given.response,
            given.isCorrect, given.credit, given.rating, given.takenMilliseconds,
            given.exposuresBefore, given.isRandomlySelected, given.offsetMinutes,
            CASE WHEN given.offsetMinutes IS NULL THEN given.milliseconds
                ELSE min(given.milliseconds, coalesce(\(least) OVER (
                    PARTITION BY given.device ORDER BY given.counter DESC), given.milliseconds))
                END AS milliseconds
        FROM answerRow AS given LEFT JOIN answerSession AS its ON its.number = given.session
        WHERE given.device IN (SELECT answerDevice.number FROM answerDevice
            JOIN answerAccount ON answerAccount.number = answerDevice.account
            WHERE answerAccount.user = :user)) AS answerRow
        """

    /// Returns the least time of a device's answers after a number; `Int64.max` for none.
    ///
    /// Cost: O(answers after the number).
    func leastTime(of client: ClientID, after counter: Int64) throws -> Int64 {
        let storage = ResponseStorage(database: database, user: user)
        guard let device = try storage.device(client) else { return .max }
        return try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT \(Self.least)
                    FROM answerRow AS given JOIN answerSession AS its ON its.number = given.session
                    WHERE given.device = ? AND given.counter > ?
                    """),
            arguments: [device, counter]) ?? .max
    }

    /// Returns the newest time of a device's counted answers that a later one can correct; `nil` for none.
    func latest(_ client: Int64) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT latest FROM countedClient WHERE number = ?"),
            arguments: [client])
    }

    /// Saves how far a device's answers are counted.
    func counted(_ client: Int64, through counter: Int64, at times: CountedTimes) throws {
        try database.cachedStatement(
            sql: """
                UPDATE countedClient SET counted = :counter, wasWrong = wasWrong OR :isCorrected,
                    latest = max(coalesce(latest, :latest), coalesce(:latest, latest))
                WHERE number = :client
                """
        ).execute(arguments: [
            "counter": counter, "latest": times.latest, "isCorrected": times.isCorrected,
            "client": client,
        ])
    }

    // MARK: The floor

    /// How far a server's time may move on until it is saved, in milliseconds: an hour.
    private static let stepMilliseconds: Int64 = 3_600_000

    /// Saves the time that a server's last reply showed.
    ///
    /// It replaces the one before also where it is earlier, so that a server whose clock was wrong does no harm for ever.
    func heard(_ milliseconds: Int64) throws {
        if let known = try serverTime(), known <= milliseconds,
            milliseconds - known < Self.stepMilliseconds
        {
            return
        }
        try database.execute(
            sql: "INSERT OR REPLACE INTO setting (name, value) VALUES ('serverTime', ?)",
            arguments: [String(milliseconds)])
    }

    private func serverTime() throws -> Int64? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT value FROM setting WHERE name = 'serverTime'")
        ).flatMap { Int64($0) }
    }

    /// Returns answers that were given now, none before the last reply of a server.
    ///
    /// A clock that fell back would otherwise correct all earlier answers to its time.
    func placed(_ rows: [AnswerRow]) throws -> [AnswerRow] {
        guard !rows.isEmpty, let floor = try serverTime() else { return rows }
        return rows.map { row in
            var row = row
            if row.offsetMinutes != nil { row.milliseconds = max(row.milliseconds, floor) }
            return row
        }
    }
}
