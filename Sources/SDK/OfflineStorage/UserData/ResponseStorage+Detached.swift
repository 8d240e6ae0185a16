import AnswerStorage
import GRDB
import ServiceAPI
import UserData

/// The answers without a number: unacknowledged ones of a copied store, and those of a name under which the server has
/// others.
///
/// They are compared with the server's answers. A remainder that follows the common answers retains its name, since
/// another copy may send the same. Any other gets a name derived from its content, so that each copy with the same
/// remainder derives the same name.
extension ResponseStorage {
    /// Returns the internal name of detached answers; no device can have it, since it has a space.
    private static func detached(_ former: ClientID) -> ClientID { ClientID(" " + former.text) }

    /// Returns the former name of detached answers; another name is returned as it is.
    static func former(_ client: ClientID) -> ClientID {
        client.text.hasPrefix(" ") ? ClientID(String(client.text.dropFirst())) : client
    }

    /// The devices whose answers have no numbers, each by its number and its former name.
    private func detachedDevices() throws -> [(number: Int64, former: ClientID)] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT answerDevice.number, client FROM answerDevice
                    JOIN answerAccount ON answerAccount.number = answerDevice.account
                WHERE user = ? AND client LIKE ' %' ORDER BY client
                """,
            arguments: [user]
        ).map { ($0[0], ClientID(String(($0[1] as String).dropFirst()))) }
    }

    /// Removes the numbers of a run of answers.
    ///
    /// - Returns: The digest of the answers under their former numbers.
    func detach(_ span: AnswerSpan) throws -> SetDigest {
        guard let own = try device(span.client) else { return SetDigest() }
        let digest = try columns(span).digest
        let place = try addedDevice(Self.detached(span.client), of: addedAccount())
        // The numbers stay the same, as far as no earlier ones are in the way.
        let offset = max(0, try last(place) + 1 - Int64(span.first))
        try database.execute(
            sql: """
                UPDATE answerRow SET device = ?, counter = counter + ?
                WHERE device = ? AND counter BETWEEN ? AND ?
                """,
            arguments: [place, offset, own, Int64(span.first), Int64(span.last)])
        return digest
    }

    private func last(_ device: Int64) throws -> Int64 {
        try Int64.fetchOne(
            database, sql: "SELECT max(counter) FROM answerRow WHERE device = ?",
            arguments: [device]) ?? 0
    }

    /// Drops the detached answers that also exist with a number, and assigns numbers to the others.
    ///
    /// - Parameter known: The numbers of each device's answers.
    /// - Returns: The runs with their names, after the known answers.
    /// - Throws: An error of the database.
    func numberDetached(
        after known: AnswerVector
    ) throws -> [DeviceMachine.NumberedAnswers] {
        var (known, runs) = (known, [DeviceMachine.NumberedAnswers]())
        for (device, former) in try detachedDevices() {
            try dropCopies(of: device)
            if let span = try number(device, former, after: known) {
                known.add(span)
                runs.append(.init(span: span, digest: try columns(span).digest))
            }
            try database.execute(
                sql: "DELETE FROM answerDevice WHERE number = ?", arguments: [device])
        }
        return runs
    }

    /// Drops the answers of a device that also exist with a number and the same content.
    private func dropCopies(of device: Int64) throws {
        try database.execute(
            sql: """
                DELETE FROM answerRow WHERE device = ? AND EXISTS (
                    SELECT 1 FROM answerRow AS other
                        JOIN answerDevice AS numbered ON numbered.number = other.device
                    WHERE other.session = answerRow.session AND numbered.client NOT LIKE ' %'
                        AND other.question = answerRow.question
                        AND other.response = answerRow.response
                        AND \(AnswerSchema.numbers(except: .offsetMinutes, separator: " AND ") { "other.\($0) IS answerRow.\($0)" }))
                    OR device = ? AND session IS NULL
                """,
            arguments: [device, device])
    }

    /// Moves the answers of a device to their new name.
    private func number(
        _ device: Int64, _ former: ClientID, after known: AnswerVector
    ) throws -> AnswerSpan? {
        let counters = try Int64.fetchAll(
            database, sql: "SELECT counter FROM answerRow WHERE device = ? ORDER BY counter",
            arguments: [device])
        guard let first = counters.first else { return nil }
        let content = try AnswerReader(database)
            .answers(of: device, from: first, through: first).answers.contentHashes
        let name = BranchName.ofRest(
            of: former, first: UInt64(first), contentHash: content.first ?? 0, after: known)
        let span = AnswerSpan(client: name, first: known[name] + 1, count: counters.count)
        let target = try addedDevice(name, of: addedAccount())
        let statement = try database.cachedStatement(
            sql: "UPDATE answerRow SET device = ?, counter = ? WHERE device = ? AND counter = ?")
        for (index, counter) in counters.enumerated() {
            try statement.execute(
                arguments: [target, Int64(span.first) + Int64(index), device, counter])
        }
        try renameTargets(in: target, of: former, span, from: counters)
        return span
    }

    /// Returns the detached answers, if there are any, in the order in which they were given.
    ///
    /// They may have gaps between them if those of several users were moved here.
    func detachedColumns() throws -> [AnswerColumns] {
        try detachedDevices().compactMap { device, former in
            let answers = try AnswerReader(database)
                .answers(of: device, from: 1, through: .max).answers
            guard !answers.rows.isEmpty else { return nil }
            let span = AnswerSpan(
                client: Self.detached(former), first: 1, count: answers.rows.count)
            return AnswerColumns(span: span, encoded: answers)
        }
    }

    // MARK: Another user's

    /// Moves another user's answers with their devices and numbers, so that moving them on two devices duplicates
    /// nothing.
    func move(from former: String) throws {
        let source = ResponseStorage(database: database, user: former)
        guard let account = try source.account() else { return }
        for (device, former) in try source.detachedDevices() {
            guard let known = try self.device(Self.detached(former)) else { continue }
            // Beyond what both have, so that no row meets another on its way.
            let offset = max(try last(known), try last(device))
            try database.execute(
                sql: "UPDATE answerRow SET counter = counter + ? WHERE device = ?",
                arguments: [offset, device])
        }
        try copyTexts(from: account, to: addedAccount())
        try copyRows(from: account, to: addedAccount())
        try copySeen(from: account, to: addedAccount())
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

    /// Copies the recorded times of the other account's answers.
    private func copySeen(from former: Int64, to account: Int64) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO answerSeen (device, counter, milliseconds)
                SELECT target.number, counter, milliseconds
                FROM answerDevice AS source JOIN answerDevice AS target
                    ON target.account = :account AND target.client = source.client
                    JOIN answerSeen ON answerSeen.device = source.number
                WHERE source.account = :former
                """,
            arguments: ["account": account, "former": former])
    }

    /// Copies rows with the other account's numbers of their texts; an answer that both have under the
    /// same device and number is the same.
    private func copyRows(from former: Int64, to account: Int64) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO answerRow (device, counter, question, session, response,
                    \(AnswerSchema.numbers { $0 }))
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
                    \(AnswerSchema.numbers { $0 })
                FROM answerDevice AS source JOIN answerDevice AS target
                    ON target.account = :account AND target.client = source.client
                    JOIN answerRow ON answerRow.device = source.number
                WHERE source.account = :former
                """,
            arguments: ["account": account, "former": former])
    }
}
