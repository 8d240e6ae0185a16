/// A table of the server's database, declared once for SQLite and PostgreSQL.
///
/// It generates both schemas, the policies and grants of PostgreSQL, and the comparison of `db check`. An unknown
/// column is a `preconditionFailure`: a declaration is part of the program.
///
/// ```swift
/// let note = Table(
///     "note", [.identity(), .account, .text("text"), .flag("is_read", initial: false)],
///     key: ["number"], indexes: [.by("by_account", "account")], access: [.own(.select, .insert)])
/// print(note.schema(.sqlite).joined(separator: "\n"))
/// ```
package struct Table: Sendable {
    /// The databases that have a table or a column.
    package enum Place: Sendable {
        case both, sqlite, postgres

        /// Returns true when a database of that dialect has the table or column.
        package func contains(_ dialect: Dialect) -> Bool {
            switch (self, dialect) {
            case (.both, _), (.sqlite, .sqlite), (.postgres, .postgres): true
            default: false
            }
        }
    }

    /// The rows that a copy contains; other rows are derived from them, or belong to one database.
    package enum Copied: Sendable {
        case none, all
        /// The rows that meet a condition.
        case rows(where: String)
    }

    /// The name, in snake case.
    package let name: String
    /// The columns.
    package let columns: [Column]
    /// The columns of the primary key; a database without one of them leaves it out.
    package let key: [String]
    /// The columns of SQLite's primary key if it differs.
    package let sqliteKey: [String]?
    /// Sets of columns with a unique combination of values.
    package let unique: [[String]]
    /// Conditions over several columns; `{bytes x}` is the length of a text in bytes.
    package let checks: [String]
    /// References of several columns.
    package let references: [Reference]
    /// The indexes.
    package let indexes: [Index]
    /// The policies and grants of PostgreSQL.
    package let access: [Access]
    /// The databases that have the table.
    package let place: Place
    /// The percentage of a page that PostgreSQL fills on insert; the rest is free for updates in place.
    package let fillFactor: Int?
    /// True when rows are added and never changed; a trigger enforces it on SQLite.
    package let isAppendOnly: Bool
    /// The rows that a copy to the other kind of database contains.
    package let copied: Copied

    package init(
        _ name: String, _ columns: [Column], key: [String], unique: [[String]] = [],
        checks: [String] = [], references: [Reference] = [], indexes: [Index] = [],
        access: [Access] = [], place: Place = .both, fillFactor: Int? = nil,
        isAppendOnly: Bool = false, sqliteKey: [String]? = nil, copied: Copied = .none
    ) {
        (self.name, self.columns, self.key, self.unique) = (name, columns, key, unique)
        (self.checks, self.references, self.indexes) = (checks, references, indexes)
        (self.access, self.place, self.fillFactor) = (access, place, fillFactor)
        (self.isAppendOnly, self.sqliteKey, self.copied) = (isAppendOnly, sqliteKey, copied)
        let names = Set(columns.map(\.name))
        let used =
            key + (sqliteKey ?? []) + unique.joined() + indexes.flatMap(\.columns)
            + references.flatMap(\.columns)
        precondition(names.isSuperset(of: used), "\(name): a key or an index names no column")
        precondition(names.count == columns.count, "\(name): a column is declared twice")
        precondition(!key.isEmpty, "\(name): there is no key")
    }

    /// Returns the columns that a database of that dialect has.
    package func columns(in dialect: Dialect) -> [Column] {
        columns.filter { $0.place.contains(dialect) }
    }

    /// Returns the columns of the primary key in a database of that dialect.
    package func key(in dialect: Dialect) -> [String] {
        (dialect == .sqlite ? sqliteKey : nil) ?? key.filter { has([$0], dialect) }
    }

    /// True when a copy contains rows of the table.
    package var isCopied: Bool { if case .none = copied { false } else { true } }

    /// True when the rows belong to an account and are removed with it.
    package var isOwned: Bool { columns.contains { $0.name == "account" } }
}

/// The SQL dialect of a database.
package enum Dialect: Sendable, CaseIterable {
    case sqlite, postgres
}

/// A reference to rows of another table.
package struct Reference: Sendable {
    /// The referring columns; a database without one of them leaves out that pair of columns.
    package let columns: [String]
    /// The referenced table and its columns.
    package let table: String, target: [String]
    /// True when deleting the referenced row deletes this one too; otherwise that deletion is rejected.
    package let cascades: Bool

    package init(_ columns: [String], to table: String, _ target: [String], cascades: Bool = true) {
        (self.columns, self.table, self.target) = (columns, table, target)
        self.cascades = cascades
    }
}

/// An index, created in databases that have all of its columns.
package struct Index: Sendable {
    /// The suffix of the name, after the table's name.
    package let name: String
    /// The columns, in order.
    package let columns: [String]
    /// The condition of the indexed rows; `nil` for all rows.
    package let condition: String?
    /// True when no two rows may have equal values.
    package let isUnique: Bool

    /// Declares an index for searches.
    package static func by(_ name: String, _ columns: String..., where condition: String? = nil)
        -> Index
    {
        Index(name: name, columns: columns, condition: condition, isUnique: false)
    }

    /// Declares an index that rejects equal rows.
    package static func unique(_ name: String, _ columns: String..., where condition: String? = nil)
        -> Index
    {
        Index(name: name, columns: columns, condition: condition, isUnique: true)
    }
}
