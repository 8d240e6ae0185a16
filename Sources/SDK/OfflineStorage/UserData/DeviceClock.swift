import AnswerStorage
import GRDB
import QuestionEngine
import ServiceAPI
import UserData

/// The device clocks of a user, as far as they are known, within a transaction that the caller opened.
struct DeviceClock {
    let database: Database
    let user: String

    /// Selects the minimum of the times of answers that correct earlier ones, as `EffectiveTimes` does.
    private static let least = """
        min(given.milliseconds) FILTER (WHERE given.offsetMinutes IS NOT NULL
            AND its.mode <> '\(AnswerMode.exam.rawValue)'
            AND given.milliseconds >= \(EffectiveTimes.earliestMilliseconds))
        """

    /// Returns the source of a query for the answers of a user (`:user`) as `answerRow`, with the times at which they count.
    ///
    /// Cost: if a clock was wrong or answers are not counted yet, all of the user's answers are sorted.
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
            \(AnswerSchema.numbers(except: .milliseconds) { "given.\($0)" }),
            CASE WHEN given.offsetMinutes IS NULL THEN given.milliseconds
                ELSE min(given.milliseconds, coalesce(\(least) OVER (
                    PARTITION BY given.device ORDER BY given.counter DESC), given.milliseconds),
                    coalesce((SELECT min(milliseconds) FROM answerSeen
                        WHERE device = given.device AND counter >= given.counter), given.milliseconds))
                END AS milliseconds
        FROM answerRow AS given LEFT JOIN answerSession AS its ON its.number = given.session
        WHERE given.device IN (SELECT answerDevice.number FROM answerDevice
            JOIN answerAccount ON answerAccount.number = answerDevice.account
            WHERE answerAccount.user = :user)) AS answerRow
        """

    /// Returns the minimum of the times of a device's answers after a number; `Int64.max` for none.
    ///
    /// Cost: O(answers after the number).
    func leastTime(of client: ClientID, after counter: Int64) throws -> Int64 {
        let storage = ResponseStorage(database: database, user: user)
        guard let device = try storage.device(client) else { return .max }
        return try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT min(least) FROM (SELECT \(Self.least) AS least
                    FROM answerRow AS given JOIN answerSession AS its ON its.number = given.session
                    WHERE given.device = :device AND given.counter > :counter
                    UNION ALL SELECT milliseconds FROM answerSeen
                    WHERE device = :device AND counter > :counter)
                    """),
            arguments: ["device": device, "counter": counter]) ?? .max
    }

    // MARK: What was there at a time

    /// The lead of a clock in milliseconds, half a day, from which its answers are bounded.
    ///
    /// A smaller lead corrects itself, and a clock that is always ahead by an hour does not justify a recount.
    private static let aheadMilliseconds: Int64 = 43_200_000

    /// Returns the recorded times at which a device's answers existed, by descending numbers.
    func seen(_ client: ClientID) throws -> [SeenAnswers] {
        let storage = ResponseStorage(database: database, user: user)
        guard let device = try storage.device(client) else { return [] }
        return try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT counter, milliseconds FROM answerSeen WHERE device = ?
                    ORDER BY counter DESC
                    """),
            arguments: [device]
        ).map { SeenAnswers(counter: $0[0], milliseconds: $0[1]) }
    }

    /// Records that all answers existed at a time, if a clock that was ahead dated some later.
    ///
    /// Otherwise they would repeatedly count as given now, until their device gives an answer with a right clock.
    /// - Parameters:
    ///   - milliseconds: The time.
    ///   - client: The number of a device whose own answers already prove it.
    /// - Throws: An error of the database.
    func wereThere(at milliseconds: Int64, except client: Int64? = nil) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO answerSeen (device, counter, milliseconds)
                SELECT answerDevice.number,
                    (SELECT max(counter) FROM answerRow WHERE device = answerDevice.number), :time
                FROM countedClient
                    JOIN answerAccount ON answerAccount.user = countedClient.user
                    JOIN answerDevice ON answerDevice.account = answerAccount.number
                        AND answerDevice.client = countedClient.client
                WHERE countedClient.user = :user AND latest > :latest
                    AND countedClient.number IS NOT :client
                """
        ).execute(arguments: [
            "time": milliseconds, "user": user, "client": client,
            "latest": milliseconds + Self.aheadMilliseconds,
        ])
        if database.changesCount > 0 { try countAnew() }
    }

    /// Marks the counts as invalid.
    func countAnew() throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO uncounted (user) VALUES (?)", arguments: [user])
    }

    // MARK: Counting

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

    /// The advance of a server's time in milliseconds, an hour, after which it is saved.
    private static let stepMilliseconds: Int64 = 3_600_000

    /// Saves the time that a server's last reply showed.
    ///
    /// It also replaces a later one, so that a server whose clock was wrong does no lasting harm. While this device's
    /// own clock is ahead, only answers after that clock are bounded: what is due today is judged by it, too.
    ///
    /// - Parameters:
    ///   - milliseconds: The server's time.
    ///   - now: The time that this device's clock shows.
    /// - Throws: An error of the database.
    func heard(_ milliseconds: Int64, now: Int64) throws {
        try wereThere(at: max(milliseconds, now))
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

    /// Returns the time that it is at least now: that of a server's last reply, and that of the newest answer within the
    /// step after which a later reply is saved; `nil` without a reply.
    ///
    /// An answer that is dated further ahead was given by a clock that was ahead, and says nothing.
    func floor() throws -> Int64? {
        guard let heard = try serverTime() else { return nil }
        let newest = try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT max(latest) FROM countedClient WHERE user = ? AND latest < ?"),
            arguments: [user, heard + Self.stepMilliseconds])
        return max(heard, newest ?? heard)
    }

    /// Returns the time of a retraction that is made now, not before the last reply of a server.
    func placed(_ milliseconds: Int64) throws -> Int64 {
        max(milliseconds, try serverTime() ?? milliseconds)
    }

    /// Returns answers that were given now, none before the last reply of a server.
    ///
    /// A clock that fell back would otherwise correct all earlier answers to its time.
    func placed(_ rows: [AnswerRow]) throws -> [AnswerRow] {
        guard !rows.isEmpty, let floor = try serverTime() else { return rows }
        return rows.map { row in
            var row = row
            // The answers of an exam are saved at its end, perhaps days after they were given.
            if row.offsetMinutes != nil, row.mode != AnswerMode.exam.rawValue {
                row.milliseconds = max(row.milliseconds, floor)
            }
            return row
        }
    }
}
