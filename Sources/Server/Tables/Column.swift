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
    /// True when a value may be missing.
    package private(set) var isOptional = false
    /// The value of a row that states none, in SQL; `nil` for none.
    package let initial: String?
    /// The condition of each value; `{bytes x}` is the length of a text in bytes.
    package let check: String?
    /// The row that each value refers to.
    package private(set) var reference: Reference?
    /// The databases that have the column.
    package private(set) var place = Table.Place.both

    /// True when a database makes the values of other rows, so that a copy leaves them out.
    package private(set) var isDerived = false

    package init(_ kind: Kind, _ name: String, _ check: String? = nil, initial: String? = nil) {
        (self.name, self.kind, self.check, self.initial) = (name, kind, check, initial)
    }

    /// The number of a row, which no later row gets again.
    package static func identity(_ name: String = "number") -> Column { Column(.identity, name) }

    /// A number of 16 bits.
    package static func int16(_ name: String, _ check: String? = nil) -> Column {
        Column(.int16, name, check)
    }

    /// A number of 32 bits.
    package static func int32(_ name: String, _ check: String? = nil, initial: Int? = nil) -> Column
    {
        Column(.int32, name, check, initial: initial.map(String.init))
    }

    /// A number of 64 bits.
    package static func int64(_ name: String, _ check: String? = nil, initial: Int? = nil) -> Column
    {
        Column(.int64, name, check, initial: initial.map(String.init))
    }

    /// A number with a fraction.
    package static func double(_ name: String) -> Column { Column(.double, name) }

    /// A truth value.
    package static func flag(_ name: String, initial: Bool? = nil) -> Column {
        Column(.flag, name, initial: initial.map { $0 ? "TRUE" : "FALSE" })
    }

    /// A text.
    package static func text(_ name: String, _ check: String? = nil, initial: String? = nil)
        -> Column
    {
        Column(.text, name, check, initial: initial.map { "'\($0)'" })
    }

    /// One of some texts.
    package static func choice(_ name: String, _ values: String...) -> Column {
        Column(.text, name, "\(name) IN (\(values.map { "'\($0)'" }.joined(separator: ", ")))")
    }

    /// A JSON value whose text stays as it was written.
    package static func json(_ name: String) -> Column { Column(.json, name) }

    /// A JSON value that PostgreSQL does not look into.
    package static func jsonText(_ name: String) -> Column { Column(.jsonText, name) }

    /// Bytes, of a number if one is given.
    package static func bytes(_ name: String, _ count: Int? = nil) -> Column {
        Column(.bytes, name, count.map { "{bytes \(name)} = \($0)" })
    }

    /// A UUID.
    package static func uuid(_ name: String) -> Column { Column(.uuid, name) }

    /// The account that a row belongs to.
    package static let account = int64("account").refers(to: "account")

    /// The column, whose value may be missing.
    package var optional: Column { changed { $0.isOptional = true } }

    /// The column, whose values a database makes of other rows.
    package var derived: Column { changed { $0.isDerived = true } }

    /// The column in databases of one kind alone.
    package func only(_ place: Table.Place) -> Column { changed { $0.place = place } }

    /// The column as a reference to a row of another table.
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
