import GRDB
import ServiceAPI
import UserData

extension Ledger {
    /// Adds the records that follow the cursor, as many as a reply may have; what one request wrote is
    /// never parted.
    func page(
        _ request: ExchangeRequest, _ account: inout LedgerAccount,
        _ response: inout ExchangeResponse
    ) throws {
        let known = Set(response.results.values.compactMap(\.acceptedRevision))
        let statement = try database.cachedStatement(
            sql: """
                SELECT json, position, batch FROM record
                WHERE account = ? AND position > ? ORDER BY position
                """)
        let rows = try Row.fetchCursor(
            statement, arguments: [account.number, Int64(request.cursor)])
        var (count, bytes, isDamaged) = (0, 0, false)
        var last: (position: Int64, batch: Int64)?
        while let row = try rows.next() {
            let (json, position, batch): (String, Int64, Int64) = (row[0], row[1], row[2])
            let isPageFull =
                count >= ServiceLimits.recordsPerReplyMax
                || bytes + json.utf8.count > ServiceLimits.replyBytesMax
            if isPageFull, let last, last.batch != batch {
                response.hasMore = true
                break
            }
            last = (position, batch)
            count += 1
            // What the results say already is not said again.
            if known.contains(UInt64(position)) { continue }
            bytes += json.utf8.count
            if let record = StoredJSON.readable(json) {
                response.changes.append(record)
            } else {
                isDamaged = true
            }
        }
        if isDamaged { try repair(&account) }
        if response.hasMore, let last {
            response.cursor = UInt64(last.position)
        } else {
            response.cursor = max(request.cursor, account.position)
            response.digest = account.digest
        }
    }
}

extension OperationResult {
    fileprivate var acceptedRevision: UInt64? {
        if case .accepted(let record) = self { record.revision } else { nil }
    }
}
