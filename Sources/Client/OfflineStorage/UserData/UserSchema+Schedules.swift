import GRDB

extension UserSchema {
    /// Adds the tables of schedules and statistics, which are updated as answers arrive.
    ///
    /// The migration makes empty tables only: answers of an older store are counted in bounded steps
    /// when a schedule or progress is first read, so that opening a large store costs no more.
    static func registerSchedules(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v2 schedules") { database in
            try database.execute(sql: schedules)
            try database.execute(sql: statistics)
            try database.execute(sql: invalidation)
        }
    }

    /// The tables of cards (questions of a bank) and reviews (answers without their texts, 20 bytes instead
    /// of 250).
    private static let schedules = """
        CREATE TABLE countedClient (
            number INTEGER PRIMARY KEY,
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            client TEXT NOT NULL,
            counted INTEGER NOT NULL DEFAULT 0 CHECK (counted >= 0),
            UNIQUE (user, client)
        ) STRICT;

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
            due REAL,
            isStale INTEGER NOT NULL CHECK (isStale IN (0, 1)),
            UNIQUE (user, bank, question)
        ) STRICT;

        CREATE TABLE review (
            card INTEGER NOT NULL REFERENCES card (number) ON DELETE CASCADE,
            milliseconds INTEGER NOT NULL,
            client INTEGER NOT NULL,
            counter INTEGER NOT NULL,
            isCorrect INTEGER NOT NULL CHECK (isCorrect IN (0, 1)),
            rating INTEGER CHECK (rating BETWEEN 1 AND 4),
            PRIMARY KEY (card, milliseconds, client, counter)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE scheduling (
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            bank TEXT NOT NULL,
            settings TEXT NOT NULL,
            PRIMARY KEY (user, bank)
        ) STRICT, WITHOUT ROWID;
        """

    /// The tables of counts.
    ///
    /// A day is one of the local calendar; `studyZone` has the offsets from UTC by
    /// which it was counted.
    private static let statistics = """
        CREATE TABLE cardDomain (
            card INTEGER NOT NULL REFERENCES card (number) ON DELETE CASCADE,
            domain TEXT NOT NULL,
            answers INTEGER NOT NULL,
            correct INTEGER NOT NULL,
            PRIMARY KEY (card, domain)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE studyDay (
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            day TEXT NOT NULL,
            answers INTEGER NOT NULL,
            correct INTEGER NOT NULL,
            questions INTEGER NOT NULL,
            PRIMARY KEY (user, day)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE studyZone (
            user TEXT PRIMARY KEY NOT NULL
                REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            offsets TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// The triggers that discard the counts when answers are moved or removed, as ordinary use never does.
    ///
    /// A row whose person is gone was moved or removed with that person, and so were the counts.
    private static let invalidation = """
        CREATE TABLE uncounted (
            user TEXT PRIMARY KEY NOT NULL
                REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE
        ) STRICT, WITHOUT ROWID;

        CREATE TRIGGER answerMoved AFTER UPDATE OF user, client, counter ON answer
        WHEN OLD.client <> NEW.client OR OLD.counter <> NEW.counter
            OR EXISTS (SELECT 1 FROM person WHERE user = OLD.user)
        BEGIN
            INSERT OR IGNORE INTO uncounted SELECT user FROM person
                WHERE user IN (OLD.user, NEW.user);
        END;

        CREATE TRIGGER answerRemoved AFTER DELETE ON answer
        WHEN EXISTS (SELECT 1 FROM person WHERE user = OLD.user)
        BEGIN
            INSERT OR IGNORE INTO uncounted VALUES (OLD.user);
        END;

        DROP VIEW progressByDay;
        DROP VIEW progressByDomain;
        """
}
