import GRDB
import ServiceAPI
import UserData

/// The places of an answer's columns in the rows of a statement, found by name once a statement: a look-up
/// for each value would cost more than reading it.
struct StoredAnswer {
    /// The names of the columns, for a statement.
    static let columns = """
        counter, bank, session, question, domain, version, options, isCorrect, credit, rating,
            takenMilliseconds, exposuresBefore, mode, isRandomlySelected, milliseconds
        """

    private let counter, bank, session, question, domain, version, options: Int
    private let isCorrect, credit, rating, takenMilliseconds, exposuresBefore, mode: Int
    private let isRandomlySelected, milliseconds: Int

    /// Finds the columns of a statement.
    ///
    /// - Throws: `LedgerError` `damaged` for a statement without one of them.
    init(_ statement: Statement) throws {
        func place(_ name: String) throws -> Int {
            guard let place = statement.index(ofColumn: name) else {
                throw LedgerError.damaged("no column \(name)")
            }
            return place
        }
        counter = try place("counter")
        bank = try place("bank")
        session = try place("session")
        question = try place("question")
        domain = try place("domain")
        version = try place("version")
        options = try place("options")
        isCorrect = try place("isCorrect")
        credit = try place("credit")
        rating = try place("rating")
        takenMilliseconds = try place("takenMilliseconds")
        exposuresBefore = try place("exposuresBefore")
        mode = try place("mode")
        isRandomlySelected = try place("isRandomlySelected")
        milliseconds = try place("milliseconds")
    }

    /// Returns the number of an answer.
    func number(_ row: Row) -> Int64 { row[counter] }

    /// Returns an answer; `nil` for one that the server could not take.
    func answer(_ row: Row) -> AnswerRow? {
        guard let bank: String = row[bank] else { return nil }
        return AnswerRow(
            bank: bank, session: row[session], question: row[question], domain: row[domain],
            version: row[version], options: StoredTexts.texts(row[options]),
            isCorrect: row[isCorrect], credit: row[credit], rating: row[rating],
            takenMilliseconds: row[takenMilliseconds], exposuresBefore: row[exposuresBefore],
            mode: row[mode], isRandomlySelected: row[isRandomlySelected],
            milliseconds: row[milliseconds])
    }
}
