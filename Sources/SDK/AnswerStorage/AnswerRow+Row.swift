package import GRDB
import ServiceAPI
package import UserData

extension AnswerRow {
    /// Decodes a row of the view of answers.
    package init(_ row: Row) {
        let numbers = EncodedAnswers.Row { field in
            switch (row[field.rawValue] as DatabaseValue).storage {
            case .int64(let value): .integer(value)
            case .double(let value): .real(value)
            default: nil
            }
        }
        self = EncodedAnswers.answer(
            EncodedAnswers.Question(
                bank: row["bank"], question: row["question"], domain: row["domain"],
                version: row["version"]),
            EncodedAnswers.Session(session: row["session"], mode: row["mode"]),
            options: StoredTexts.texts(row["options"]), numbers)
    }
}
