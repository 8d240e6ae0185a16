import AnswerStorage
import GRDB

extension UserSchema {
    /// Counts days as the learner does, from the rollover hour in the zone of each answer.
    ///
    /// What is made of the answers is dropped: it is counted anew in bounded steps when it is read next. Answers
    /// without an offset have the one of the device's zone at their time then.
    static func registerLearningDays(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v8 learning days") { database in
            try database.execute(sql: AnswerTables.addOffset)
            try database.execute(sql: counted)
        }
    }

    /// Counts answers at the times at which they were given, see `EffectiveTimes`; all are counted anew.
    static func registerDeviceClocks(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v9 device clocks") { database in
            try database.execute(
                sql: """
                    DELETE FROM card;
                    DELETE FROM studyDay;
                    DELETE FROM countedClient;
                    ALTER TABLE countedClient ADD COLUMN latest INTEGER;
                    ALTER TABLE countedClient ADD COLUMN
                        wasWrong INTEGER NOT NULL DEFAULT 0 CHECK (wasWrong IN (0, 1));
                    CREATE TABLE answerSeen (
                        device INTEGER NOT NULL
                            REFERENCES answerDevice (number) ON DELETE CASCADE,
                        counter INTEGER NOT NULL,
                        milliseconds INTEGER NOT NULL,
                        PRIMARY KEY (device, counter)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
    }

    private static let counted = """
        DROP TABLE cardDomain;
        DROP TABLE review;
        DROP TABLE card;
        DROP TABLE studyDay;
        DROP TABLE studyZone;
        DELETE FROM countedClient;
        DELETE FROM scheduling;

        CREATE TABLE card (
            number INTEGER PRIMARY KEY,
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            bank TEXT NOT NULL,
            question TEXT NOT NULL,
            answers INTEGER NOT NULL CHECK (answers >= 0),
            lastMilliseconds INTEGER NOT NULL,
            lastClient INTEGER NOT NULL,
            lastCounter INTEGER NOT NULL,
            phase TEXT NOT NULL CHECK (phase IN ('new', 'learning', 'review', 'relearning')),
            step INTEGER NOT NULL CHECK (step >= 0),
            stability REAL,
            difficulty REAL,
            lastDay INTEGER,
            dueDay INTEGER,
            dueMoment REAL,
            isStale INTEGER NOT NULL CHECK (isStale IN (0, 1)),
            UNIQUE (user, bank, question),
            CHECK (dueDay IS NULL OR dueMoment IS NULL)
        ) STRICT;

        CREATE TABLE review (
            card INTEGER NOT NULL REFERENCES card (number) ON DELETE CASCADE,
            milliseconds INTEGER NOT NULL,
            client INTEGER NOT NULL,
            counter INTEGER NOT NULL,
            isCorrect INTEGER NOT NULL CHECK (isCorrect IN (0, 1)),
            rating INTEGER CHECK (rating BETWEEN 1 AND 4),
            offsetMinutes INTEGER NOT NULL CHECK (offsetMinutes BETWEEN -1080 AND 1080),
            day INTEGER NOT NULL,
            PRIMARY KEY (card, milliseconds, client, counter)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE cardDomain (
            card INTEGER NOT NULL REFERENCES card (number) ON DELETE CASCADE,
            domain TEXT NOT NULL,
            answers INTEGER NOT NULL,
            correct INTEGER NOT NULL,
            PRIMARY KEY (card, domain)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE studyDay (
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            day INTEGER NOT NULL,
            answers INTEGER NOT NULL,
            correct INTEGER NOT NULL,
            questions INTEGER NOT NULL,
            PRIMARY KEY (user, day)
        ) STRICT, WITHOUT ROWID;
        """
}
