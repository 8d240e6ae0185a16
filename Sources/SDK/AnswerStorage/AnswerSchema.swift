package import ServiceAPI

/// The tables of answers, the same on a device and on the server: texts once for each account, and a
/// narrow row of numbers for each answer.
///
/// A response of another kind than options (`["#…`) is stored in its row, because it seldom occurs twice.
package enum AnswerSchema {
    /// Returns the statements that create the tables.
    ///
    /// Rows do not refer to texts by foreign keys, since each would cost a search a row, and rows are deleted with the
    /// account.
    /// - Parameters:
    ///   - account: The table of accounts, which has a column `number`.
    ///   - device: The table of devices, which has a column `number`, and is deleted with its account.
    /// - Returns: SQL.
    package static func schema(account: String, device: String) -> String {
        """
        CREATE TABLE answerQuestion (
            number INTEGER PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES \(account) (number) ON DELETE CASCADE,
            bank TEXT NOT NULL,
            question TEXT NOT NULL,
            domain TEXT,
            version TEXT NOT NULL,
            UNIQUE (account, bank, question, domain, version)
        ) STRICT;

        CREATE TABLE answerSession (
            number INTEGER PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES \(account) (number) ON DELETE CASCADE,
            session TEXT NOT NULL,
            mode TEXT NOT NULL,
            UNIQUE (account, session, mode)
        ) STRICT;

        CREATE TABLE answerResponse (
            number INTEGER PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES \(account) (number) ON DELETE CASCADE,
            options TEXT NOT NULL,
            UNIQUE (account, options)
        ) STRICT;

        CREATE TABLE answerRow (
            device INTEGER NOT NULL REFERENCES \(device) (number) ON DELETE CASCADE,
            counter INTEGER NOT NULL CHECK (counter > 0),
            question INTEGER,
            session INTEGER,
            response ANY,
            \(AnswerField.allCases.map(definition).joined(separator: ",\n    ")),
            PRIMARY KEY (device, counter),
            CHECK (\(required.joined(separator: "\n        AND ")))
        ) STRICT, WITHOUT ROWID;
        """
    }

    private static func definition(_ field: AnswerField) -> String {
        let name = field.rawValue
        guard field != .credit else { return "\(name) REAL" }
        let bounds = field.bounds
        return
            "\(name) INTEGER CHECK (\(name) BETWEEN \(bounds.lowerBound) AND \(bounds.upperBound))"
    }

    /// The constraints: an answer has all required columns, unless the server rejected it.
    private static let required =
        (["session", "response"] + AnswerField.allCases.filter(\.isRequired).map(\.rawValue))
        .map { "(question IS NULL) = (\($0) IS NULL)" }

    /// Returns a list of the columns of numbers, each by its name.
    package static func numbers(
        except field: AnswerField? = nil, separator: String = ", ", _ column: (String) -> String
    ) -> String {
        AnswerField.allCases.filter { $0 != field }.map { column($0.rawValue) }
            .joined(separator: separator)
    }

    /// The columns of an answer except its device and number, for a view.
    package static let columns = """
        answerQuestion.bank AS bank, answerSession.session AS session,
            answerQuestion.question AS question, answerQuestion.domain AS domain,
            answerQuestion.version AS version,
            CASE typeof(answerRow.response) WHEN 'integer' THEN
                (SELECT options FROM answerResponse WHERE number = answerRow.response)
                ELSE answerRow.response END AS options,
            coalesce(answerRow.credit, CAST(answerRow.isCorrect AS REAL)) AS credit,
            answerSession.mode AS mode, \(numbers(except: .credit) { "answerRow.\($0) AS \($0)" })
        """

    /// The tables that have the view's columns.
    package static let joins = """
        answerRow LEFT JOIN answerQuestion ON answerQuestion.number = answerRow.question
            LEFT JOIN answerSession ON answerSession.number = answerRow.session
        """
}
