import GRDB

extension Schema {
    /// Resets the starts that were counted before only visible ones were.
    static func registerVisibleStarts(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v2 visible starts") { database in
            try database.execute(sql: "UPDATE generation SET unconfirmedStarts = 0")
        }
    }
}
