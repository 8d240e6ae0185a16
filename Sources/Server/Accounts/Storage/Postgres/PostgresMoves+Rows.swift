import PostgresDriver
import Tables

/// Rows of the account that moves, as those of the account that stays.
extension PostgresMoves {
    /// Copies the results of a device's operations, so that a device that asks again learns what was applied.
    func copyResults(
        of device: String, _ move: StoredMove, to user: String
    ) throws {
        let results = try transaction.pipeline([
            UserClaims(of: move.closedID).statement, "SELECT underway.enter_1(false)",
            """
            SELECT r.counter, r.kind, r.refusal, r.hash FROM underway.device d
                JOIN underway.result r ON r.account = d.account AND r.device = d.number
            WHERE d.account = underway.claim() AND d.name = \(device) ORDER BY r.counter
            """,
        ])[2]
        guard !results.isEmpty else { return }
        // A revision of the closed account means nothing in the log of the other one.
        try transaction.pipeline([
            UserClaims(of: user).statement, "SELECT underway.enter_1(true)",
            """
            INSERT INTO underway.device (account, number, name)
            SELECT underway.claim(), coalesce(max(number), 0) + 1, \(device)
            FROM underway.device WHERE account = underway.claim()
            ON CONFLICT (account, name) DO NOTHING
            """,
            """
            INSERT INTO underway.result (account, device, counter, kind, refusal, hash)
            SELECT d.account, d.number, u.counter,
                CASE u.kind WHEN 'accepted' THEN 'merged' ELSE u.kind END, u.refusal,
                decode(u.hash, 'hex')
            FROM underway.device d,
                unnest(\(try results.column("counter", as: Int64.self))::bigint[],
                    \(try results.column("kind", as: String.self))::text[],
                    \(try results.column("refusal", as: String.self))::text[],
                    \(try results.map { Self.hexadecimal(try $0.value("hash")) })::text[])
                    AS u (counter, kind, refusal, hash)
            WHERE d.account = underway.claim() AND d.name = \(device)
            ON CONFLICT DO NOTHING
            """,
        ])
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
