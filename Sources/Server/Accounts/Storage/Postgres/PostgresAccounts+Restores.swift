import Foundation
import Tables

extension PostgresAccounts {
    /// The revocations of one statement.
    private static let batchMax = 1_000

    // MARK: Marks

    /// Compares the mark of this process with the database's, and shares the revocations of this process.
    package func detectRestore() async throws -> Bool {
        try await shareRevocations()
        // A process without a file was not there before, whatever marks others have.
        guard let file = try mark.read() else { return false }
        return try await pool.write(as: .accounts) { transaction in
            let settings = try transaction.run([Self.marking(["instance": file.instance])])[0].first
            let generation: String? = try settings?.value("generation")
            let comparison = MarkComparison(
                file: file, mark: try settings?.value("mark"),
                generation: generation.flatMap { Int64($0) } ?? 0)
            if let next = comparison.nextGeneration {
                try transaction.run([Self.beginning(["generation": String(next)])])
            }
            return comparison.isRestored
        }
    }

    private static let marking = Statement(
        postgres: """
            SELECT (SELECT mark FROM {instance_mark} WHERE instance = :instance) AS mark,
                (SELECT value FROM {setting} WHERE name = 'generation') AS generation
            """)

    private static let beginning = Statement(
        postgres: """
            INSERT INTO {setting} AS known (name, value) VALUES ('generation', :generation)
            ON CONFLICT (name) DO UPDATE SET
                value = greatest(known.value::bigint, excluded.value::bigint)::text
            """)

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
        try await pool.write(as: .accounts) { transaction in
            _ = try transaction.commit(after: [
                Self.renewing(["instance": instance, "mark": next, "now": now])
            ])
        }
        try mark.write(InstanceMark.Contents(mark: next, generation: generation))
    }

    private static let renewing = Statement(
        postgres: """
            INSERT INTO {instance_mark} (instance, mark, renewed_at)
            VALUES (:instance, :mark, :now)
            ON CONFLICT (instance) DO UPDATE SET
                mark = excluded.mark, renewed_at = excluded.renewed_at
            """)

    // MARK: Revocations

    package func revocations() async throws -> [Revocation] { journal?.entries ?? [] }

    /// Adds the revocations of this process to the database, which may have been restored to a time before them.
    private func shareRevocations() async throws {
        let entries = try await revocations()
        for start in stride(from: 0, to: entries.count, by: Self.batchMax) {
            let batch = Array(entries[start..<min(entries.count, start + Self.batchMax)])
            try await pool.write(as: .accounts) { transaction in
                _ = try transaction.commit(after: [AccountWriting.adding(batch)])
            }
        }
    }

    package func compactRevocations(now: Int64) async throws {
        try journal?.compact(now: now)
        let end = RevocationJournal.end(now: now)
        let accounts = RevocationJournal.endOfAccounts(now: now)
        try await pool.write(as: .accounts) { transaction in
            let values: [String: any TableValue] = ["accounts": accounts, "end": end]
            _ = try transaction.commit(after: [
                Self.forgettingRevocations(values), Self.forgettingMoves(["accounts": accounts]),
                Self.forgettingMarks(["end": end]), Self.forgettingAttempts(["now": now]),
            ])
        }
    }

    private static let forgettingRevocations = Statement(
        postgres: """
            DELETE FROM {revocation}
            WHERE at < CASE kind WHEN 'account' THEN :accounts ELSE :end END
            """)
    private static let forgettingMoves = Statement(
        "DELETE FROM {account_move} WHERE finished_at < :accounts")
    private static let forgettingMarks = Statement(
        postgres: "DELETE FROM {instance_mark} WHERE renewed_at < :end")
    private static let forgettingAttempts = Statement(
        postgres: "DELETE FROM {failed_attempt} WHERE expires_at < :now")
}

extension InstanceMark.Contents {
    /// The name of the process: the part of each of its marks before the dot.
    fileprivate var instance: String {
        let mark = mark.isEmpty ? nextMark ?? "" : mark
        return String(mark.prefix { $0 != "." })
    }
}
