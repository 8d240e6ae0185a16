import Tables
import UserData

/// The answers that a copy has written as taken back, by account, so that the target does not count them.
struct CopiedRetractions {
    private var targets: [Int64: Set<AnswerID>] = [:]

    private static let columns = Table.retraction.copiedColumns.map(\.name)

    /// Adds a row of the table.
    ///
    /// - Throws: `CopyError` for a row that is no retraction.
    mutating func add(_ row: CopyRow, of table: CopyTable) throws {
        let values = Dictionary(uniqueKeysWithValues: zip(Self.columns, row))
        guard let account = values["account"]?.integer, let holds = values["holds"]?.integer,
            let client = values["target_client"]?.text,
            let number = values["target_number"]?.integer.flatMap(UInt64.init(exactly:))
        else {
            throw CopyError.damaged(table, "a retraction names no answer")
        }
        guard holds == 1 else { return }
        targets[account, default: []].insert(
            AnswerID(client: ClientID(client), number: number))
    }

    /// The answers of an account.
    subscript(account: Int64) -> Set<AnswerID> { targets[account] ?? [] }
}
