import AnswerStorage
import GRDB

/// The tables of the server's database of users.
///
/// A migration that was released is never edited.
enum UserSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1 users") { database in
            try database.execute(sql: accounts)
            try database.execute(sql: log)
            try database.execute(sql: answers)
        }
        addBounds(&migrator)
        registerStatistics(&migrator)
        migrator.registerMigration(accountsMigration, migrate: addSessions)
        migrator.registerMigration(codesMigration, migrate: keepCodes)
        registerNarrowAnswers(&migrator)
        registerViews(&migrator)
        registerBoards(&migrator)
        registerEvents(&migrator)
        registerOperations(&migrator)
        registerReview(&migrator)
        registerRegrading(&migrator)
        registerDigests(&migrator)
        migrator.registerMigration("v14 offsets of answers") { database in
            try database.execute(sql: AnswerTables.addOffset)
        }
        registerMoves(&migrator)
        return migrator
    }

    /// Returns the name of a migration that a later version ran on the database; `nil` for none.
    static func firstUnknownMigration(in database: Database) throws -> String? {
        let migrator = migrator
        return try migrator.appliedIdentifiers(database).subtracting(migrator.migrations).min()
    }

    private static let accounts = """
        CREATE TABLE setting (
            name TEXT PRIMARY KEY NOT NULL,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE account (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            createdAt INTEGER NOT NULL,
            position INTEGER NOT NULL DEFAULT 0 CHECK (position >= 0),
            purgedThrough INTEGER NOT NULL DEFAULT 0,
            digest TEXT NOT NULL DEFAULT '0.0.0',
            answerCount INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        CREATE TABLE password (
            account INTEGER PRIMARY KEY REFERENCES account (number) ON DELETE CASCADE,
            email TEXT NOT NULL UNIQUE,
            salt BLOB NOT NULL CHECK (length(salt) = 16),
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            rounds INTEGER NOT NULL CHECK (rounds >= 1024)
        ) STRICT;

        CREATE TABLE identity (
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            PRIMARY KEY (issuer, subject)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX identityByAccount ON identity (account);

        CREATE TABLE refreshToken (
            hash BLOB PRIMARY KEY NOT NULL CHECK (length(hash) = 32),
            family TEXT NOT NULL,
            parent BLOB,
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            expiresAt INTEGER NOT NULL,
            usedAt INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX refreshTokenByFamily ON refreshToken (family);
        CREATE INDEX refreshTokenByParent ON refreshToken (parent);
        CREATE INDEX refreshTokenByAccount ON refreshToken (account);

        CREATE TABLE device (
            number INTEGER PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            name TEXT NOT NULL,
            lastAnswer INTEGER NOT NULL DEFAULT 0,
            settledBefore INTEGER NOT NULL DEFAULT 0,
            UNIQUE (account, name)
        ) STRICT;
        """

    /// A record has a place in its user's log, given in the order of commits.
    private static let log = """
        CREATE TABLE record (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            collection TEXT NOT NULL CHECK (length(collection) BETWEEN 1 AND 64),
            id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 200),
            position INTEGER NOT NULL CHECK (position > 0),
            batch INTEGER NOT NULL,
            isAppendOnly INTEGER NOT NULL CHECK (isAppendOnly IN (0, 1)),
            deletedAt INTEGER,
            json TEXT NOT NULL CHECK (json_valid(json)),
            PRIMARY KEY (account, collection, id),
            CHECK (collection <> 'reservations' OR deletedAt IS NOT NULL
                OR json_extract(json, '$.fields.status')
                    IN ('planned', 'booked', 'taken', 'cancelled'))
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX recordByPosition ON record (account, position);
        CREATE INDEX recordByDeletion ON record (deletedAt) WHERE deletedAt IS NOT NULL;
        CREATE TRIGGER recordOnlyAdded BEFORE UPDATE OF json ON record WHEN OLD.isAppendOnly
        BEGIN
            SELECT RAISE(ABORT, 'the collection only grows');
        END;

        CREATE TABLE mark (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position > 0),
            text TEXT NOT NULL,
            PRIMARY KEY (account, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE result (
            device INTEGER NOT NULL REFERENCES device (number) ON DELETE CASCADE,
            counter INTEGER NOT NULL CHECK (counter > 0),
            json TEXT NOT NULL CHECK (json_valid(json)),
            PRIMARY KEY (device, counter)
        ) STRICT, WITHOUT ROWID;
        """

    private static let answers = """
        CREATE TABLE answer (
            device INTEGER NOT NULL REFERENCES device (number) ON DELETE CASCADE,
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
            PRIMARY KEY (device, counter),
            CHECK ((bank IS NULL) = (question IS NULL) AND (bank IS NULL) = (session IS NULL)
                AND (bank IS NULL) = (isCorrect IS NULL) AND (bank IS NULL) = (mode IS NULL)
                AND (bank IS NULL) = (milliseconds IS NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER answerOnlyAdded BEFORE UPDATE ON answer
        BEGIN
            SELECT RAISE(ABORT, 'an answer is never changed');
        END;

        CREATE VIEW progressByDay AS
        SELECT device.account AS account, date(milliseconds / 1000, 'unixepoch') AS day,
            count(*) AS answers, sum(isCorrect) AS correct,
            count(DISTINCT question) AS questions, sum(takenMilliseconds) AS takenMilliseconds
        FROM answer JOIN device ON device.number = answer.device
        WHERE bank IS NOT NULL GROUP BY device.account, day;

        CREATE VIEW progressByDomain AS
        SELECT device.account AS account, bank, domain, count(*) AS answers,
            sum(isCorrect) AS correct, count(DISTINCT question) AS questions,
            max(milliseconds) AS lastMilliseconds
        FROM answer JOIN device ON device.number = answer.device
        WHERE bank IS NOT NULL GROUP BY device.account, bank, domain;
        """
}
