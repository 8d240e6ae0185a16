import GRDB

extension UserSchema {
    /// Adds the tables that keep statistics of answers as these arrive.
    ///
    /// The migration makes empty tables only: what an older server kept is counted user by user, when
    /// that user's progress is first asked for.
    static func registerStatistics(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v2 statistics") { database in
            try database.execute(sql: statistics)
        }
    }

    /// Days are numbered since 1970 in UTC; an empty domain is none.
    ///
    /// `device.counted` is the last answer of a device that is counted. Questions are numbered, so that
    /// their texts are kept once and not for each day.
    private static let statistics = """
        ALTER TABLE device ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;

        CREATE TABLE answeredQuestion (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            bank TEXT NOT NULL,
            question TEXT NOT NULL,
            number INTEGER NOT NULL UNIQUE,
            PRIMARY KEY (account, bank, question)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE questionDay (
            question INTEGER NOT NULL REFERENCES answeredQuestion (number) ON DELETE CASCADE,
            day INTEGER NOT NULL CHECK (day >= 0),
            PRIMARY KEY (question, day)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE questionDomain (
            question INTEGER NOT NULL REFERENCES answeredQuestion (number) ON DELETE CASCADE,
            domain TEXT NOT NULL,
            PRIMARY KEY (question, domain)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE dayStatistics (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            day INTEGER NOT NULL,
            answers INTEGER NOT NULL,
            correct INTEGER NOT NULL,
            questions INTEGER NOT NULL,
            takenMilliseconds INTEGER NOT NULL,
            PRIMARY KEY (account, day)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE domainStatistics (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            bank TEXT NOT NULL,
            domain TEXT NOT NULL,
            answers INTEGER NOT NULL,
            correct INTEGER NOT NULL,
            questions INTEGER NOT NULL,
            lastMilliseconds INTEGER NOT NULL,
            PRIMARY KEY (account, bank, domain)
        ) STRICT, WITHOUT ROWID;

        DROP VIEW progressByDay;
        DROP VIEW progressByDomain;
        """
}
