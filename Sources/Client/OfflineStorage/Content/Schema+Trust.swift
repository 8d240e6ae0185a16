import GRDB

extension Schema {
    /// Adds the table of trust metadata, a file for each role as it was received.
    static func registerTrust(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v5 trust") { database in
            try database.execute(
                sql: """
                    CREATE TABLE trust (
                        role TEXT PRIMARY KEY NOT NULL,
                        file BLOB NOT NULL
                    ) STRICT, WITHOUT ROWID
                    """)
        }
    }
}
