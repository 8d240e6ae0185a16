package import Tables

/// A table of users' data in the form that both databases have in common: a declared one, or the answers.
///
/// The rows of a table have the same columns and the same order in both. Sums and numbers that follow from other
/// rows (statistics, numbers of texts, counts by collection, first answers) are not copied: the target makes them.
package struct CopyTable: Sendable, Hashable {
    /// The name.
    package let name: String
    /// The columns.
    package let columns: [CopyColumn]
    /// The declaration; `nil` for answers, which each database stores in its own way.
    package let declared: Tables.Table?

    /// The answers.
    package static let answers = CopyTable(
        name: "answer", columns: CopiedAnswer.columns, declared: nil)

    /// The tables, in the order in which they are written: rows refer to those of earlier tables.
    package static let all =
        copied(Tables.Table.ledger) + [answers]
        + copied(Array(Tables.Table.all.dropFirst(Tables.Table.ledger.count)))

    private static func copied(_ tables: [Tables.Table]) -> [CopyTable] {
        tables.filter(\.isCopied).map { table in
            let columns = table.copiedColumns.map { column in
                table.isDevice(column) ? CopyColumn.text(column.name) : CopyColumn(column)
            }
            return CopyTable(name: table.name, columns: columns, declared: table)
        }
    }

    package static func == (one: CopyTable, other: CopyTable) -> Bool { one.name == other.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A column of a copied table.
package struct CopyColumn: Sendable, Hashable {
    /// The form of its values; each may be missing too.
    package enum Kind: Sendable, Hashable {
        case integer, number, text, bytes

        fileprivate init(_ kind: Column.Kind) {
            self =
                switch kind {
                case .identity, .int16, .int32, .int64, .flag: .integer
                case .double: .number
                case .bytes: .bytes
                case .text, .json, .jsonText, .jsonObject, .uuid, .int32List: .text
                }
        }
    }

    /// The name in the results of both databases.
    package let name: String
    /// The form of its values.
    package let kind: Kind

    private init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// The copied form of a declared column.
    package init(_ column: Column) { self.init(name: column.name, kind: Kind(column.kind)) }

    static func integer(_ name: String) -> CopyColumn { CopyColumn(name: name, kind: .integer) }
    static func number(_ name: String) -> CopyColumn { CopyColumn(name: name, kind: .number) }
    static func text(_ name: String) -> CopyColumn { CopyColumn(name: name, kind: .text) }
}

/// A value of a copied row.
package enum CopyValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case number(Double)
    case text(String)
    case bytes([UInt8])

    /// The integer; `nil` for anything else.
    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    /// The number; `nil` for anything else.
    package var number: Double? { if case .number(let value) = self { value } else { nil } }
    /// The text; `nil` for anything else.
    package var text: String? { if case .text(let value) = self { value } else { nil } }
    /// The bytes; `nil` for anything else.
    package var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
}

/// The values of a row, in the order of the table's columns.
package typealias CopyRow = [CopyValue]
