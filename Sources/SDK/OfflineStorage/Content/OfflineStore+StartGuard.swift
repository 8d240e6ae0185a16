public import Foundation
import GRDB

/// The guard against a release that crashes the app.
///
/// A launch counts when the first screen is about to appear, and is cleared when the app ran for a few seconds after
/// that or left the screen. So launches in the background never count, nor do launches that the system ends while the
/// app is not visible.
///
/// ```
/// begun → visible (counted) → confirmed (count back to 0)
/// ```
extension OfflineStore {
    /// The default time for which the app must run after its first screen for a launch to count as successful.
    public static let survival = Duration.seconds(5)
    /// The number of successive crashes after which a release is banned.
    public static let crashesMax = 2

    private enum Start: String {
        case begun
        case visible
        case confirmed
    }

    /// Registers a launch of the app, in the foreground or the background.
    ///
    /// Call it before the app reads content, in the app's own process only, and call ``superviseStart(for:)`` when the
    /// first screen appears. After two successive crashes with the current release it bans the release, and the last
    /// good one becomes current.
    ///
    /// ```swift
    /// let store = try OfflineStore.inMemory()
    /// if let ban = try store.beginStart() {
    ///     print("Release \(ban.release) crashed \(ban.crashCount) times: it is not shown any more.")
    /// }
    /// ```
    /// - Returns: The ban, if this call banned a release.
    /// - Throws: ``StoreError``, but never `storage` or `damaged`, which must not prevent a launch.
    @discardableResult
    public func beginStart(now: Date = Date()) throws -> ReleaseBan? {
        let ban: ReleaseBan? = try counting(otherwise: nil) { database in
            try Self.set("start", Start.begun.rawValue, in: database)
            let row = try Row.fetchOne(
                database, sql: "SELECT * FROM generation WHERE state = 'current'")
            guard let row else { return nil }
            guard let crashes = Int.fromDatabaseValue(row["unconfirmedStarts"]),
                let release = Int.fromDatabaseValue(row["release"]),
                let checksum = String.fromDatabaseValue(row["manifestChecksum"])
            else { throw Self.damaged("A generation") }
            let hasOther =
                try Bool.fetchOne(
                    database, sql: "SELECT 1 FROM generation WHERE state = 'lastGood'") != nil
            guard crashes >= Self.crashesMax, hasOther else { return nil }
            let ban = ReleaseBan(release: release, crashCount: crashes)
            try Self.ban(checksum, reason: ban.message, now: now, in: database)
            try database.execute(sql: "DELETE FROM generation WHERE state = 'current'")
            try database.execute(
                sql: "UPDATE generation SET state = 'current', unconfirmedStarts = 0")
            return ban
        }
        if ban != nil { changes.send(()) }
        return ban
    }

    /// Counts this launch; call it just before the first screen appears.
    ///
    /// Only the first call of a launch counts. Later calls, such as after a return from the background, have no effect.
    /// - Throws: `StoreError`, but never because the store cannot be written or is damaged.
    public func willShowFirstScreen() throws {
        try counting(otherwise: ()) { database in
            guard try Self.start(in: database) == .begun else { return }
            try Self.set("start", Start.visible.rawValue, in: database)
            try database.execute(
                sql: "UPDATE generation SET unconfirmedStarts = unconfirmedStarts + 1"
                    + " WHERE state = 'current'")
        }
    }

    /// Records that the app launched successfully, if its first screen appeared.
    ///
    /// Call it when the app leaves the foreground, which may happen before ``superviseStart(for:)`` has ended. It has
    /// no effect on a launch in the background.
    /// - Throws: `StoreError`, but never because the store cannot be written or is damaged.
    public func confirmStart() throws {
        try counting(otherwise: ()) { database in
            guard try Self.start(in: database) == .visible else { return }
            try Self.set("start", Start.confirmed.rawValue, in: database)
            try database.execute(
                sql: "UPDATE generation SET unconfirmedStarts = 0 WHERE unconfirmedStarts > 0")
        }
    }

    /// Counts this launch, and confirms it once the app has run for a while.
    ///
    /// Call it in the task of the first screen, `.task { try? await store.superviseStart() }`. A cancelled task also
    /// confirms the launch, since the app left the screen without a crash.
    /// - Parameter duration: The time for which the app must run.
    /// - Throws: `StoreError`.
    public func superviseStart(for duration: Duration = survival) async throws {
        // Not on another thread: the screen, which may crash, must not be shown before this is committed.
        try willShowFirstScreen()
        // Cancelled or not, the app has not crashed.
        try? await Task.sleep(for: duration)
        try await perform { try $0.confirmStart() }
    }

    /// Writes the count of launches; if nothing can be written, no launch counts.
    private func counting<Value>(
        otherwise value: Value, _ body: (Database) throws -> Value
    ) throws -> Value {
        do {
            return try database.write(body)
        } catch let error as StoreError where [.storage, .damaged].contains(error.code) {
            return value
        }
    }

    private static func start(in database: Database) throws -> Start? {
        try String.fetchOne(database, sql: "SELECT value FROM setting WHERE name = 'start'")
            .flatMap(Start.init)
    }

    /// Removes all bans, so that the next sync retries banned releases and refused documents.
    ///
    /// A new version of the app does this automatically.
    /// - Throws: `StoreError`.
    public func liftBans() throws {
        try database.write { database in
            try database.execute(sql: "DELETE FROM ban")
            try database.execute(sql: "UPDATE refusal SET isTriedAgain = 1")
            try database.execute(sql: "DELETE FROM setting WHERE name = 'schedule'")
        }
    }
}
