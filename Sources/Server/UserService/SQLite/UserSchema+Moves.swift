import GRDB

extension UserSchema {
    /// Adds the moves of accounts into others.
    static func registerMoves(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v15 moves") { database in
            try database.execute(sql: moves)
        }
    }

    /// Accounts are named by their ids: the row outlives the account, and tells its devices where everything went.
    private static let moves = """
        CREATE TABLE accountMove (
            source TEXT PRIMARY KEY NOT NULL,
            target TEXT NOT NULL,
            answers INTEGER NOT NULL CHECK (answers >= 0),
            begunAt INTEGER NOT NULL,
            finishedAt INTEGER,
            place TEXT NOT NULL CHECK (json_valid(place))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX accountMoveByTarget ON accountMove (target);
        CREATE INDEX accountMoveByEnd ON accountMove (finishedAt);
        """
}
