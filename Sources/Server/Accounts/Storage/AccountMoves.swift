import Foundation
import Tables

/// Moves of accounts, within the transaction of a decision.
///
/// | rows | on PostgreSQL as |
/// |---|---|
/// | accounts, sign-in methods, sessions, moves | `underway_accounts` |
/// | results of operations | the user of each account |
/// | places on boards and in events, profiles | `underway_keeper` |
///
/// The target account is locked before the row of the move, in the same order as by a deletion.
struct AccountMoves {
    let transaction: TableTransaction
    let rows: MovedRows

    /// Writes a change; one that another process has made already changes nothing.
    func write(_ change: MoveChange) throws {
        transaction.act(as: .accounts)
        switch change {
        case .begin(let move, let time): try begin(move, time)
        case .advance(let move, let place, let device):
            guard let pair = try lock(move) else { return }
            try transaction.run([
                Self.advancing([
                    "source": move.source, "from": move.place.text, "to": place.text,
                ])
            ])
            if let device { try copyResults(of: device, move, pair) }
        case .finish(let move, let time): try finish(move, time)
        }
    }

    // MARK: Begin

    /// Begins a move, into the account that its target moved into, if it did.
    ///
    /// Journals of several processes replay their moves in any order, so a later move may be there already. A move that
    /// is there itself, or would lead an account into itself, changes nothing.
    private func begin(_ move: StoredMove, _ time: Int64, follows: Bool = true) throws {
        let ids = [move.source, move.target]
        let found = try transaction.run([
            AccountOpening.orderingMoves(), AccountOpening.lockingBoth(["ids": ids]),
            StoredMove.named(["source": move.source]), StoredMove.named(["source": move.target]),
            Self.deleted(["ids": ids]), Self.numbered(["id": move.source]),
        ])
        guard found[2].isEmpty, move.source != move.target else { return }
        if follows, let onward = found[3].first {
            var move = move
            move.target = try onward.value("target")
            return try begin(move, time, follows: false)
        }
        let deleted = try found[4].map { try $0.value("name", as: String.self) }
        guard !deleted.contains(move.source) else { return }
        // The learner left the account for one that was deleted since.
        guard deleted.isEmpty else { return try delete(move.source, time) }
        try close(try found[5].first?.value("number"), move, time)
    }

    /// Closes the account that moves, if there is one, and notes the move.
    private func close(_ source: Int64?, _ move: StoredMove, _ time: Int64) throws {
        try transaction.run([
            Self.noting([
                "source": move.source, "target": move.target, "answers": move.answers,
                // Of a backup that lacks the account, its devices learn that it moved.
                "begun_at": time, "finished_at": source == nil ? time : nil,
                "place": move.place.text,
            ]),
            Self.redirecting(["source": move.source, "target": move.target]),
        ])
        guard let source else { return }
        let target = try transaction.run(Self.closing(source, move, time / 1000)).last?.first?
            .value("number", as: Int64.self)
        guard let target else { return }
        transaction.act(as: .keeper)
        for step in rows.closing { try step(transaction, source, target) }
    }

    /// Deletes an account that is not in the journal of a deletion, and those that moved into it.
    private func delete(_ id: String, _ time: Int64) throws {
        let sources = try transaction.run([AccountOpening.into(["target": id])])[0]
            .map { try $0.value("source", as: String.self) }
        let deletions = ([id] + sources).map { Revocation.account($0, at: time) }
        try transaction.run(
            [AccountWriting.adding(deletions)]
                + AccountWriting([.markDeleted(id, at: time / 1000)]).statements)
    }

    /// Another process may have deleted an account, whose journal this one has not; that of SQLite has all deletions.
    private static let deleted = Statement(
        postgres: """
            SELECT name FROM {revocation}
            WHERE kind = 'account' AND name = ANY (:ids) AND kept = ''
            """)

    private static let numbered = Statement("SELECT number FROM {account} WHERE id = :id")

    private static let noting = Statement(
        """
        INSERT INTO {account_move} (source, target, answers, begun_at, finished_at, place)
        VALUES (:source, :target, :answers, :begun_at, :finished_at, :place)
        """)

    private static let redirecting = Statement(
        "UPDATE {account_move} SET target = :target WHERE target = :source")

    /// Gives the account an id and an identity that no token contains, removes all that opens it, and returns the number of
    /// the one that stays.
    private static func closing(
        _ number: Int64, _ move: StoredMove, _ seconds: Int64
    ) -> [Bound] {
        let user = { (id: String) in UserClaims(of: id).user.uuidString }
        return [
            creating(["id": move.target, "user": user(move.target), "at": seconds]),
            renaming([
                "id": move.closedID, "user": user(move.closedID), "at": seconds, "number": number,
            ]),
        ] + removing.map { $0(["number": number]) } + [
            changing(["source": move.closedID, "target": move.target]),
            numbered(["id": move.target]),
        ]
    }

    private static let creating = Statement(
        sqlite: """
            INSERT INTO {account} (id, created_at, last_used_at) SELECT :id, :at, :at
            WHERE NOT EXISTS (SELECT 1 FROM {account} WHERE id = :id)
            """,
        postgres: """
            INSERT INTO {account} (id, user_id, created_at, last_used_at)
            SELECT :id::text, :user::uuid, :at::bigint, :at
            WHERE NOT EXISTS (SELECT 1 FROM {account} WHERE id = :id)
            """)

    private static let renaming = Statement(
        sqlite: "UPDATE {account} SET id = :id, deleted_at = :at WHERE number = :number",
        postgres: """
            UPDATE {account} SET id = :id, user_id = :user::uuid, deleted_at = :at
            WHERE number = :number
            """)

    private static let removing = AccountWriting.openingTables.map {
        Statement("DELETE FROM {\($0)} WHERE account = :number")
    }

    private static let changing = Statement(
        """
        INSERT INTO {board_change} (member)
        SELECT number FROM {account} WHERE id IN (:source, :target)
        """)

    // MARK: Progress

    /// The numbers of both accounts of a move, and the id of the one that stays.
    private struct Pair {
        var source: Int64
        var target: Int64
        var user: String
    }

    /// Locks the account that stays; `nil` once the move is done.
    private func lock(_ move: StoredMove) throws -> Pair? {
        let found = try transaction.run([
            Self.locking(["source": move.source]), Self.open(["source": move.source]),
            Self.numbered(["id": move.closedID]),
        ])
        guard let target = found[0].first, !found[1].isEmpty, let source = found[2].first else {
            return nil
        }
        return try Pair(
            source: source.value("number"), target: target.value("number"),
            user: target.value("id"))
    }

    private static let locking = {
        let target = """
            SELECT number, id FROM {account}
            WHERE id = (SELECT target FROM {account_move} WHERE source = :source)
            """
        return Statement(sqlite: target, postgres: target + " FOR NO KEY UPDATE")
    }()

    private static let open = Statement(
        """
        SELECT target FROM {account_move} WHERE source = :source AND finished_at IS NULL
        {for update}
        """)

    private static let advancing = Statement(
        "UPDATE {account_move} SET place = :to WHERE source = :source AND place = :from")

    /// Copies the results of a device's operations, so that a device that asks again learns what was applied.
    private func copyResults(of device: String, _ move: StoredMove, _ pair: Pair) throws {
        transaction.act(as: .user(move.closedID, locks: false))
        let results = try transaction.run([
            Self.results(["source": pair.source, "device": device])
        ])[0]
        guard !results.isEmpty else { return }
        let column = { (name: String) in try results.map { try $0.value(name, as: String.self) } }
        transaction.act(as: .user(pair.user))
        try transaction.run([
            Self.addingDevice(["target": pair.target, "device": device]),
            Self.copying([
                "source": pair.source, "target": pair.target, "device": device,
                "counters": results.map { try $0.value("counter", as: Int64.self) },
                "kinds": column("kind"), "refusals": column("refusal"), "hashes": column("hash"),
            ]),
        ])
    }

    private static let results = Statement(
        sqlite: """
            SELECT r.counter, r.kind, r.refusal, hex(r.hash) AS hash
            FROM {device} d JOIN {result} r ON r.device = d.number
            WHERE d.account = :source AND d.name = :device
            """,
        postgres: """
            SELECT r.counter, r.kind, r.refusal, encode(r.hash, 'hex') AS hash
            FROM {device} d JOIN {result} r ON r.account = d.account AND r.device = d.number
            WHERE d.account = :source AND d.name = :device
            """)

    private static let addingDevice = Statement(
        sqlite: """
            INSERT INTO {device} (account, name) VALUES (:target, :device)
            ON CONFLICT (account, name) DO NOTHING
            """,
        postgres: """
            INSERT INTO {device} (account, number, name)
            SELECT :target::bigint, coalesce(max(number), 0) + 1, :device::text
            FROM {device} WHERE account = :target ON CONFLICT (account, name) DO NOTHING
            """)

    /// A revision of the closed account means nothing in the log of the other one.
    private static let copying = Statement(
        sqlite: """
            INSERT OR IGNORE INTO {result} (device, counter, kind, refusal, hash)
            SELECT (SELECT number FROM {device} WHERE account = :target AND name = :device),
                r.counter, CASE r.kind WHEN 'accepted' THEN 'merged' ELSE r.kind END,
                r.refusal, r.hash
            FROM {device} d JOIN {result} r ON r.device = d.number
            WHERE d.account = :source AND d.name = :device
            """,
        postgres: """
            INSERT INTO {result} (account, device, counter, kind, refusal, hash)
            SELECT d.account, d.number, u.counter,
                CASE u.kind WHEN 'accepted' THEN 'merged' ELSE u.kind END, u.refusal,
                decode(u.hash, 'hex')
            FROM {device} d, unnest(:counters::bigint[], :kinds::text[], :refusals::text[],
                :hashes::text[]) AS u (counter, kind, refusal, hash)
            WHERE d.account = :target AND d.name = :device ON CONFLICT DO NOTHING
            """)

    // MARK: End

    private func finish(_ move: StoredMove, _ time: Int64) throws {
        guard let pair = try lock(move) else { return }
        try transaction.run([
            Self.deleting(["number": pair.source]),
            Self.finishing(["source": move.source, "finished_at": time]),
        ])
        transaction.act(as: .keeper)
        for step in rows.finishing { try step(transaction, pair.source, pair.target) }
        transaction.act(as: .user(pair.user, locks: false))
        try transaction.run(Self.noteChanges.map { $0(["member": pair.target]) })
    }

    private static let deleting = AccountWriting.renamed("number = :number")

    private static let finishing = Statement(
        "UPDATE {account_move} SET finished_at = :finished_at WHERE source = :source")

    private static let noteChanges = ["review_change", "board_change"].map {
        Statement("INSERT INTO {\($0)} (member) VALUES (:member)")
    }
}
