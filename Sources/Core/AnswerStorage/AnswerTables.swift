/// The tables of answers, the same on a device and on the server: texts once for each account, and a
/// narrow row of numbers for each answer.
///
/// A response of another kind than options (`["#…`) is in its row, because it seldom comes twice.
package enum AnswerTables {
    /// Returns the statements that create the tables.
    ///
    /// Rows do not refer to texts by foreign keys: each would be a search a row, and what has to go goes
    /// with the account.
    /// - Parameters:
    ///   - account: The table of accounts, which has a column `number`.
    ///   - device: The table of devices, which has a column `number`, and goes with its account.
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
            isCorrect INTEGER CHECK (isCorrect IN (0, 1)),
            credit REAL,
            rating INTEGER CHECK (rating BETWEEN 1 AND 4),
            takenMilliseconds INTEGER CHECK (takenMilliseconds BETWEEN 0 AND 86400000),
            exposuresBefore INTEGER CHECK (exposuresBefore >= 0),
            isRandomlySelected INTEGER CHECK (isRandomlySelected IN (0, 1)),
            milliseconds INTEGER CHECK (milliseconds >= 0),
            offsetMinutes INTEGER CHECK (offsetMinutes BETWEEN -1080 AND 1080),
            PRIMARY KEY (device, counter),
            CHECK ((question IS NULL) = (session IS NULL)
                AND (question IS NULL) = (response IS NULL)
                AND (question IS NULL) = (isCorrect IS NULL)
                AND (question IS NULL) = (milliseconds IS NULL))
        ) STRICT, WITHOUT ROWID;
        """
    }

    /// The columns of an answer but for its device and number, for a view.
    package static let columns = """
        answerQuestion.bank AS bank, answerSession.session AS session,
            answerQuestion.question AS question, answerQuestion.domain AS domain,
            answerQuestion.version AS version,
            CASE typeof(answerRow.response) WHEN 'integer' THEN
                (SELECT options FROM answerResponse WHERE number = answerRow.response)
                ELSE answerRow.response END AS options,
            answerRow.isCorrect AS isCorrect,
            coalesce(answerRow.credit, CAST(answerRow.isCorrect AS REAL)) AS credit,
            answerRow.rating AS rating, answerRow.takenMilliseconds AS takenMilliseconds,
            answerRow.exposuresBefore AS exposuresBefore, answerSession.mode AS mode,
            answerRow.isRandomlySelected AS isRandomlySelected,
            answerRow.milliseconds AS milliseconds
        """

    /// The tables that the view's columns are in.
    package static let joins = """
        answerRow LEFT JOIN answerQuestion ON answerQuestion.number = answerRow.question
            LEFT JOIN answerSession ON answerSession.number = answerRow.session
        """
}
