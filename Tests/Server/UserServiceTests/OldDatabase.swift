import GRDB

@testable import UserService

/// A database of users as the first version made it, with what one user had.
enum OldDatabase {
    /// Makes the database and opens it, which brings it up to date.
    static func make() throws -> UserDatabase {
        let queue = try DatabaseQueue()
        try queue.write { database in
            try database.execute(sql: schema)
            try database.execute(sql: rows)
        }
        return try UserDatabase(queue)
    }

    private static let rows = """
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('v1 users');
        INSERT INTO setting VALUES ('epoch', 'old epoch');
        INSERT INTO account (number, id, createdAt, position, digest, answerCount)
            VALUES (1, 'u1', 0, 2, '0.0.0', 1);
        INSERT INTO device VALUES (1, 1, 'phone', 1, 3), (2, 1, 'http', 0, 9007199254740993);
        INSERT INTO mark VALUES (1, 2, 'm2');
        INSERT INTO record VALUES (1, 'exams', 'a', 1, 1, 0, NULL,
            '{"by":["phone",3],"collection":"exams","fields":{"n":1},"id":"a","revision":1,"time":[5,0]}');
        INSERT INTO record VALUES (1, 'diary', 'd', 2, 2, 1, NULL,
            '{"by":["phone",2],"collection":"diary","fields":{"n":1},"id":"d","revision":2,"time":[5,0]}');
        INSERT INTO result VALUES (1, 3, '{"accepted":{"by":["phone",3],"collection":"exams","fields":{"n":1},"id":"a","revision":1,"time":[5,0]},"n":3}');
        INSERT INTO result VALUES (1, 4, '{"n":4,"refused":"quota"}');
        INSERT INTO answer VALUES (1, 1, 'b', 's', 'q', NULL, '', '[]', 1, 1.0, NULL, 1, 0, 'study', 0, 5);
        """

    private static let schema = """
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
