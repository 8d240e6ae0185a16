import GRDB

extension Schema {
    /// Adds the tables of the documents that this version of the app could not read.
    static func registerRefusals(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v3 refusals") { database in
            try database.execute(sql: refusals)
        }
    }

    /// Adds the count of the refused entries of a manifest that are not listed by name.
    static func registerUnlistedRefusals(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v4 unlisted refusals") { database in
            try database.execute(
                sql: """
                    ALTER TABLE generation
                        ADD COLUMN unlistedRefusals INTEGER NOT NULL DEFAULT 0
                    """)
        }
    }

    /// A refused document has an entry only where a predecessor is shown in its place; the columns
    /// `shown…` say where that came from.
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

        -- Earlier versions banned the whole release; now it is judged again, by document.
        DELETE FROM ban WHERE reason LIKE 'Release % was refused because of %';
        """
}
