import GRDB

extension UserSchema {
    /// Adds the digest of each device's answers.
    ///
    /// The first exchange of an account computes those that are missing.
    static func registerDigests(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v13 digests of answers") { database in
            try database.execute(
                sql: """
                    ALTER TABLE device ADD COLUMN answersSum INTEGER;
                    ALTER TABLE device ADD COLUMN answersCross INTEGER;
                    """)
        }
    }
}
