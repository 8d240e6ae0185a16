import Foundation
import PostgresDriver

extension PostgresAccounts {
    /// The revocations of one statement.
    private static let batchMax = 1_000

    // MARK: Marks

    /// Compares the mark of this process with the database's, and shares the revocations of this process.
    package func detectRestore() async throws -> Bool {
        try await shareRevocations()
        // A process without a file was not there before, whatever marks others have.
        guard let file = try mark.read() else { return false }
        return try await asAccounts { transaction in
            let settings = try transaction.query(
                """
                SELECT (SELECT mark FROM underway.instance_mark
                        WHERE instance = \(file.instance)) AS mark,
                    (SELECT value FROM underway.setting WHERE name = 'generation') AS generation
                """)
            let comparison = MarkComparison(
                file: file, mark: try settings.first?.value("mark"),
                generation: try Self.generation(settings.first))
            if let next = comparison.nextGeneration {
                try transaction.query(
                    """
                    INSERT INTO underway.setting AS known (name, value)
                    VALUES ('generation', \(String(next)))
                    ON CONFLICT (name) DO UPDATE SET
                        value = greatest(known.value::bigint, excluded.value::bigint)::text
                    """)
            }
            return comparison.isRestored
        }
    }

    private static func generation(_ row: PostgresRow?) throws -> Int64 {
        try row?.value("generation", as: String?.self).flatMap { Int64($0) } ?? 0
    }

    package func renewMark(now: Int64) async throws {
        guard mark.isDue(now: now) else { return }
        let known = try mark.read()
        let instance = known?.instance ?? RandomText.make(bytes: 9)
        let next = "\(instance).\(RandomText.make(bytes: 12))"
        let generation = try await open(AccountReadSet()).generation
        // The file first: whenever the process is killed, the file names the database's mark.
        try mark.write(
            InstanceMark.Contents(
                mark: known?.mark ?? "", nextMark: next, generation: generation))
        try await asAccounts { transaction in
            _ = try transaction.query(
                """
                INSERT INTO underway.instance_mark (instance, mark, renewed_at)
                VALUES (\(instance), \(next), \(now))
                ON CONFLICT (instance) DO UPDATE SET
                    mark = excluded.mark, renewed_at = excluded.renewed_at
                """)
        }
        try mark.write(InstanceMark.Contents(mark: next, generation: generation))
    }

    // MARK: Revocations

    package func revocations() async throws -> [Revocation] { journal?.entries ?? [] }

    /// Adds the revocations of this process to the database, which may have been restored to a time before them.
    private func shareRevocations() async throws {
        let entries = try await revocations()
        for start in stride(from: 0, to: entries.count, by: Self.batchMax) {
            let batch = Array(entries[start..<min(entries.count, start + Self.batchMax)])
            try await asAccounts { transaction in
                _ = try transaction.query(AccountWriting.statement(adding: batch))
            }
        }
    }

    package func compactRevocations(now: Int64) async throws {
        try journal?.compact(now: now)
        let end = RevocationJournal.end(now: now)
        let accounts = RevocationJournal.endOfAccounts(now: now)
        try await asAccounts { transaction in
            _ = try transaction.pipeline([
                """
                DELETE FROM underway.revocation
                WHERE at < CASE kind WHEN 'account' THEN \(accounts)::bigint ELSE \(end) END
                """,
                "DELETE FROM underway.account_move WHERE finished_at < \(accounts)",
                "DELETE FROM underway.instance_mark WHERE renewed_at < \(end)",
                "DELETE FROM underway.failed_attempt WHERE expires_at < \(now)",
            ])
        }
    }
}

extension InstanceMark.Contents {
    /// The name of the process: the part of each of its marks before the dot.
    fileprivate var instance: String {
        let mark = mark.isEmpty ? nextMark ?? "" : mark
        return String(mark.prefix { $0 != "." })
    }
}
