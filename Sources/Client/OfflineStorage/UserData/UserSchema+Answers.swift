import AnswerStorage
import GRDB

extension UserSchema {
    /// Moves answers into rows of numbers.
    ///
    /// `answer`, the wide table before, is a view with the same columns from now on. Cost: O(answers), some
    /// seconds a million.
    static func registerNarrowAnswers(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v4 narrow answers") { database in
            try database.execute(sql: answerDevices)
            try database.execute(
                sql: AnswerTables.version1(account: "answerAccount", device: "answerDevice"))
            try database.execute(
                sql: AnswerTables.move(
                    from: """
                        (SELECT answerDevice.account AS accountNumber,
                            answerDevice.number AS deviceNumber, formerAnswer.*
                        FROM formerAnswer
                            JOIN answerAccount ON answerAccount.user = formerAnswer.user
                            JOIN answerDevice ON answerDevice.account = answerAccount.number
                                AND answerDevice.client = formerAnswer.client)
                        """))
            try database.execute(sql: answerView)
        }
    }

    /// The numbers of users and of their devices.
    private static let answerDevices = """
        DROP TRIGGER answerMoved;
        DROP TRIGGER answerRemoved;
        DROP INDEX answerByBank;
        ALTER TABLE answer RENAME TO formerAnswer;

        CREATE TABLE answerAccount (
            number INTEGER PRIMARY KEY,
            user TEXT NOT NULL UNIQUE
                REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE
        ) STRICT;

        CREATE TABLE answerDevice (
            number INTEGER PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES answerAccount (number) ON DELETE CASCADE,
            client TEXT NOT NULL,
            UNIQUE (account, client)
        ) STRICT;

        INSERT INTO answerAccount (user) SELECT user FROM person ORDER BY user;
        INSERT INTO answerDevice (account, client)
            SELECT DISTINCT number, client FROM formerAnswer JOIN answerAccount USING (user)
            ORDER BY number, client;
        """

    /// Whatever moves or removes answers invalidates what was counted; those of a person who is removed
    /// have no device any more.
    private static let answerView = """
        DROP TABLE formerAnswer;
        CREATE INDEX answerBySession ON answerRow (session);

        CREATE TRIGGER answerMoved AFTER UPDATE OF device, counter ON answerRow
        BEGIN
            INSERT OR IGNORE INTO uncounted SELECT user
                FROM answerDevice JOIN answerAccount ON answerAccount.number = account
                WHERE answerDevice.number IN (OLD.device, NEW.device);
        END;

        CREATE TRIGGER answerRemoved AFTER DELETE ON answerRow
        BEGIN
            INSERT OR IGNORE INTO uncounted SELECT user
                FROM answerDevice JOIN answerAccount ON answerAccount.number = account
                WHERE answerDevice.number = OLD.device;
        END;

        CREATE VIEW answer AS
        SELECT answerAccount.user AS user, answerDevice.client AS client,
            answerRow.counter AS counter,
            \(AnswerTables.columns)
        FROM \(AnswerTables.joins)
            JOIN answerDevice ON answerDevice.number = answerRow.device
            JOIN answerAccount ON answerAccount.number = answerDevice.account;
        """
}
