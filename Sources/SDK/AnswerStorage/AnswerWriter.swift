package import GRDB
package import ServiceAPI

/// A writer of answers of an account to the tables, within a transaction that the caller opened.
package struct AnswerWriter {
    private let database: Database
    private let account: Int64

    /// Creates a writer of the answers of an account, by its number.
    package init(_ database: Database, account: Int64) {
        self.database = database
        self.account = account
    }

    /// Adds a run of answers.
    ///
    /// - Parameters:
    ///   - answers: The answers.
    ///   - device: The number of their device.
    ///   - first: The number of the first of them.
    /// - Throws: An error of the database.
    package func append(_ answers: EncodedAnswers, to device: Int64, first: Int64) throws {
        let numbers = try AnswerNumbers(of: answers, account: account, in: database)
        let rows = answers.rows
        var place = 0
        func insert(_ sql: String, _ count: Int, until end: Int) throws {
            guard place < end else { return }
            let statement = try BoundStatement(database, sql)
            while place < end {
                for offset in 0..<count {
                    try bind(
                        rows[place + offset], numbers, (device, first + Int64(place + offset)),
                        statement, at: Int32(offset * Self.columnCount))
                }
                try statement.run()
                place += count
            }
        }
        let whole = rows.count / Self.rowsPerInsert * Self.rowsPerInsert
        try insert(Self.multipleInsertion, Self.rowsPerInsert, until: whole)
        try insert(Self.singleInsertion, 1, until: rows.count)
    }

    private static let columnCount = 5 + AnswerField.allCases.count
    /// The number of rows that share the cost of a step.
    private static let rowsPerInsert = 16
    private static let singleInsertion = insertion(1)
    private static let multipleInsertion = insertion(rowsPerInsert)

    private static func insertion(_ rows: Int) -> String {
        let values = "(" + Array(repeating: "?", count: columnCount).joined(separator: ", ") + ")"
        return """
            INSERT INTO answerRow (device, counter, question, session, response,
                \(AnswerSchema.numbers { $0 }))
            VALUES \(Array(repeating: values, count: rows).joined(separator: ", "))
            """
    }

    private func bind(
        _ row: EncodedAnswers.Row?, _ numbers: AnswerNumbers,
        _ key: (device: Int64, counter: Int64), _ insert: BoundStatement, at place: Int32
    ) throws {
        try insert.bind(key.device, at: place + 1)
        try insert.bind(key.counter, at: place + 2)
        guard let row else {
            for column in 3...Int32(Self.columnCount) { try insert.bindNull(at: place + column) }
            return
        }
        try insert.bind(numbers.questions[Int(row.question)], at: place + 3)
        try insert.bind(numbers.sessions[Int(row.session)], at: place + 4)
        switch numbers.responses[Int(row.response)] {
        case .number(let number): try insert.bind(number, at: place + 5)
        case .text(let text): try insert.bind(text, at: place + 5)
        }
        for (offset, field) in AnswerField.allCases.enumerated() {
            let place = place + 6 + Int32(offset)
            switch row[field] {
            case .integer(let value)?: try insert.bind(value, at: place)
            case .real(let value)?: try insert.bind(value, at: place)
            case nil: try insert.bindNull(at: place)
            }
        }
    }
}
