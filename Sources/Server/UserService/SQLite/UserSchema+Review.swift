extension UserSchema {
    /// First answers, reports, proposals and regraded answers, and what devices have installed.
    static let review = """
        CREATE TABLE contributor (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            account INTEGER NOT NULL UNIQUE REFERENCES account (number) ON DELETE CASCADE,
            since INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE firstAnswer (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            contributor INTEGER NOT NULL REFERENCES contributor (number) ON DELETE CASCADE,
            item INTEGER NOT NULL,
            response TEXT NOT NULL,
            flags INTEGER NOT NULL,
            UNIQUE (contributor, item)
        ) STRICT;

        CREATE TABLE questionReport (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            bank TEXT NOT NULL,
            question TEXT NOT NULL,
            version TEXT NOT NULL,
            reason TEXT NOT NULL,
            text TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (account, bank, question)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX questionReportByQuestion ON questionReport (bank, question, version);
        CREATE INDEX questionReportByTime ON questionReport (at);

        CREATE TABLE reviewChange (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            account INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE proposal (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            bank TEXT NOT NULL,
            question TEXT NOT NULL,
            version TEXT NOT NULL,
            key TEXT NOT NULL,
            proposedKey TEXT,
            state TEXT NOT NULL CHECK (state IN ('open', 'confirmed', 'dismissed', 'shipped')),
            evidence TEXT NOT NULL CHECK (json_valid(evidence)),
            flaggedAt INTEGER NOT NULL,
            changedAt INTEGER NOT NULL,
            actor TEXT,
            decidedAt INTEGER,
            reason TEXT NOT NULL DEFAULT '',
            release INTEGER,
            shippedAt INTEGER,
            follows INTEGER REFERENCES proposal (number),
            CHECK ((actor IS NULL) = (decidedAt IS NULL)),
            CHECK (state = 'open' OR actor IS NOT NULL),
            CHECK ((state = 'shipped') = (release IS NOT NULL)),
            CHECK ((release IS NULL) = (shippedAt IS NULL))
        ) STRICT;
        CREATE UNIQUE INDEX proposalPending ON proposal (bank, question)
            WHERE state IN ('open', 'confirmed');
        CREATE INDEX proposalByQuestion ON proposal (bank, question, number);
        CREATE INDEX proposalByChange ON proposal (state, changedAt);

        CREATE TABLE deviceContent (
            device INTEGER PRIMARY KEY REFERENCES device (number) ON DELETE CASCADE,
            release INTEGER NOT NULL CHECK (release >= 0),
            obstacle TEXT NOT NULL DEFAULT '',
            since INTEGER NOT NULL,
            day INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX deviceContentByDay ON deviceContent (day, release, obstacle);

        CREATE TABLE releaseSpread (
            release INTEGER PRIMARY KEY,
            servedAt INTEGER NOT NULL,
            half INTEGER,
            most INTEGER,
            nearlyAll INTEGER
        ) STRICT;

        CREATE TABLE correctedVersion (
            bank TEXT NOT NULL,
            question TEXT NOT NULL,
            version TEXT NOT NULL,
            PRIMARY KEY (bank, question, version)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE regradeState (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            release INTEGER NOT NULL,
            digest TEXT NOT NULL,
            sweptThrough INTEGER
        ) STRICT;

        CREATE TABLE regradeNote (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            member INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX regradeNoteByMember ON regradeNote (member);

        CREATE TABLE regradedAnswer (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            device INTEGER NOT NULL,
            counter INTEGER NOT NULL,
            bank TEXT NOT NULL,
            session INTEGER NOT NULL,
            day INTEGER NOT NULL,
            domain TEXT NOT NULL,
            isCorrect INTEGER NOT NULL CHECK (isCorrect IN (0, 1)),
            credit REAL NOT NULL,
            correct INTEGER NOT NULL CHECK (correct BETWEEN -1 AND 1),
            points INTEGER NOT NULL,
            firstPoints INTEGER NOT NULL,
            PRIMARY KEY (account, device, counter)
        ) STRICT, WITHOUT ROWID;
        """
}
