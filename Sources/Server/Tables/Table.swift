/// A table of the server's database, declared once for SQLite and PostgreSQL.
///
/// Both schemas, the policies and grants of PostgreSQL, and the comparison by `db check` are made of it. A
/// name that is no column is a `preconditionFailure`: a declaration is part of the program.
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

        /// Returns true when a database of that dialect has it.
        package func contains(_ dialect: Dialect) -> Bool {
            switch (self, dialect) {
            case (.both, _), (.sqlite, .sqlite), (.postgres, .postgres): true
            default: false
            }
        }
    }

    /// The rows that a copy takes along; the rest follows from them, or belongs to one database.
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
    /// The columns of SQLite's primary key where it is another one.
    package let sqliteKey: [String]?
    /// Sets of columns whose values together are unique.
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
    /// The part of a page, in percent, that PostgreSQL fills at first; the rest is for updates in place.
    package let fillFactor: Int?
    /// True when rows are added and never changed, which a trigger of SQLite enforces.
    package let isAppendOnly: Bool
    /// The rows that a copy to the other kind of database takes along.
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

    /// The columns that a database of that dialect has.
    package func columns(in dialect: Dialect) -> [Column] {
        columns.filter { $0.place.contains(dialect) }
    }

    /// The columns of the primary key of a database of that dialect.
    package func key(in dialect: Dialect) -> [String] {
        (dialect == .sqlite ? sqliteKey : nil) ?? key.filter { has([$0], dialect) }
    }

    /// True when a copy takes rows along.
    package var isCopied: Bool { if case .none = copied { false } else { true } }

    /// True when the rows belong to an account, and are removed with it.
    package var isOwned: Bool { columns.contains { $0.name == "account" } }
}

/// The language of a database.
package enum Dialect: Sendable, CaseIterable {
    case sqlite, postgres
}

/// A reference to rows of another table, which are removed together.
package struct Reference: Sendable {
    /// The columns that refer; a database without one of them leaves it out, with the column that it refers to.
    package let columns: [String]
    /// The table that they refer to, and its columns.
    package let table: String, target: [String]
    /// True when a row is removed with the one that it refers to; else it keeps that one from being removed.
    package let cascades: Bool

    package init(_ columns: [String], to table: String, _ target: [String], cascades: Bool = true) {
        (self.columns, self.table, self.target) = (columns, table, target)
        self.cascades = cascades
    }
}

/// An index; it is made in databases that have all of its columns.
package struct Index: Sendable {
    /// The name after that of the table.
    package let name: String
    /// The columns, the first one first.
    package let columns: [String]
    /// The condition of rows that are in it; `nil` for all rows.
    package let condition: String?
    /// True when no two rows may have the same values.
    package let isUnique: Bool

    /// Declares an index for searches.
    package static func by(_ name: String, _ columns: String..., where condition: String? = nil)
        -> Index
    {
        Index(name: name, columns: columns, condition: condition, isUnique: false)
    }

    /// Declares an index that refuses equal rows.
    package static func unique(_ name: String, _ columns: String..., where condition: String? = nil)
        -> Index
    {
        Index(name: name, columns: columns, condition: condition, isUnique: true)
    }
}
