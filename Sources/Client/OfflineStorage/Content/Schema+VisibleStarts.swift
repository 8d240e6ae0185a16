import GRDB

extension Schema {
    /// Forgives the starts that were counted before only visible ones did.
    static func registerVisibleStarts(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v2 visible starts") { database in
            try database.execute(sql: "UPDATE generation SET unconfirmedStarts = 0")
        }
    }
}
