import PostgresDriver
import Tables
import UserData

/// The statements that read what a decision needs of an account, and the snapshot that their results make.
struct LedgerOpening {
    private let keys: LedgerReadSet
    private let locks: Bool
    /// The records that a text of the database can name.
    private let records: [RecordKey]

    /// - Parameters:
    ///   - keys: What the decision needs.
    ///   - locks: True to lock the account until the transaction ends.
    init(_ keys: LedgerReadSet, locks: Bool) {
        self.keys = keys
        self.locks = locks
        records = keys.records.filter(\.isStorable)
    }

    /// The statements, whose results `snapshot` takes.
    var statements: [PostgresStatement] {
        [UserClaims(of: keys.user).statement, account]
            + [LedgerDevice.reading(keys).inPostgres, contribution, results, namedRecords, page]
            .compactMap(\.self)
    }

    private var account: PostgresStatement {
        let head = keys.head.map { Int64($0) }.postgresValue
        return "SELECT * FROM underway.ledger_open_1(\(locks), \(head))"
    }

    private var contribution: PostgresStatement? {
        keys.bringsAnswers ? StoredRetraction.arrival(keys).inPostgres : nil
    }

    private var results: PostgresStatement? {
        keys.counters.isEmpty ? nil : StoredVerdict.reading(keys).inPostgres
    }

    private var namedRecords: PostgresStatement? {
        guard !records.isEmpty else { return nil }
        return """
            SELECT * FROM underway.ledger_records_1(
                \(records.map(\.collection)), \(records.map(\.id)))
            """
    }

    private var page: PostgresStatement? {
        keys.page.map { page in
            """
            SELECT * FROM underway.ledger_page_1(
                \(Int64(page.after)), \(Int32(page.recordsMax)), \(Int64(page.bytesMax)))
            """
        }
    }

    /// Makes the snapshot of the results of `statements`.
    ///
    /// - Returns: The snapshot without what cannot be read, and whether there was any of that.
    /// - Throws: `PostgresDecodingError`, or `StorageError` `damaged`.
    func snapshot(
        _ results: [PostgresResult]
    ) throws -> (snapshot: LedgerSnapshot, isDamaged: Bool) {
        var results = results.dropFirst()
        guard let account = results.popFirst()?.first else { throw StorageError.damaged("account") }
        var (snapshot, isDamaged) = try LedgerSnapshot.opened(account)
        if let devices = results.popFirst() {
            isDamaged =
                try !snapshot.add(devices: devices.map(TableRow.init), asking: keys.client)
                || isDamaged
        }
        if keys.bringsAnswers, let state = results.popFirst() {
            try snapshot.add(arrival: state.map(TableRow.init))
        }
        if !keys.counters.isEmpty, let known = results.popFirst() {
            try snapshot.add(verdicts: known.map(TableRow.init))
        }
        if !records.isEmpty, let known = results.popFirst() {
            isDamaged = try !snapshot.add(records: known) || isDamaged
        }
        if let page = keys.page, let rows = results.popFirst() {
            isDamaged = try !snapshot.add(page: rows, page) || isDamaged
        }
        if snapshot.records.count == keys.records.count { snapshot.recordCounts = nil }
        return (snapshot, isDamaged)
    }
}

extension RecordKey {
    /// False with NUL, which no text of the database can contain.
    var isStorable: Bool { !collection.utf8.contains(0) && !id.utf8.contains(0) }
}
