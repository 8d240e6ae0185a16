package import ServiceAPI
package import UserData

/// An answer as a copied row.
///
/// Of an answer that the server did not take, everything but its number is missing.
package struct CopiedAnswer {
    /// The columns of a row.
    static let columns: [CopyColumn] = [
        .integer("account"), .text("device"), .integer("counter"), .integer("is_void"),
        .text("bank"), .text("question"), .text("domain"), .text("version"), .text("session"),
        .text("mode"), .text("options"), .integer("is_correct"), .number("credit"),
        .integer("rating"), .integer("taken"), .integer("exposures"), .integer("is_random"),
        .integer("at"), .integer("offset"),
    ]
    private static let options = 10
    private static let offsets =
        -Int64(AnswerRow.offsetMinutesMax)...Int64(AnswerRow.offsetMinutesMax)

    /// The account's number.
    package let account: Int64
    /// The device's name.
    package let device: String
    /// The number of the answer, from 1.
    package let counter: UInt64
    /// The answer; `nil` for one that the server did not take.
    package let answer: AnswerRow?

    /// Reads a row.
    ///
    /// - Throws: `CopyError` `damaged` for a row that lacks a part, or is out of bounds.
    package init(_ row: CopyRow) throws {
        guard let account = row[0].integer, let device = row[1].text,
            let counter = row[2].integer, counter > 0
        else { throw CopyError.damaged(.answers, "an answer has no number") }
        self.account = account
        self.device = device
        self.counter = UInt64(counter)
        if row[3].integer == 1 {
            answer = nil
        } else if let known = Self.answer(row) {
            answer = known
        } else {
            throw CopyError.damaged(
                .answers, "a part of an answer of account \(account) is missing")
        }
    }

    private static func answer(_ row: CopyRow) -> AnswerRow? {
        guard let bank = row[4].text, let question = row[5].text, let version = row[7].text,
            let session = row[8].text, let mode = row[9].text,
            let options = row[Self.options].text, let isCorrect = row[11].integer,
            let credit = row[12].number, let taken = row[14].integer,
            let exposures = row[15].integer, let isRandom = row[16].integer,
            let at = row[17].integer, (0...1).contains(isCorrect), (0...1).contains(isRandom),
            (0...AnswerRow.takenMillisecondsMax).contains(taken), at >= 0,
            (0...Int64(Int32.max)).contains(exposures),
            row[18].integer.map({ offsets.contains($0) }) ?? true
        else { return nil }
        let rating = row[13].integer.map { Int(clamping: $0) }
        guard rating.map({ (1...4).contains($0) }) ?? true else { return nil }
        return AnswerRow(
            bank: bank, session: session, question: question, domain: row[6].text,
            version: version, options: StoredTexts.texts(options), isCorrect: isCorrect == 1,
            credit: credit, rating: rating, takenMilliseconds: taken, exposuresBefore: exposures,
            mode: mode, isRandomlySelected: isRandom == 1, milliseconds: at,
            offsetMinutes: row[18].integer.map { Int($0) })
    }

    /// Writes the options of a row in the form of today, so that both databases have the same text.
    ///
    /// - Throws: `CopyError` `damaged` for a text that is no list.
    package static func normalized(_ row: CopyRow) throws -> CopyRow {
        guard let text = row[options].text, text != "[]" else { return row }
        let texts = StoredTexts.texts(text)
        guard !texts.isEmpty else {
            throw CopyError.damaged(.answers, "the options of an answer cannot be read")
        }
        var row = row
        row[options] = .text(StoredTexts.text(texts))
        return row
    }
}

/// Collects answers of a device into runs of a bounded size.
package struct AnswerRuns {
    /// A run, with the account's number.
    package struct Run {
        package var account: Int64
        package var answers: AnswerColumns
    }

    private static let countMax = 2_000
    private static let bytesMax = 1_024 * 1_024

    private var key: (account: Int64, device: String, first: UInt64)?
    private var rows: [AnswerRow?] = []
    private var bytes = 0

    package init() {}

    /// Adds an answer, and returns the run before it when that is complete.
    ///
    /// - Throws: `CopyError` `damaged` when it does not follow the one before.
    package mutating func add(_ answer: CopiedAnswer) throws -> Run? {
        var run: Run?
        let isSame = key.map { $0.account == answer.account && $0.device == answer.device } ?? false
        let next = isSame ? (key?.first ?? 1) + UInt64(rows.count) : 1
        guard answer.counter == next else {
            throw CopyError.damaged(
                .answers, "answer \(next) of a device of account \(answer.account) is missing")
        }
        if !isSame || rows.count >= Self.countMax || bytes >= Self.bytesMax {
            run = finish()
            key = (answer.account, answer.device, answer.counter)
        }
        rows.append(answer.answer)
        bytes += answer.answer?.estimatedBytes ?? 1
        return run
    }

    /// Returns the last run; `nil` when there is none.
    package mutating func finish() -> Run? {
        defer { (key, rows, bytes) = (nil, [], 0) }
        guard let key, !rows.isEmpty else { return nil }
        let span = AnswerSpan(
            client: ClientID(key.device), first: key.first, count: rows.count)
        return Run(account: key.account, answers: AnswerColumns(span: span, rows: rows))
    }
}
