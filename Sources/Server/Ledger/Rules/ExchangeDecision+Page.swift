import ServiceAPI
import UserData

extension ExchangeDecision {
    /// Adds the records that follow the cursor, as many as a reply may have; what one request wrote is
    /// never parted.
    func page(_ response: inout ExchangeResponse) {
        guard let page = snapshot.page else { return }
        let known = Set(response.results.values.compactMap(\.acceptedRevision))
        let rest = page.rows.filter { !account.isWritten($0.record.key) }
        let new = page.hasMore ? [] : account.writtenRows
        var size = PageSize(
            recordsMax: account.ledger.limits.recordsPerReplyMax,
            bytesMax: ServiceLimits.replyBytesMax)
        for row in rest + new {
            // What the results say already is not said again.
            let isKnown = known.contains(row.position)
            let bytes = row.json.utf8.count
            guard size.takes(bytes, batch: row.batch, addingBytes: !isKnown) else {
                response.hasMore = true
                break
            }
            response.cursor = row.position
            if !isKnown { response.changes.append(row.record) }
        }
        if response.hasMore { return }
        guard !page.hasMore else {
            response.hasMore = true
            response.cursor = page.through
            return
        }
        response.cursor = max(request.cursor, account.totals.position)
        response.digest = account.totals.digest
    }
}

/// The growing size of a page of the log, which ends at its limits, but never within a request.
package struct PageSize {
    private let recordsMax: Int
    private let bytesMax: Int
    private var records = 0
    private var bytes = 0
    private var batch: UInt64?

    package init(recordsMax: Int, bytesMax: Int) {
        self.recordsMax = recordsMax
        self.bytesMax = bytesMax
    }

    /// Adds a record of a request to the page; returns false if the page ended before it.
    package mutating func takes(_ bytes: Int, batch: UInt64, addingBytes: Bool = true) -> Bool {
        let isFull = records >= recordsMax || self.bytes + bytes > bytesMax
        if isFull, let last = self.batch, last != batch { return false }
        self.batch = batch
        records += 1
        if addingBytes { self.bytes += bytes }
        return true
    }
}

extension OperationResult {
    fileprivate var acceptedRevision: UInt64? {
        if case .accepted(let record) = self { record.revision } else { nil }
    }
}
