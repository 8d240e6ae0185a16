import GRDB

extension UserSchema {
    /// Adds the table of notices: writes that lost, until the user dismisses them.
    static func registerNotices(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v3 notices") { database in
            try database.execute(
                sql: """
                    CREATE TABLE notice (
                        user TEXT NOT NULL
                            REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
                        client TEXT NOT NULL,
                        counter INTEGER NOT NULL CHECK (counter > 0),
                        mine TEXT NOT NULL,
                        theirs TEXT NOT NULL,
                        PRIMARY KEY (user, client, counter)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
    }
}
