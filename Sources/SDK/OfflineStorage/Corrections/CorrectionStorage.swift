import ContentModel
import GRDB
import QuestionEngine
import ServiceAPI

/// The storage of corrections, within a transaction that the caller opened.
struct CorrectionStorage {
    let database: Database

    // MARK: Reading

    /// Returns the corrections of a bank, by the version that each concerns.
    func stored(of bank: String) throws -> [StoredCorrection.Place: StoredCorrection] {
        try stored("bank = ?", [bank])
    }

    /// Returns the corrections of a bank; those of all its questions, or of some.
    func corrections(of bank: String, questions: Set<String>? = nil) throws -> GradeCorrections {
        guard try hasCorrections(bank) else { return GradeCorrections([]) }
        guard let questions else { return GradeCorrections(try stored(of: bank).values) }
        let stored = try stored(
            "bank = ? AND question IN (SELECT value FROM json_each(?))",
            [bank, StoredTexts.text(Array(questions))])
        return GradeCorrections(stored.values)
    }

    private func hasCorrections(_ bank: String) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM gradeCorrection WHERE bank = ?)"),
            arguments: [bank]) ?? false
    }

    private func stored(
        _ condition: String, _ arguments: StatementArguments
    ) throws -> [StoredCorrection.Place: StoredCorrection] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT question, version, wrongKey, rightKey, day, type, options
                    FROM gradeCorrection WHERE \(condition)
                    """),
            arguments: arguments)
        var stored: [StoredCorrection.Place: StoredCorrection] = [:]
        while let row = try rows.next() {
            // A type of a later version: its answers keep their grades.
            guard let type = QuestionType(rawValue: row[5]) else { continue }
            let place = StoredCorrection.Place(question: row[0], version: row[1])
            stored[place] = StoredCorrection(
                place: place, wrongKey: row[2], rightKey: row[3], day: row[4], type: type,
                options: StoredTexts.texts(row[6]))
        }
        return stored
    }

    /// The banks with answers of any user, in the order of their names.
    func answeredBanks() throws -> [String] {
        try String.fetchAll(
            database, sql: "SELECT DISTINCT bank FROM answerQuestion ORDER BY bank")
    }

    /// The documents whose corrections were applied last: their checksums by bank.
    func documents() throws -> [String: String] {
        let rows = try Row.fetchAll(database, sql: "SELECT bank, document FROM correctedBank")
        return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
    }

    // MARK: Writing

    /// Replaces the corrections of some versions; those that `new` lacks are deleted.
    func replace(
        _ places: some Collection<StoredCorrection.Place>, of bank: String,
        by new: [StoredCorrection.Place: StoredCorrection], now: Int64
    ) throws {
        for place in places {
            guard let correction = new[place] else {
                try database.cachedStatement(
                    sql: "DELETE FROM gradeCorrection WHERE (bank, question, version) = (?, ?, ?)"
                ).execute(arguments: [bank, place.question, place.version])
                continue
            }
            try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO gradeCorrection (bank, question, version, wrongKey,
                        rightKey, day, type, options, appliedAt)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                bank, place.question, place.version, correction.wrongKey, correction.rightKey,
                correction.day, correction.type.rawValue, StoredTexts.text(correction.options),
                now,
            ])
        }
    }

    /// Records the document whose corrections were applied.
    func note(_ document: String, of bank: String) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO correctedBank (bank, document) VALUES (?, ?)",
            arguments: [bank, document])
    }
}
