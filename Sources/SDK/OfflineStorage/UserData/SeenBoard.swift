import ContentModel
public import Foundation
import GRDB
import ServiceAPI
public import UserData

/// A leaderboard with the time at which this device received it.
///
/// ```swift
/// let seen = try await account.board("driving", .week)
/// if let own = seen.page.own { print("You are number \(own.rank).") }
/// if seen.age(at: Date()) > 600 { print("As of \(seen.receivedAt.formatted()).") }
/// ```
public struct SeenBoard: Sendable, Hashable {
    /// The board.
    public var page: BoardPage
    /// The time at which the device received it.
    public var receivedAt: Date

    /// Creates a received board.
    public init(page: BoardPage, receivedAt: Date) {
        self.page = page
        self.receivedAt = receivedAt
    }

    /// Returns the seconds since the server last counted new sessions into the board, at least 0.
    public func age(at now: Date) -> TimeInterval {
        max(0, now.timeIntervalSince(page.refreshedAt))
    }
}

/// The boards that the user of this device last received.
extension UserStore {
    /// The maximum number of boards of a user; the ones received first are deleted.
    public static let seenBoardsMax = 50

    /// Returns the state of a board that the current user last received on this device.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// let seen = try store.seenBoard("driving", .week)
    /// print(seen?.page.own?.rank ?? 0)
    /// ```
    /// - Parameters:
    ///   - name: The name of the board.
    ///   - period: The period.
    /// - Returns: The board; `nil` when there is none, and for one in the format of another version.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func seenBoard(_ name: String, _ period: BoardPeriod) throws -> SeenBoard? {
        let user = user
        return try database.read { database in
            let row = try Row.fetchOne(
                database,
                sql:
                    "SELECT receivedAt, json FROM seenBoard WHERE user = ? AND name = ? AND period = ?",
                arguments: [user, name, period.rawValue])
            return row.flatMap(Self.seenBoard)
        }
    }

    /// Returns all boards that the current user last received on this device, the newest first.
    ///
    /// - Returns: The boards, at most ``seenBoardsMax``, without those in the format of another version.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func seenBoards() throws -> [SeenBoard] {
        let user = user
        return try database.read { database in
            try Row.fetchAll(
                database,
                sql:
                    "SELECT receivedAt, json FROM seenBoard WHERE user = ? ORDER BY receivedAt DESC",
                arguments: [user]
            ).compactMap(Self.seenBoard)
        }
    }

    private static func seenBoard(_ row: Row) -> SeenBoard? {
        let (seconds, json): (Double, String) = (row["receivedAt"], row["json"])
        // One that a later version wrote is as good as none.
        return (try? BoardPage(Array(json.utf8))).map {
            SeenBoard(page: $0, receivedAt: Date(timeIntervalSince1970: seconds))
        }
    }

    /// Saves a board that was received for a user, if it is still the current one.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func save(_ seen: SeenBoard, of user: String) throws {
        let json = String(decoding: seen.page.json.canonicalBytes, as: UTF8.self)
        try database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO seenBoard (user, name, period, receivedAt, json)
                    SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM person WHERE user = ?)
                    ON CONFLICT (user, name, period) DO UPDATE SET
                        receivedAt = excluded.receivedAt, json = excluded.json
                    """,
                arguments: [
                    user, seen.page.board, seen.page.period.rawValue,
                    seen.receivedAt.timeIntervalSince1970, json, user,
                ])
            try database.execute(
                sql: """
                    DELETE FROM seenBoard WHERE user = ? AND (name, period) NOT IN (
                        SELECT name, period FROM seenBoard WHERE user = ?
                        ORDER BY receivedAt DESC LIMIT ?)
                    """, arguments: [user, user, Self.seenBoardsMax])
        }
    }
}
