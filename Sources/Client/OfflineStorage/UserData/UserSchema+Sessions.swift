import GRDB

extension UserSchema {
    /// Lets finished sessions stay; those of earlier versions are all open.
    static func registerFinishedSessions(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v5 finished sessions") { database in
            try database.execute(
                sql: """
                    ALTER TABLE session ADD COLUMN isFinished INTEGER NOT NULL DEFAULT 0
                        CHECK (isFinished IN (0, 1));
                    CREATE INDEX sessionByEnd ON session (user, isFinished, savedAt);
                    """)
        }
    }
}
