package import GRDB

/// The tables of the server's database of users: the declared tables and the hand-written migrations around them.
///
/// A released migration is never edited.
package enum UserSchema {
    private static let declared = Tables.Table.all.flatMap { $0.schema(.sqlite) }

    package static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("0.1.0") { database in
            for tables in declared + [answers, statistics, views] {
                try database.execute(sql: tables)
            }
        }
        return migrator
    }

    /// Returns the first migration of the database that this version does not know; `nil` for none.
    package static func firstUnknownMigration(in database: Database) throws -> String? {
        let migrator = migrator
        return try migrator.appliedIdentifiers(database).subtracting(migrator.migrations).min()
    }

    /// Returns the origin of a file of a version before 0.1.0, whose tables this version cannot read, and the remedy;
    /// `nil` for a migration of a later version.
    package static func beforeRelease(_ migration: String) -> (origin: String, remedy: String)? {
        guard migration == "v1 users" else { return nil }
        return (
            "was made before 0.1.0.",
            "Export its users with the version that made it, then begin with an empty folder."
        )
    }
}
