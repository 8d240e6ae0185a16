import Accounts

/// A copy of all users' data from one database to another, verified by counts and digests.
///
/// The digests of the source cover the rows read there; those of the target cover the rows read back from its tables. A
/// copy runs in constant memory.
///
/// ```swift
/// let report = try DatabaseCopy(from: source, to: target).run()
/// print(report.tables[0].table, report.tables[0].sum.rows)
/// ```
package struct DatabaseCopy {
    private let source: any CopySource
    private let target: any CopyTarget

    /// Creates a copy between databases in open transactions, which the caller commits after `run`.
    package init(from source: any CopySource, to target: any CopyTarget) {
        self.source = source
        self.target = target
    }

    /// Copies and compares.
    ///
    /// - Returns: The counts and digests.
    /// - Throws: `CopyError`, or an error of a database; the caller rolls back.
    package func run() throws -> CopyReport {
        let read = try CopyTable.all.map(copy)
        try target.adopt(marks: source.marks())
        try target.complete()
        for known in read {
            let written = try Self.sum(of: known.table, in: target)
            guard written == known.sum else { throw Self.difference(known, written) }
        }
        let revocations = try source.revocations()
        // Last, since a file is not undone with a transaction.
        try target.add(revocations)
        try compare(revocations)
        return CopyReport(tables: read, revocations: revocations.count)
    }

    /// Computes the sum of a table in a database.
    ///
    /// - Throws: `CopyError`, or an error of the database.
    package static func sum(
        of table: CopyTable, in source: any CopySource
    ) throws -> CopyDigest.Sum {
        var digest = CopyDigest()
        try source.forEachRow(of: table) { digest.add($0) }
        return digest.sum
    }

    private func copy(_ table: CopyTable) throws -> CopyReport.Table {
        var digest = CopyDigest()
        try source.forEachRow(of: table) { row in
            digest.add(row)
            try target.write(row, to: table)
        }
        try target.finish(table)
        return CopyReport.Table(table: table, sum: digest.sum)
    }

    /// Checks that the target has all revocations; it may have later ones of its own.
    private func compare(_ revocations: [Revocation]) throws {
        let written = try target.revocations().reduce(into: [:]) { $0[$1.key] = $1.time }
        guard revocations.allSatisfy({ $0.time <= written[$0.key] ?? .min }) else {
            throw CopyError(
                .differs,
                "The revocations of the copy are not those of the source. Nothing was copied.")
        }
    }

    private static func difference(
        _ known: CopyReport.Table, _ written: CopyDigest.Sum
    ) -> CopyError {
        CopyError(
            .differs,
            "The copy differs from its source in the table \(known.table.name): \(known.sum.rows) rows with"
                + " the digest \(known.sum.sha256.prefix(12)) were read, and \(written.rows) with"
                + " \(written.sha256.prefix(12)) read back. Nothing was copied. Check the source"
                + " (`underway db check`), and whether triggers or rules were added to the target.")
    }
}

/// The result of a copy.
package struct CopyReport: Sendable, Hashable {
    /// A table with its count and digest, which are the same in source and target.
    package struct Table: Sendable, Hashable {
        /// The table.
        package var table: CopyTable
        /// The count and the digest.
        package var sum: CopyDigest.Sum
    }

    /// The tables.
    package var tables: [Table]
    /// The number of revocations of the source.
    package var revocations: Int
}
