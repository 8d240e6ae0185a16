import AnswerStorage

extension UserSchema {
    /// Answers as rows of numbers, with the numbers of users and of their devices, and a view with their texts.
    ///
    /// `answerSeen` has the time at which the answer of a wrong clock counts (`EffectiveTimes`).
    static let answers = """
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

        \(AnswerSchema.schema(account: "answerAccount", device: "answerDevice"))
        CREATE INDEX answerBySession ON answerRow (session);

        CREATE TABLE answerSeen (
            device INTEGER NOT NULL REFERENCES answerDevice (number) ON DELETE CASCADE,
            counter INTEGER NOT NULL,
            milliseconds INTEGER NOT NULL,
            PRIMARY KEY (device, counter)
        ) STRICT, WITHOUT ROWID;

        CREATE VIEW answer AS
        SELECT answerAccount.user AS user, answerDevice.client AS client,
            answerRow.counter AS counter,
            \(AnswerSchema.columns)
        FROM \(AnswerSchema.joins)
            JOIN answerDevice ON answerDevice.number = answerRow.device
            JOIN answerAccount ON answerAccount.number = answerDevice.account;
        """

    /// The triggers that discard the counts when answers are moved or removed, which ordinary use never does.
    ///
    /// The answers of a removed user no longer have a device.
    static let invalidation = """
        CREATE TABLE uncounted (
            user TEXT PRIMARY KEY NOT NULL
                REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE
        ) STRICT, WITHOUT ROWID;

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
        """
}
