import GRDB

/// The tables of a device's user data.
///
/// A migration that was released is never edited.
enum UserSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1 user data") { database in
            try database.execute(sql: states)
            try database.execute(sql: answers)
        }
        migrator.registerMigration("v2 steps of counters") { database in
            try database.execute(sql: steps)
        }
        registerSchedules(&migrator)
        registerNotices(&migrator)
        registerNarrowAnswers(&migrator)
        registerFinishedSessions(&migrator)
        registerSeenBoards(&migrator)
        registerCorrections(&migrator)
        registerLearningDays(&migrator)
        registerDeviceClocks(&migrator)
        return migrator
    }

    /// The persistent state of the device's machine, a row for each part.
    private static let states = """
        CREATE TABLE person (
            user TEXT PRIMARY KEY NOT NULL,
            version INTEGER NOT NULL DEFAULT 0,
            json BLOB NOT NULL,
            lastTry BLOB
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE setting (
            name TEXT PRIMARY KEY NOT NULL,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE base (
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            collection TEXT NOT NULL,
            id TEXT NOT NULL,
            json TEXT,
            former TEXT,
            PRIMARY KEY (user, collection, id),
            CHECK (json IS NOT NULL OR former IS NOT NULL)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE pending (
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            counter INTEGER NOT NULL CHECK (counter > 0),
            together INTEGER,
            wasSent INTEGER NOT NULL CHECK (wasSent IN (0, 1)),
            madeAt INTEGER NOT NULL,
            json TEXT NOT NULL,
            PRIMARY KEY (user, counter)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE conflict (
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            collection TEXT NOT NULL,
            id TEXT NOT NULL,
            mine TEXT NOT NULL,
            theirs TEXT NOT NULL,
            base TEXT,
            PRIMARY KEY (user, collection, id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE setAside (
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            counter INTEGER NOT NULL,
            refusal TEXT NOT NULL,
            json TEXT NOT NULL,
            PRIMARY KEY (user, counter)
        ) STRICT, WITHOUT ROWID;
        """

    /// Answers are only ever added; a session is replaced with each step.
    private static let answers = """
        CREATE TABLE answer (
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            client TEXT NOT NULL,
            counter INTEGER NOT NULL CHECK (counter > 0),
            bank TEXT,
            session TEXT,
            question TEXT,
            domain TEXT,
            version TEXT,
            options TEXT,
            isCorrect INTEGER CHECK (isCorrect IN (0, 1)),
            credit REAL,
            rating INTEGER CHECK (rating BETWEEN 1 AND 4),
            takenMilliseconds INTEGER CHECK (takenMilliseconds BETWEEN 0 AND 86400000),
            exposuresBefore INTEGER CHECK (exposuresBefore >= 0),
            mode TEXT,
            isRandomlySelected INTEGER CHECK (isRandomlySelected IN (0, 1)),
            milliseconds INTEGER CHECK (milliseconds >= 0),
            PRIMARY KEY (user, client, counter)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX answerByBank ON answer (user, bank, milliseconds);

        CREATE TABLE session (
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            id TEXT NOT NULL,
            bank TEXT NOT NULL,
            mode TEXT NOT NULL,
            savedAt REAL NOT NULL,
            json BLOB NOT NULL,
            PRIMARY KEY (user, id)
        ) STRICT;
        CREATE INDEX sessionByBank ON session (user, bank, mode);

        CREATE VIEW progressByDay AS
        SELECT user, date(milliseconds / 1000, 'unixepoch', 'localtime') AS day,
            count(*) AS answers, sum(isCorrect) AS correct,
            count(DISTINCT question) AS questions, sum(takenMilliseconds) AS takenMilliseconds
        FROM answer WHERE bank IS NOT NULL GROUP BY user, day;

        CREATE VIEW progressByDomain AS
        SELECT user, bank, domain, count(*) AS answers, sum(isCorrect) AS correct,
            count(DISTINCT question) AS questions, max(milliseconds) AS lastMilliseconds
        FROM answer WHERE bank IS NOT NULL GROUP BY user, bank, domain;
        """
}
