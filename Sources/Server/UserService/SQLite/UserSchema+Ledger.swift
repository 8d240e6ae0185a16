extension UserSchema {
    /// Devices, records and results, and the statistics of answers.
    ///
    /// A record has a place in its user's log, given in the order of commits. Days are numbered since 1970 in UTC; an empty
    /// domain is none. `device.counted` is the last answer of a device that the statistics have. Questions are numbered, so
    /// that their texts are stored once and not for each day.
    static let ledger = """
        CREATE TABLE device (
            number INTEGER PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            name TEXT NOT NULL,
            lastAnswer INTEGER NOT NULL DEFAULT 0,
            settledBefore INTEGER NOT NULL DEFAULT 0,
            requestNumber INTEGER NOT NULL DEFAULT 0,
            requestHash BLOB NOT NULL DEFAULT x'',
            headPosition INTEGER NOT NULL DEFAULT 0,
            headEpoch TEXT NOT NULL DEFAULT '',
            lastSeenAt INTEGER NOT NULL DEFAULT 0,
            isRetired INTEGER NOT NULL DEFAULT 0 CHECK (isRetired IN (0, 1)),
            counted INTEGER NOT NULL DEFAULT 0,
            answersSum INTEGER,
            answersCross INTEGER,
            UNIQUE (account, name)
        ) STRICT;

        CREATE TABLE record (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            collection TEXT NOT NULL CHECK (length(collection) BETWEEN 1 AND 64),
            id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 200),
            position INTEGER NOT NULL CHECK (position > 0),
            batch INTEGER NOT NULL,
            deletedAt INTEGER,
            json TEXT NOT NULL CHECK (json_valid(json)),
            PRIMARY KEY (account, collection, id)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX recordByPosition ON record (account, position);
        CREATE INDEX recordByDeletion ON record (deletedAt) WHERE deletedAt IS NOT NULL;

        CREATE TABLE damagedRecord (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            collection TEXT NOT NULL,
            id TEXT NOT NULL,
            position INTEGER NOT NULL,
            foundAt INTEGER NOT NULL,
            json TEXT NOT NULL,
            PRIMARY KEY (account, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE mark (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position > 0),
            text TEXT NOT NULL,
            PRIMARY KEY (account, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE verdict (
            device INTEGER NOT NULL REFERENCES device (number) ON DELETE CASCADE,
            counter INTEGER NOT NULL CHECK (counter > 0),
            hash BLOB NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('accepted', 'merged', 'conflict', 'refused')),
            revision INTEGER NOT NULL DEFAULT 0,
            refusal TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (device, counter)
        ) STRICT, WITHOUT ROWID;

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

        CREATE TABLE questionDifficulty (
            bank TEXT NOT NULL,
            question TEXT NOT NULL,
            difficulty INTEGER NOT NULL CHECK (difficulty BETWEEN 1 AND 5),
            PRIMARY KEY (bank, question)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE difficultyBank (
            bank TEXT PRIMARY KEY NOT NULL,
            checksum TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
