import AnswerStorage
import GRDB
import ServiceAPI
import UserData

/// The progress of counting a user's answers; the rest is counted in bounded steps, within a transaction
/// that the caller opened.
///
/// A few answers are counted as they are added. A long received run is counted at the next read of a schedule or a
/// statistic. So are the answers of a store that an older version wrote. After answers were moved between devices or
/// removed, all are recounted.
struct CountingProgress {
    /// The maximum number of answers that one transaction counts.
    static let answersPerStep = 20_000
    /// The maximum length of a run that is counted as it is added: a longer one would delay a sync by as much time as
    /// its storage does.
    static let runMax = 500

    let database: Database
    let user: String

    // MARK: Adding

    /// Counts answers that were just added, unless they are many or earlier ones of the device are pending.
    func added(_ answers: EncodedAnswers, of client: ClientID, first: UInt64) throws {
        guard (1...Self.runMax).contains(answers.rows.count), try !mustStartAnew() else { return }
        let (number, counted) = try self.counted(client)
        guard counted + 1 == Int64(first) else { return }
        try count(answers, of: (number, client), first: Int64(first))
        // While nobody is signed in, each process of the device has a name of its own; the others' answers were there before.
        guard user == UserStore.localUser, let now = answers.newestTime else { return }
        try DeviceClock(database: database, user: user).wereThere(at: now - 1, except: number)
    }

    private func counted(_ client: ClientID) throws -> (number: Int64, counted: Int64) {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT number, counted FROM countedClient WHERE user = ? AND client = ?"),
            arguments: [user, client.text])
        if let row { return (row[0], row[1]) }
        try database.cachedStatement(
            sql: "INSERT INTO countedClient (user, client) VALUES (?, ?)"
        ).execute(arguments: [user, client.text])
        return (database.lastInsertedRowID, 0)
    }

    private func count(
        _ answers: EncodedAnswers, of client: (number: Int64, id: ClientID), first: Int64
    ) throws {
        let last = first + Int64(answers.rows.count) - 1
        let clock = DeviceClock(database: database, user: user)
        let times = CountedTimes(
            answers, first: first, before: try clock.leastTime(of: client.id, after: last),
            seen: try clock.seen(client.id))
        if let latest = try clock.latest(client.number), times.least < latest {
            // The clock was ahead: what was counted after these answers was given before them.
            return try clock.countAnew()
        }
        var counting = try AnswerCounting(database, user: user, client: client)
        try counting.add(answers.withoutRetractions, times: times.values, first: first)
        try removeRetracted(answers, of: client.id, from: first, through: last)
        try clock.counted(client.number, through: last, at: times)
    }

    /// Removes what was counted of answers that a run takes back, and of those in it that were taken back before.
    private func removeRetracted(
        _ answers: EncodedAnswers, of client: ClientID, from first: Int64, through last: Int64
    ) throws {
        let storage = RetractionStorage(database: database, user: user)
        let targets =
            try answers.retractionTargets
            + storage.targets(of: client, from: first, through: last)
        guard !targets.isEmpty else { return }
        let removal = try ReviewRemoval(database, user: user)
        for (id, answer) in try storage.retracted(among: targets) {
            try removal.remove(id, answer)
        }
    }

    /// Returns true when the counts are no longer valid.
    func mustStartAnew() throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM uncounted WHERE user = ?)"),
            arguments: [user]) ?? false
    }

    // MARK: Catching up

    /// Returns true when every answer is counted.
    ///
    /// Cost: a few searches a device.
    func isComplete() throws -> Bool { try !mustStartAnew() && behind() == nil }

    /// Counts up to `answersPerStep` pending answers.
    ///
    /// - Returns: False when none is pending.
    func step() throws -> Bool {
        if try mustStartAnew() { try startAnew() }
        guard let (device, client) = try behind() else { return false }
        let (number, counted) = try counted(client)
        let span = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT min(counter) AS first, max(counter) AS last
                    FROM (SELECT counter FROM answerRow WHERE device = ? AND counter > ?
                        ORDER BY counter LIMIT ?)
                    """),
            arguments: [device, counted, Self.answersPerStep])
        guard let first: Int64 = span?["first"], let last: Int64 = span?["last"] else {
            return false
        }
        let answers = try AnswerReader(database)
            .answers(of: device, from: first, through: last).answers
        try count(answers, of: (number, client), first: first)
        return true
    }

    private func startAnew() throws {
        for table in ["card", "countedClient", "studyDay", "uncounted"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE user = ?", arguments: [user])
        }
    }

    /// Returns a device with answers that are not counted.
    ///
    /// Cost: two searches a device.
    private func behind() throws -> (device: Int64, client: ClientID)? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT answerDevice.number AS number, answerDevice.client AS client
                FROM answerAccount
                    JOIN answerDevice ON answerDevice.account = answerAccount.number
                WHERE answerAccount.user = :user
                    AND (SELECT max(counter) FROM answerRow WHERE device = answerDevice.number)
                    > coalesce((SELECT counted FROM countedClient AS known
                        WHERE known.user = :user AND known.client = answerDevice.client), 0)
                ORDER BY answerDevice.client LIMIT 1
                """)
        return try Row.fetchOne(statement, arguments: ["user": user]).map {
            ($0["number"], ClientID($0["client"]))
        }
    }
}
