import GRDB

/// The tables of a device's user data.
///
/// Released migrations are never edited.
enum UserSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("0.1.0") { database in
            for tables in [
                states, seen, answers, retractions, schedules, statistics, invalidation,
            ] {
                try database.execute(sql: tables)
            }
        }
        return migrator
    }

    /// The persistent state of the device's machine, a row for each part.
    ///
    /// `added` and `removed` are what a pending operation adds to the totals of a counter, so that a copied store can
    /// separate its own steps from those of the original. A notice is a write that lost, until the user dismisses it.
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
            added INTEGER NOT NULL DEFAULT 0,
            removed INTEGER NOT NULL DEFAULT 0,
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

        CREATE TABLE notice (
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            client TEXT NOT NULL,
            counter INTEGER NOT NULL CHECK (counter > 0),
            mine TEXT NOT NULL,
            theirs TEXT NOT NULL,
            PRIMARY KEY (user, client, counter)
        ) STRICT, WITHOUT ROWID;
        """

    /// Sessions, and the boards that users saw; both belong to their user.
    private static let seen = """
        CREATE TABLE session (
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            id TEXT NOT NULL,
            bank TEXT NOT NULL,
            mode TEXT NOT NULL,
            savedAt REAL NOT NULL,
            json BLOB NOT NULL,
            isFinished INTEGER NOT NULL DEFAULT 0 CHECK (isFinished IN (0, 1)),
            PRIMARY KEY (user, id)
        ) STRICT;
        CREATE INDEX sessionByBank ON session (user, bank, mode);
        CREATE INDEX sessionByEnd ON session (user, isFinished, savedAt);

        CREATE TABLE seenBoard (
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            name TEXT NOT NULL,
            period TEXT NOT NULL,
            receivedAt REAL NOT NULL,
            json TEXT NOT NULL,
            PRIMARY KEY (user, name, period)
        ) STRICT, WITHOUT ROWID;
        """
}
