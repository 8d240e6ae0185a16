import AnswerStorage
import GRDB

extension UserSchema {
    /// Moves answers into rows of numbers.
    ///
    /// `answer`, the wide table before, is a view with the same columns from now on. Cost: O(answers), some
    /// seconds a million.
    static func registerNarrowAnswers(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v5 narrow answers") { database in
            try database.execute(sql: former)
            try database.execute(
                sql: AnswerTables.version1(account: "account", device: "device"))
            try database.execute(
                sql: AnswerTables.move(
                    from: """
                        (SELECT device.account AS accountNumber, device.number AS deviceNumber,
                            formerAnswer.* FROM formerAnswer
                            JOIN device ON device.number = formerAnswer.device)
                        """))
            try database.execute(sql: answerView)
        }
    }

    private static let former = """
        DROP TRIGGER answerOnlyAdded;
        ALTER TABLE answer RENAME TO formerAnswer;
        """

    private static let answerView = """
        DROP TABLE formerAnswer;
        CREATE TRIGGER answerOnlyAdded BEFORE UPDATE ON answerRow
        BEGIN
            SELECT RAISE(ABORT, 'an answer is never changed');
        END;
        CREATE VIEW answer AS
        SELECT answerRow.device AS device, answerRow.counter AS counter,
            \(AnswerTables.columns)
        FROM \(AnswerTables.joins);
        """
}
