package import Tables

/// A table of users' data in the form that both databases share: a declared table, or the answers.
///
/// The rows of a table have the same columns and the same order in both. Derived sums and numbers (statistics, numbers
/// of texts, counts by collection, first answers) are not copied: the target computes them.
package struct CopyTable: Sendable, Hashable {
    /// The name.
    package let name: String
    /// The columns.
    package let columns: [CopyColumn]
    /// The declaration; `nil` for answers, which each database stores differently.
    package let declared: Tables.Table?

    /// The answers.
    package static let answers = CopyTable(
        name: "answer", columns: CopiedAnswer.columns, declared: nil)

    /// The tables in the order of writing: rows refer to rows of earlier tables.
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

    /// Returns the expressions of a device's position in its account, and of its last answer, which only whole accounts
    /// have.
    package static func deviceColumns(of whole: String) -> [String: String] {
        [
            "number": "row_number() OVER (PARTITION BY its.account ORDER BY its.number)",
            "last_answer": "CASE WHEN its.account IN (\(whole)) THEN its.last_answer ELSE 0 END",
        ]
    }

    package static func == (one: CopyTable, other: CopyTable) -> Bool { one.name == other.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A column of a copied table.
package struct CopyColumn: Sendable, Hashable {
    /// The form of its values, each of which may be missing.
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

    static func integer(_ name: String) -> CopyColumn { CopyColumn(name: name, kind: .integer) }
    static func number(_ name: String) -> CopyColumn { CopyColumn(name: name, kind: .number) }
    static func text(_ name: String) -> CopyColumn { CopyColumn(name: name, kind: .text) }
}

extension CopyColumn {
    /// Creates the copied form of a declared column.
    package init(_ column: Column) { self.init(name: column.name, kind: Kind(column.kind)) }
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
