import GRDB

extension UserSchema {
    /// Epochs and byte counts of accounts, the trails of devices, and verdicts instead of results.
    ///
    /// A server's one epoch becomes that of each account which it has, so devices notice nothing.
    static func addBounds(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v2 bounds of the ledger") { database in
            try database.execute(sql: accountBounds)
            try database.execute(sql: deviceTrails)
            try database.execute(sql: verdicts)
            try database.execute(sql: recordsWithoutPolicies)
        }
    }

    private static let accountBounds = """
        ALTER TABLE account ADD COLUMN epoch TEXT NOT NULL DEFAULT '';
        ALTER TABLE account ADD COLUMN recordBytes INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE account ADD COLUMN answerBytes INTEGER NOT NULL DEFAULT 0;
        UPDATE account SET
            epoch = coalesce((SELECT value FROM setting WHERE name = 'epoch'), ''),
            recordBytes = (SELECT coalesce(sum(length(CAST(json AS BLOB))), 0) FROM record
                WHERE record.account = account.number),
            answerBytes = answerCount * 160;
        DELETE FROM setting WHERE name = 'epoch';
        """

    /// Devices of before count as used long ago.
    ///
    /// Plain requests write under a name that no device has.
    private static let deviceTrails = """
        ALTER TABLE device ADD COLUMN requestNumber INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE device ADD COLUMN requestHash BLOB NOT NULL DEFAULT x'';
        ALTER TABLE device ADD COLUMN headPosition INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE device ADD COLUMN headEpoch TEXT NOT NULL DEFAULT '';
        ALTER TABLE device ADD COLUMN lastSeenAt INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE device ADD COLUMN isRetired INTEGER NOT NULL DEFAULT 0
            CHECK (isRetired IN (0, 1));
        UPDATE device SET lastSeenAt = 1;
        UPDATE device SET name = '!http', lastSeenAt = 0, settledBefore = min(settledBefore, 1 << 50)
            WHERE name = 'http' AND lastAnswer = 0;
        """

    /// The outcome of an operation; the record itself is in the log.
    private static let verdicts = """
        CREATE TABLE verdict (
            device INTEGER NOT NULL REFERENCES device (number) ON DELETE CASCADE,
            counter INTEGER NOT NULL CHECK (counter > 0),
            hash BLOB NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('accepted', 'merged', 'conflict', 'refused')),
            revision INTEGER NOT NULL DEFAULT 0,
            refusal TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (device, counter)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO verdict (device, counter, hash, kind, revision, refusal)
        SELECT device, counter, x'',
            CASE WHEN json_type(json, '$.accepted') IS NOT NULL THEN 'accepted'
                WHEN json_type(json, '$.merged') IS NOT NULL THEN 'merged'
                WHEN json_type(json, '$.conflict') IS NOT NULL THEN 'conflict'
                ELSE 'refused' END,
            coalesce(json_extract(json, '$.accepted.revision'), 0),
            coalesce(json_extract(json, '$.refused'), '')
        FROM result WHERE json_type(json, '$.retryLater') IS NULL;
        DROP TABLE result;
        """

    /// Policies and rules are the author's to change, so the table knows none of them.
    private static let recordsWithoutPolicies = """
        CREATE TABLE newRecord (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            collection TEXT NOT NULL CHECK (length(collection) BETWEEN 1 AND 64),
            id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 200),
            position INTEGER NOT NULL CHECK (position > 0),
            batch INTEGER NOT NULL,
            deletedAt INTEGER,
            json TEXT NOT NULL CHECK (json_valid(json)),
            PRIMARY KEY (account, collection, id)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO newRecord (account, collection, id, position, batch, deletedAt, json)
            SELECT account, collection, id, position, batch, deletedAt, json FROM record;
        DROP TABLE record;
        ALTER TABLE newRecord RENAME TO record;
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
        """
}
