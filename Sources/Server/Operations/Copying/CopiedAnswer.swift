package import ServiceAPI
package import UserData

/// An answer as a copied row.
///
/// An answer that the server rejected has only a number.
package struct CopiedAnswer {
    /// The columns of a row.
    static let columns: [CopyColumn] =
        [
            .integer("account"), .text("device"), .integer("counter"), .integer("is_void"),
            .text("bank"), .text("question"), .text("domain"), .text("version"),
            .text("session"), .text("mode"), .text("options"),
        ]
        + AnswerField.allCases.map {
            $0 == .credit ? .number($0.rawValue) : .integer($0.rawValue)
        }
    private static let options = 10
    private static let numbers = 11

    /// The account's number.
    package let account: Int64
    /// The device's name.
    package let device: String
    /// The number of the answer, from 1.
    package let counter: UInt64
    /// The answer; `nil` if the server rejected it.
    package let answer: AnswerRow?

    /// Decodes a row.
    ///
    /// - Throws: `CopyError` `damaged` for a row that lacks a part or is out of bounds.
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
                .answers, "a part of an answer of account \(account) is missing or out of bounds")
        }
    }

    private static func answer(_ row: CopyRow) -> AnswerRow? {
        guard let bank = row[4].text, let question = row[5].text, let version = row[7].text,
            let session = row[8].text, let mode = row[9].text, let options = row[Self.options].text
        else { return nil }
        for (field, value) in zip(AnswerField.allCases, row[Self.numbers...]) {
            guard value.answer.map(field.admits) ?? !field.isRequired else { return nil }
        }
        var place = Self.numbers - 1
        let numbers = EncodedAnswers.Row { _ in
            place += 1
            return row[place].answer
        }
        return EncodedAnswers.answer(
            EncodedAnswers.Question(
                bank: bank, question: question, domain: row[6].text, version: version),
            EncodedAnswers.Session(session: session, mode: mode),
            options: StoredTexts.texts(options), numbers)
    }

    /// Returns a row with its options in the current form, so that both databases have the same text.
    ///
    /// - Throws: `CopyError` `damaged` for a text that is not a list.
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

extension CopyValue {
    fileprivate var answer: AnswerNumber? {
        switch self {
        case .integer(let value): .integer(value)
        case .number(let value): .real(value)
        default: nil
        }
    }
}

/// A collector of a device's answers into runs of bounded size.
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

    /// Adds an answer, and returns the previous run if that is complete.
    ///
    /// - Throws: `CopyError` `damaged` if the answer does not follow the previous one.
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

    /// Returns the last run; `nil` without one.
    package mutating func finish() -> Run? {
        defer { (key, rows, bytes) = (nil, [], 0) }
        guard let key, !rows.isEmpty else { return nil }
        let span = AnswerSpan(
            client: ClientID(key.device), first: key.first, count: rows.count)
        return Run(account: key.account, answers: AnswerColumns(span: span, rows: rows))
    }
}
