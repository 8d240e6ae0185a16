import GRDB

/// The tables of the store.
///
/// A migration that was released is never edited.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1 content") { database in
            try database.execute(sql: content)
        }
        registerVisibleStarts(&migrator)
        registerRefusals(&migrator)
        registerUnlistedRefusals(&migrator)
        registerTrust(&migrator)
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
            unconfirmedStarts INTEGER NOT NULL DEFAULT 0
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
        """
}
