public import Foundation
import GRDB
public import UserData

/// Where a user's data stands, to be shown.
public struct UserDataStatus: Sendable, Hashable {
    /// How the last try to sync ended.
    public struct Try: Sendable, Hashable, Codable {
        /// When.
        public var date: Date
        /// What was in the way; `nil` when it went well.
        public var problem: String?
        /// When it last went well.
        public var lastSuccess: Date?
        /// True when the user had to sign in again; `nil` in notes of earlier versions.
        var needsSignIn: Bool?
    }

    /// Changes and answers that the server does not have yet.
    public var waitingCount: Int
    /// When the oldest change that waits was made; `nil` where only answers wait.
    public var waitingSince: Date?
    /// Conflicts that the user has to settle.
    public var conflictCount: Int
    /// Changes that the server refused and that wait for the user: they are shown until then.
    public var rejectedCount: Int
    /// Writes of this device that lost, and that the user has not dismissed.
    public var noticeCount: Int
    /// True while everything is read anew.
    public var isRecovering: Bool
    /// The last try; `nil` before the first.
    public var lastTry: Try?

    /// True while nothing is sent because the user has to sign in again.
    public var needsSignIn: Bool { lastTry?.needsSignIn ?? false }

    /// True when the server has everything, nothing waits for the user's decision, and both sides were
    /// found equal.
    public var isSynced: Bool {
        !needsSignIn && waitingCount == 0 && conflictCount == 0 && rejectedCount == 0
            && !isRecovering
            && lastTry?.lastSuccess != nil
    }
}

extension UserStore {
    /// Where the current user's data stands.
    public func status() throws -> UserDataStatus {
        let state = try state()
        return UserDataStatus(
            waitingCount: state.waitingCount,
            waitingSince: state.outbox.map(\.madeAt).min().map {
                Date(timeIntervalSince1970: Double($0) / 1000)
            },
            conflictCount: state.conflicts.count, rejectedCount: state.rejected.count,
            noticeCount: state.notices.count,
            isRecovering: state.isRecovering || state.isCopied, lastTry: try lastTry(of: state.user)
        )
    }

    private func lastTry(of user: String) throws -> UserDataStatus.Try? {
        let json = try database.read { database in
            try Data.fetchOne(
                database, sql: "SELECT lastTry FROM person WHERE user = ?", arguments: [user])
        }
        return json.flatMap { try? JSONDecoder().decode(UserDataStatus.Try.self, from: $0) }
    }

    /// Keeps how a try to sync ended.
    package func note(problem: String?, needsSignIn: Bool = false, now: Date) throws {
        let user = user
        let last = try lastTry(of: user)
        let note = UserDataStatus.Try(
            date: now, problem: problem, lastSuccess: problem == nil ? now : last?.lastSuccess,
            needsSignIn: needsSignIn ? true : nil)
        let json = try JSONEncoder().encode(note)
        try database.write { database in
            try database.execute(
                sql: "UPDATE person SET lastTry = ? WHERE user = ?", arguments: [json, user])
        }
        changes.send([])
    }

    /// The changes on their way, the oldest first.
    public func outbox() throws -> [DeviceState.Pending] { try state().outbox }

    // MARK: Conflicts and refused changes

    /// What the user has to settle: mine, theirs and what both saw before.
    public func conflicts() throws -> [DeviceState.Conflict] { try state().conflicts }

    /// Settles a conflict; other devices learn of it as of any change.
    ///
    /// - Parameters:
    ///   - key: The record.
    ///   - resolution: Keep mine, use the server's, or something else.
    ///   - shown: The `tag` of the conflict as the user saw it.
    ///   - now: The wall clock.
    /// - Throws: `StoreError` `notFound` when there is no such conflict any more, `outdated` when it
    ///   looks different by now, since the server's version changed: show it again; `refused` for an
    ///   edit that the collection does not take.
    public func settle(
        _ key: RecordKey, _ resolution: DeviceMachine.ConflictResolution, shown: String, now: Date
    ) throws {
        guard let conflict = try conflicts().first(where: { $0.key == key }) else {
            throw StoreError(
                .notFound, "There is no conflict about \(key.collection)/\(key.id).")
        }
        guard conflict.tag == shown else {
            throw StoreError(
                .outdated,
                "The conflict about \(key.collection)/\(key.id) changed meanwhile. Please look again."
            )
        }
        if case .edit(let fields) = resolution { try check(fields, key) }
        try post(.resolved(key, resolution, shown: shown), now: now)
    }

    /// Changes that the server does not take, with everything that the user wrote.
    public func rejected() throws -> [DeviceState.Rejected] { try state().rejected }

    /// Sends a refused change once more, as after its collection was declared on the server.
    public func retry(_ id: OperationID, now: Date) throws {
        try post(.retried(id), now: now)
    }

    /// Returns the writes of this device that a later write replaced without having seen them, the
    /// earliest first; at most ``DeviceState/noticesMax``.
    ///
    /// ```swift
    /// for notice in try userData.notices() { print(notice.key.id, notice.theirs.values) }
    /// ```
    public func notices() throws -> [DeviceState.Notice] { try state().notices }

    /// Gives up a change that the server does not take, or dismisses a notice.
    public func dismiss(_ id: OperationID, now: Date) throws {
        try post(.dismissed(id), now: now)
    }
}
