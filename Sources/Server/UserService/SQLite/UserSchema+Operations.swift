import GRDB

extension UserSchema {
    /// Adds the content of devices, roles, the audit log, and names that an operator forbids.
    static func registerOperations(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v10 operations") { database in
            try database.execute(sql: operations)
        }
    }

    /// The numbers of entries are never given again.
    private static let operations = """
        ALTER TABLE boardProfile ADD COLUMN isNameBlocked INTEGER NOT NULL DEFAULT 0
            CHECK (isNameBlocked IN (0, 1));

        CREATE TABLE deviceContent (
            device INTEGER PRIMARY KEY REFERENCES device (number) ON DELETE CASCADE,
            release INTEGER NOT NULL CHECK (release >= 0),
            obstacle TEXT NOT NULL DEFAULT '',
            since INTEGER NOT NULL,
            day INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX deviceContentByDay ON deviceContent (day, release, obstacle);

        CREATE TABLE role (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            role TEXT NOT NULL CHECK (role IN ('author', 'publisher', 'administrator')),
            since INTEGER NOT NULL,
            PRIMARY KEY (account, role)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE audit (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            actor TEXT NOT NULL CHECK (length(actor) BETWEEN 1 AND 300),
            action TEXT NOT NULL CHECK (length(action) BETWEEN 1 AND 64),
            subject TEXT NOT NULL,
            detail TEXT NOT NULL DEFAULT ''
        ) STRICT;
        CREATE INDEX auditByAction ON audit (action, actor, number);
        CREATE INDEX auditByTime ON audit (at);
        CREATE TRIGGER auditIsNeverChanged BEFORE UPDATE ON audit
        BEGIN
            SELECT RAISE(ABORT, 'an entry of the audit log is never changed');
        END;
        """
}
