import AnswerStorage

extension UserSchema {
    /// Answers as rows of numbers, and a view with their texts.
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
        """
}
