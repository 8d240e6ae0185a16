import GRDB

extension UserSchema {
    /// Adds the corrections by which stored answers are graded again, and the documents from which they were read.
    ///
    /// They are of the content and not of a user, so they hold for all users of the device. No answer is changed:
    /// `review`, `cardDomain` and `studyDay`, which are made of the answers, have the corrected grades.
    static func registerCorrections(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v7 corrections") { database in
            try database.execute(
                sql: """
                    CREATE TABLE gradeCorrection (
                        bank TEXT NOT NULL,
                        question TEXT NOT NULL,
                        version TEXT NOT NULL,
                        wrongKey TEXT NOT NULL,
                        rightKey TEXT NOT NULL,
                        day TEXT,
                        type TEXT NOT NULL,
                        options TEXT NOT NULL,
                        appliedAt INTEGER NOT NULL,
                        PRIMARY KEY (bank, question, version)
                    ) STRICT, WITHOUT ROWID;

                    CREATE TABLE correctedBank (
                        bank TEXT PRIMARY KEY NOT NULL,
                        document TEXT NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
    }
}
