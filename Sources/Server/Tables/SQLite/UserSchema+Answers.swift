import AnswerStorage

extension UserSchema {
    /// Answers as rows of numbers, a view with their texts, and one of those that are neither retractions nor taken
    /// back.
    static let answers = """
        \(AnswerSchema.schema(account: "account", device: "device"))
        CREATE TRIGGER answerOnlyAdded BEFORE UPDATE ON answerRow
        BEGIN
            SELECT RAISE(ABORT, 'an answer is never changed');
        END;
        CREATE VIEW answer AS
        SELECT answerRow.device AS device, answerRow.counter AS counter,
            \(AnswerSchema.columns)
        FROM \(AnswerSchema.joins);

        CREATE VIEW counted_answer AS
        SELECT device.account AS account, answerRow.device AS device, answerRow.counter AS counter,
            answerRow.question AS asked,
            \(AnswerSchema.columns)
        FROM device JOIN answerRow ON answerRow.device = device.number
            JOIN answerQuestion ON answerQuestion.number = answerRow.question
            LEFT JOIN answerSession ON answerSession.number = answerRow.session
        WHERE (typeof(answerRow.response) = 'integer'
                OR substr(answerRow.response, 1, 11) <> '["#retract"')
            AND NOT EXISTS (SELECT 1 FROM retraction WHERE retraction.account = device.account
                AND target_client = device.name AND target_number = answerRow.counter AND holds);
        """
}
