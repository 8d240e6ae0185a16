import GRDB

extension Schema {
    /// Adds the table of trust metadata, as they were received: all roots that were followed, of other roles one.
    static func registerTrust(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v5 trust") { database in
            try database.execute(
                sql: """
                    CREATE TABLE trust (
                        role TEXT NOT NULL,
                        version INTEGER NOT NULL,
                        file BLOB NOT NULL,
                        PRIMARY KEY (role, version)
                    ) STRICT, WITHOUT ROWID
                    """)
        }
    }
}
