import AnswerStorage
import GRDB
import ServiceAPI
import UserData

/// Answers of a copied store that were not acknowledged: they have no number until they were compared
/// with what the server has under the store's former identity.
extension ResponseStorage {
    /// No device can be named so: its name has a space.
    private static let detached = ClientID(" detached")

    /// Takes the numbers from a run of own answers.
    func detach(_ span: AnswerSpan) throws {
        guard let own = try device(span.client) else { return }
        let offset = try lastDetached() + 1 - Int64(span.first)
        try database.execute(
            sql: """
                UPDATE answerRow SET device = ?, counter = counter + ?
                WHERE device = ? AND counter BETWEEN ? AND ?
                """,
            arguments: [
                try addedDevice(Self.detached, of: addedAccount()), offset, own, Int64(span.first),
                Int64(span.last),
            ])
    }

    private func lastDetached() throws -> Int64 {
        try Int64.fetchOne(
            database, sql: "SELECT max(counter) FROM answerRow WHERE device = ?",
            arguments: [try device(Self.detached)]) ?? 0
    }

    private func detachedCount() throws -> Int {
        try Int.fetchOne(
            database, sql: "SELECT count(*) FROM answerRow WHERE device = ?",
            arguments: [try device(Self.detached)]) ?? 0
    }

    /// Drops the detached answers that are there with a number, too.
    ///
    /// - Returns: The number of those that are left.
    func dropDetachedCopies() throws -> Int {
        try database.execute(
            sql: """
                DELETE FROM answerRow WHERE device = ? AND EXISTS (
                    SELECT 1 FROM answerSession AS its
                    JOIN answerSession AS known
                        ON known.account = its.account AND known.session = its.session
                    JOIN answerRow AS other ON other.session = known.number
                    JOIN answerQuestion AS question ON question.number = other.question
                    WHERE its.number = answerRow.session AND other.device <> answerRow.device
                        AND other.milliseconds = answerRow.milliseconds
                        AND (question.bank, question.question) = (SELECT bank, question
                            FROM answerQuestion WHERE number = answerRow.question))
                """,
            arguments: [try device(Self.detached)])
        return try detachedCount()
    }

    /// Gives the detached answers numbers of a device, in the order in which they were given.
    func number(_ client: ClientID, first: UInt64) throws {
        guard let detached = try device(Self.detached) else { return }
        let device = try addedDevice(client, of: addedAccount())
        let counters = try Int64.fetchAll(
            database, sql: "SELECT counter FROM answerRow WHERE device = ? ORDER BY counter",
            arguments: [detached])
        let statement = try database.cachedStatement(
            sql: "UPDATE answerRow SET device = ?, counter = ? WHERE device = ? AND counter = ?")
        for (index, counter) in counters.enumerated() {
            try statement.execute(
                arguments: [device, Int64(first) + Int64(index), detached, counter])
        }
    }

    /// Returns the detached answers, if there are any, in the order in which they were given.
    ///
    /// They may have gaps between them where several users' were taken over.
    func detachedColumns() throws -> [AnswerColumns] {
        guard let detached = try device(Self.detached) else { return [] }
        let answers = try AnswerReader(database)
            .answers(of: detached, from: 1, through: .max).answers
        guard !answers.rows.isEmpty else { return [] }
        let span = AnswerSpan(client: Self.detached, first: 1, count: answers.rows.count)
        return [AnswerColumns(span: span, encoded: answers)]
    }

    // MARK: Another user's

    /// Takes over another user's answers under the devices and numbers that they have, so that taking
    /// them over on two devices doubles nothing.
    func move(from former: String) throws {
        let source = ResponseStorage(database: database, user: former)
        guard let account = try source.account() else { return }
        // Beyond what both have, so that no row meets another on its way.
        let offset = max(try lastDetached(), try source.lastDetached())
        try database.execute(
            sql: "UPDATE answerRow SET counter = counter + ? WHERE device = ?",
            arguments: [offset, try source.device(Self.detached)])
        try copyTexts(from: account, to: addedAccount())
        try copyRows(from: account, to: addedAccount())
        try database.execute(
            sql: "INSERT OR IGNORE INTO uncounted SELECT user FROM person WHERE user = ?",
            arguments: [user])
    }

    private func copyTexts(from former: Int64, to account: Int64) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO answerDevice (account, client)
                    SELECT :account, client FROM answerDevice WHERE account = :former
                    ORDER BY client;
                INSERT INTO answerQuestion (account, bank, question, domain, version)
                    SELECT :account, bank, question, domain, version FROM answerQuestion AS its
                    WHERE account = :former AND NOT EXISTS (
                        SELECT 1 FROM answerQuestion AS known
                        WHERE known.account = :account AND known.bank = its.bank
                            AND known.question = its.question AND known.domain IS its.domain
                            AND known.version = its.version);
                INSERT OR IGNORE INTO answerSession (account, session, mode)
                    SELECT :account, session, mode FROM answerSession WHERE account = :former;
                INSERT OR IGNORE INTO answerResponse (account, options)
                    SELECT :account, options FROM answerResponse WHERE account = :former;
                """,
            arguments: ["account": account, "former": former])
    }

    /// Copies rows with the other account's numbers of their texts; an answer that both have under the
    /// same device and number is the same.
    private func copyRows(from former: Int64, to account: Int64) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO answerRow (device, counter, question, session, response,
                    isCorrect, credit, rating, takenMilliseconds, exposuresBefore,
                    isRandomlySelected, milliseconds)
                SELECT target.number, counter,
                    (SELECT known.number FROM answerQuestion AS its JOIN answerQuestion AS known
                        ON known.account = :account AND known.bank = its.bank
                        AND known.question = its.question AND known.domain IS its.domain
                        AND known.version = its.version
                        WHERE its.number = answerRow.question),
                    (SELECT known.number FROM answerSession AS its JOIN answerSession AS known
                        ON known.account = :account AND known.session = its.session
                        AND known.mode = its.mode WHERE its.number = answerRow.session),
                    CASE typeof(response) WHEN 'integer' THEN
                        (SELECT known.number FROM answerResponse AS its
                            JOIN answerResponse AS known
                            ON known.account = :account AND known.options = its.options
                            WHERE its.number = answerRow.response)
                        ELSE response END,
                    isCorrect, credit, rating, takenMilliseconds, exposuresBefore,
                    isRandomlySelected, milliseconds
                FROM answerDevice AS source JOIN answerDevice AS target
                    ON target.account = :account AND target.client = source.client
                    JOIN answerRow ON answerRow.device = source.number
                WHERE source.account = :former
                """,
            arguments: ["account": account, "former": former])
    }
}
