import PostgresDriver
import UserService

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

    // MARK: Places and profiles, as upkeep

    /// Keeps the better of both accounts' places on closed boards, under the account that stays.
    func keepClosedPlaces(of source: Int64, as target: Int64) throws {
        try transaction.pipeline([
            // Who was below the worse of two places moves up.
            """
            UPDATE underway.board_bucket b SET places = b.places - 1
            FROM underway.board_score own
                JOIN underway.board ON number = own.board AND is_closed
                JOIN underway.board_score other
                    ON other.board = own.board AND other.member = \(target)
            WHERE own.member = \(source) AND b.board = own.board
                AND b.low = (SELECT max(low) FROM underway.board_bucket
                    WHERE board = own.board AND low <= greatest(own.key, other.key))
            """,
            """
            DELETE FROM underway.board_score worse
            USING underway.board_score better, underway.board
            WHERE number = worse.board AND is_closed AND better.board = worse.board
                AND worse.member = ANY (ARRAY[\(source), \(target)]::bigint[])
                AND better.member = ANY (ARRAY[\(source), \(target)]::bigint[])
                AND worse.member <> better.member
                AND (worse.key, worse.member = \(source)) > (better.key, better.member = \(source))
            """,
            """
            UPDATE underway.board_score SET member = \(target) WHERE member = \(source)
                AND board IN (SELECT number FROM underway.board WHERE is_closed)
            """,
        ])
    }

    /// Moves a profile to an account without one; where both have one, it is listed only if both say so.
    func moveProfile(from source: Int64, to target: Int64) throws {
        try transaction.pipeline([
            """
            UPDATE underway.board_profile SET is_listed = is_listed AND coalesce(
                (SELECT is_listed FROM underway.board_profile WHERE account = \(source)), TRUE)
            WHERE account = \(target)
            """,
            """
            UPDATE underway.board_profile SET account = \(target) WHERE account = \(source)
                AND NOT EXISTS (SELECT FROM underway.board_profile WHERE account = \(target))
            """,
        ])
    }
}
