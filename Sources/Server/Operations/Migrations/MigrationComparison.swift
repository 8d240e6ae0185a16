import PostgresDriver

/// The migrations of a program beside those that a database ran.
///
/// | the database | a server of this version | a migrator of this version |
/// |---|---|---|
/// | lacks a migration | does not start, is not ready | runs it |
/// | has a later one that only adds | goes on | has nothing to do |
/// | has a later one that is breaking | does not start, is not ready | refuses |
/// | has a later one, and lacks one | does not start, is not ready | refuses |
/// | ran another text under a name | does not start, is not ready | refuses |
/// | was made before 0.1.0 | does not start, is not ready | refuses |
struct MigrationComparison: Hashable {
    /// A migration as the database remembers it.
    struct Applied: Hashable {
        var checksum: String
        var isBreaking: Bool
    }

    /// The first migration that the database lacks.
    let missing: String?
    /// The migrations that this program does not know, by name.
    let later: [String]
    private let laterBreaking: String?
    private let edited: String?
    private let isEarly: Bool

    /// The first migration of databases that were made before 0.1.0, whose tables no version reads any more.
    private static let early = "1 ledger"

    init(_ migrations: [PostgresMigration], _ applied: [String: Applied]) {
        let known = Set(migrations.map(\.name))
        let unknown = applied.filter { !known.contains($0.key) }
        isEarly = applied[Self.early] != nil
        missing = migrations.first { applied[$0.name] == nil }?.name
        later = unknown.keys.sorted()
        laterBreaking = unknown.filter(\.value.isBreaking).keys.min()
        edited =
            migrations.first { migration in
                applied[migration.name].map { $0.checksum != migration.checksum } ?? false
            }?.name
    }

    /// The reason why a server of this version cannot use the database; `nil` when it can.
    var obstacleToServing: PostgresMigrationError? {
        obstacle ?? missing.map(PostgresMigrationError.missing)
    }

    /// The reason why a migrator of this version changes nothing; `nil` when it may run what is missing.
    var obstacleToMigrating: PostgresMigrationError? {
        obstacle ?? (missing == nil ? nil : later.first.map(PostgresMigrationError.later))
    }

    private var obstacle: PostgresMigrationError? {
        isEarly
            ? .beforeRelease
            : laterBreaking.map(PostgresMigrationError.later)
                ?? edited.map(PostgresMigrationError.edited)
    }
}

extension MigrationComparison {
    /// The statement whose rows `init(_:rows:)` takes.
    static let statement: PostgresStatement =
        "SELECT name, checksum, is_breaking FROM underway.migration"

    /// Compares with the rows of `statement`.
    init(_ migrations: [PostgresMigration], rows: PostgresResult) throws {
        let applied = try rows.map { row in
            (
                try row.value("name", as: String.self),
                Applied(
                    checksum: try row.value("checksum"), isBreaking: try row.value("is_breaking"))
            )
        }
        self.init(migrations, Dictionary(applied, uniquingKeysWith: { $1 }))
    }
}

/// A difference between the migrations of the database and those of the program.
package enum PostgresMigrationError: Error, Hashable, CustomStringConvertible {
    /// The database lacks this migration.
    case missing(String)
    /// A later version of the program ran this migration, which breaks this version.
    case later(String)
    /// The database ran a different text under this name.
    case edited(String)
    /// The database was created before 0.1.0.
    case beforeRelease

    /// The difference, and the remedy.
    package var description: String {
        switch self {
        case .missing(let name):
            "The database lacks the migration \"\(name)\". Run `underway db migrate` of this version."
        case .later(let name):
            "A later version of this program ran the migration \"\(name)\" on the database. Start that"
                + " version. Nothing was changed."
        case .edited(let name):
            "The migration \"\(name)\" on the database is not the one of this version. Start the version"
                + " that ran it. Nothing was changed."
        case .beforeRelease:
            "The database was made before 0.1.0. Export its users with the version that made it, then begin"
                + " with an empty database. Nothing was changed."
        }
    }
}
