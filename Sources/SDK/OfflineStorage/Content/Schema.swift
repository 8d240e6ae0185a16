import GRDB

/// The tables of installed content.
///
/// Released migrations are never edited.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("0.1.0") { database in
            try database.execute(sql: content)
            try database.execute(sql: refusals)
        }
        return migrator
    }

    /// The tables.
    ///
    /// Generations share blobs and questions, so that a generation which differs in one
    /// blueprint adds one blueprint.
    private static let content = """
        CREATE TABLE generation (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            release INTEGER NOT NULL CHECK (release >= 0),
            manifestChecksum TEXT NOT NULL UNIQUE,
            manifest BLOB NOT NULL,
            source TEXT NOT NULL CHECK (source IN ('downloaded', 'bundled')),
            state TEXT NOT NULL CHECK (state IN ('current', 'lastGood')),
            installedAt REAL NOT NULL,
            unconfirmedStarts INTEGER NOT NULL DEFAULT 0,
            unlistedRefusals INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE UNIQUE INDEX generationByState ON generation (state);

        CREATE TABLE blob (
            checksum TEXT PRIMARY KEY NOT NULL,
            bytes BLOB NOT NULL
        ) STRICT;

        CREATE TABLE entry (
            generation INTEGER NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            checksum TEXT NOT NULL REFERENCES blob (checksum),
            PRIMARY KEY (generation, kind, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX entryByChecksum ON entry (checksum);

        CREATE TABLE question (
            blueprint TEXT NOT NULL REFERENCES blob (checksum) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            id TEXT NOT NULL,
            domain TEXT,
            difficulty INTEGER NOT NULL CHECK (difficulty BETWEEN 1 AND 5),
            json BLOB NOT NULL,
            PRIMARY KEY (blueprint, position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX questionByDifficulty ON question (blueprint, difficulty, domain);

        CREATE TABLE ban (
            manifestChecksum TEXT PRIMARY KEY NOT NULL,
            reason TEXT NOT NULL,
            bannedAt REAL NOT NULL
        ) STRICT;

        CREATE TABLE lazyFile (
            checksum TEXT PRIMARY KEY NOT NULL,
            size INTEGER NOT NULL CHECK (size >= 0),
            lastUsedAt REAL NOT NULL
        ) STRICT;

        CREATE TABLE setting (
            name TEXT PRIMARY KEY NOT NULL,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Trust metadata as received: each followed root, and the newest file of each other role.
        CREATE TABLE trust (
            role TEXT NOT NULL,
            version INTEGER NOT NULL,
            file BLOB NOT NULL,
            PRIMARY KEY (role, version)
        ) STRICT, WITHOUT ROWID;
        """

    /// The documents that this version of the app cannot read.
    ///
    /// A refused document has an entry only if a predecessor is shown instead; the columns `shown…` have the origin of
    /// that.
    private static let refusals = """
        CREATE TABLE refusal (
            generation INTEGER NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            checksum TEXT,
            release INTEGER NOT NULL,
            reason TEXT NOT NULL,
            refusedAt REAL NOT NULL,
            isTriedAgain INTEGER NOT NULL DEFAULT 0,
            shownRelease INTEGER,
            shownSource TEXT,
            shownInstalledAt REAL,
            PRIMARY KEY (generation, kind, key)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE omission (
            checksum TEXT PRIMARY KEY NOT NULL REFERENCES blob (checksum) ON DELETE CASCADE,
            leftOutCount INTEGER NOT NULL CHECK (leftOutCount > 0),
            reason TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
