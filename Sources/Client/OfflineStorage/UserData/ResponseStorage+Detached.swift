import GRDB
import ServiceAPI
import UserData

/// Answers of a copied store that were not acknowledged: they have no number until they were compared
/// with what the server has under the store's former identity.
extension ResponseStorage {
    /// No device can be named so: its name has a space.
    private static let detached = ClientID(" detached")

    /// Takes the numbers from a run of own answers.
    func detach(_ span: AnswerSpan) throws {
        let offset = try lastDetached() + 1 - Int64(span.first)
        try database.execute(
            sql: """
                UPDATE answer SET client = ?, counter = counter + ?
                WHERE user = ? AND client = ? AND counter BETWEEN ? AND ?
                """,
            arguments: [
                Self.detached.text, offset, user, span.client.text, Int64(span.first),
                Int64(span.last),
            ])
    }

    private func lastDetached() throws -> Int64 {
        try Int64.fetchOne(
            database, sql: "SELECT max(counter) FROM answer WHERE user = ? AND client = ?",
            arguments: [user, Self.detached.text]) ?? 0
    }

    /// Drops the detached answers that are there with a number, too.
    ///
    /// - Returns: How many are left.
    func dropDetachedCopies() throws -> Int {
        try database.execute(
            sql: """
                DELETE FROM answer WHERE user = ? AND client = ? AND EXISTS (
                    SELECT 1 FROM answer AS other WHERE other.user = answer.user
                        AND other.bank = answer.bank AND other.milliseconds = answer.milliseconds
                        AND other.session = answer.session AND other.question = answer.question
                        AND other.client <> answer.client)
                """,
            arguments: [user, Self.detached.text])
        return try Int.fetchOne(
            database, sql: "SELECT count(*) FROM answer WHERE user = ? AND client = ?",
            arguments: [user, Self.detached.text]) ?? 0
    }

    /// Gives the detached answers numbers of a device, in the order in which they were given.
    func number(_ client: ClientID, first: UInt64) throws {
        let counters = try Int64.fetchAll(
            database,
            sql: "SELECT counter FROM answer WHERE user = ? AND client = ? ORDER BY counter",
            arguments: [user, Self.detached.text])
        let statement = try database.cachedStatement(
            sql: """
                UPDATE answer SET client = ?, counter = ?
                WHERE user = ? AND client = ? AND counter = ?
                """)
        for (index, counter) in counters.enumerated() {
            try statement.execute(arguments: [
                client.text, Int64(first) + Int64(index), user, Self.detached.text, counter,
            ])
        }
    }

    /// The detached answers, if there are any.
    func detachedColumns() throws -> [AnswerColumns] {
        let last = try lastDetached()
        guard last > 0 else { return [] }
        let count =
            try Int.fetchOne(
                database, sql: "SELECT count(*) FROM answer WHERE user = ? AND client = ?",
                arguments: [user, Self.detached.text]) ?? 0
        let first = UInt64(last) - UInt64(count) + 1
        return [try columns(AnswerSpan(client: Self.detached, first: first, count: count))]
    }

    /// Takes over another user's answers under the devices and numbers that they have, so that taking
    /// them over on two devices doubles nothing.
    func move(from former: String) throws {
        // Beyond what both have, so that no row meets another on its way.
        let offset = max(
            try lastDetached(),
            try ResponseStorage(database: database, user: former).lastDetached())
        try database.execute(
            sql: "UPDATE answer SET counter = counter + ? WHERE user = ? AND client = ?",
            arguments: [offset, former, Self.detached.text])
        // What this user has under the same device and number is the same answer.
        try database.execute(
            sql: "UPDATE OR IGNORE answer SET user = ? WHERE user = ?", arguments: [user, former])
    }
}
