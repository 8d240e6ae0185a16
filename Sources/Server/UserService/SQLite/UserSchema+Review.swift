import GRDB

extension UserSchema {
    /// Adds what the review of keys works on: first answers of those who agreed, reports, proposals.
    static func registerReview(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v11 review") { database in
            try database.execute(sql: review)
        }
    }

    /// The numbers of contributors, answers and proposals are never given again.
    ///
    /// A change is a row of its own, never one that is written again: what is removed must not be what came meanwhile.
    private static let review = """
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

        CREATE TABLE releaseSpread (
            release INTEGER PRIMARY KEY,
            servedAt INTEGER NOT NULL,
            half INTEGER,
            most INTEGER,
            nearlyAll INTEGER
        ) STRICT;
        """
}
