/// A column of a table.
package struct Column: Sendable {
    /// The kinds of values.
    ///
    /// | kind | SQLite | PostgreSQL |
    /// |---|---|---|
    /// | `identity` | INTEGER, PRIMARY KEY AUTOINCREMENT as the key | bigint GENERATED ALWAYS AS IDENTITY |
    /// | `int16`, `int32`, `int64` | INTEGER | smallint, integer, bigint |
    /// | `flag` | INTEGER, 0 or 1 | boolean |
    /// | `double` | REAL | double precision |
    /// | `text` | TEXT | text COLLATE "C", which orders as SQLite does |
    /// | `json`, `jsonText`, `jsonObject` | TEXT, valid JSON | json, text COLLATE "C", jsonb |
    /// | `bytes` | BLOB | bytea |
    /// | `uuid` | TEXT | uuid |
    /// | `int32List` | none | integer[] |
    package enum Kind: Sendable {
        case identity, int16, int32, int64, flag, double, text, json, jsonText, jsonObject, bytes,
            uuid
        case int32List
    }

    /// The name, in snake case.
    package let name: String
    /// The kind of the values.
    package let kind: Kind
    /// True when the value may be NULL.
    package private(set) var isOptional = false
    /// The default value, in SQL; `nil` for none.
    package let initial: String?
    /// The condition of each value; `{bytes x}` is the length of a text in bytes.
    package let check: String?
    /// The reference of the column to another row.
    package private(set) var reference: Reference?
    /// The databases that have the column.
    package private(set) var place = Table.Place.both

    /// True when a database derives the values from other rows, so that a copy leaves them out.
    package private(set) var isDerived = false

    package init(_ kind: Kind, _ name: String, _ check: String? = nil, initial: String? = nil) {
        (self.name, self.kind, self.check, self.initial) = (name, kind, check, initial)
    }

    /// Returns a column for the number of a row, which is never reused.
    package static func identity(_ name: String = "number") -> Column { Column(.identity, name) }

    /// Returns a column of 16-bit integers.
    package static func int16(_ name: String, _ check: String? = nil) -> Column {
        Column(.int16, name, check)
    }

    /// Returns a column of 32-bit integers.
    package static func int32(_ name: String, _ check: String? = nil, initial: Int? = nil) -> Column
    {
        Column(.int32, name, check, initial: initial.map(String.init))
    }

    /// Returns a column of 64-bit integers.
    package static func int64(_ name: String, _ check: String? = nil, initial: Int? = nil) -> Column
    {
        Column(.int64, name, check, initial: initial.map(String.init))
    }

    /// Returns a column of floating-point numbers.
    package static func double(_ name: String) -> Column { Column(.double, name) }

    /// Returns a column of truth values.
    package static func flag(_ name: String, initial: Bool? = nil) -> Column {
        Column(.flag, name, initial: initial.map { $0 ? "TRUE" : "FALSE" })
    }

    /// Returns a column of texts.
    package static func text(_ name: String, _ check: String? = nil, initial: String? = nil)
        -> Column
    {
        Column(.text, name, check, initial: initial.map { "'\($0)'" })
    }

    /// Returns a column of one of some texts.
    package static func choice(_ name: String, _ values: String...) -> Column {
        Column(.text, name, "\(name) IN (\(values.map { "'\($0)'" }.joined(separator: ", ")))")
    }

    /// Returns a column of JSON values whose text stays unchanged.
    package static func json(_ name: String) -> Column { Column(.json, name) }

    /// Returns a column of JSON values that PostgreSQL stores as plain text.
    package static func jsonText(_ name: String) -> Column { Column(.jsonText, name) }

    /// Returns a column of bytes, of a fixed length if one is given.
    package static func bytes(_ name: String, _ count: Int? = nil) -> Column {
        Column(.bytes, name, count.map { "{bytes \(name)} = \($0)" })
    }

    /// Returns a column of UUIDs.
    package static func uuid(_ name: String) -> Column { Column(.uuid, name) }

    /// The account that owns a row.
    package static let account = int64("account").refers(to: "account")

    /// A copy of the column whose value may be NULL.
    package var optional: Column { changed { $0.isOptional = true } }

    /// A copy of the column whose values a database derives from other rows.
    package var derived: Column { changed { $0.isDerived = true } }

    /// Returns the column for databases of one kind only.
    package func only(_ place: Table.Place) -> Column { changed { $0.place = place } }

    /// Returns the column as a reference to a row of another table.
    package func refers(
        to table: String, _ column: String = "number", cascades: Bool = true
    ) -> Column {
        changed { $0.reference = Reference([name], to: table, [column], cascades: cascades) }
    }

    private func changed(_ change: (inout Column) -> Void) -> Column {
        var column = self
        change(&column)
        return column
    }
}
