import GRDB
import UserData

extension DeviceStateStorage {
    /// Reads the notices, in any order.
    func notices() throws -> [ReplacementNotice] {
        try Row.fetchAll(
            database, sql: "SELECT client, mine, theirs FROM notice WHERE user = ?",
            arguments: [user]
        ).map { row in
            ReplacementNotice(
                mine: try Self.operation(row[1], ClientID(row[0])),
                theirs: try Self.record(row[2]))
        }
    }

    /// Writes the difference of two lists of notices.
    func writeNotices(
        from before: [ReplacementNotice], to after: [ReplacementNotice]
    ) throws {
        let (known, wanted) = (Set(before.map(\.id)), Set(after.map(\.id)))
        for id in known.subtracting(wanted) {
            try database.cachedStatement(
                sql: "DELETE FROM notice WHERE user = ? AND client = ? AND counter = ?"
            ).execute(arguments: [user, id.client.text, Int64(id.counter)])
        }
        // A notice gets further fields while it waits.
        let same = Set(before)
        for notice in after where !same.contains(notice) {
            try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO notice (user, client, counter, mine, theirs)
                    VALUES (?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                user, notice.id.client.text, Int64(notice.id.counter), Self.text(notice.mine),
                Self.text(notice.theirs),
            ])
        }
    }
}
