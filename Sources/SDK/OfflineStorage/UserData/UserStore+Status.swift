public import Foundation
import GRDB
public import UserData

/// The sync state of a user's data, for a screen.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// let status = try store.status()
/// print(status.isSynced ? "Synced" : "\(status.waitingCount) changes wait")
/// // For a preview of a screen:
/// let offline = UserDataStatus(
///     waitingCount: 3, lastTry: UserDataStatus.Try(date: .now, problem: "offline"))
/// print(offline.isSynced)  // false
/// ```
public struct UserDataStatus: Sendable, Hashable {
    /// The result of the last attempt to sync.
    public struct Try: Sendable, Hashable, Codable {
        /// The time of the attempt.
        public var date: Date
        /// The obstacle, in English; `nil` after a success.
        public var problem: String?
        /// The code of the obstacle, that of a `ServiceError`, for a translation; `nil` after a success.
        public var code: String?
        /// The time of the last success.
        public var lastSuccess: Date?
        /// True when the user had to sign in again; `nil` when not.
        var needsSignIn: Bool?

        /// Creates the result of an attempt; the date of a success is also its `lastSuccess`.
        public init(
            date: Date, problem: String? = nil, code: String? = nil, lastSuccess: Date? = nil,
            needsSignIn: Bool = false
        ) {
            self.date = date
            self.problem = problem
            self.code = problem == nil ? nil : code
            self.lastSuccess = problem == nil ? date : lastSuccess
            self.needsSignIn = needsSignIn ? true : nil
        }
    }

    /// The number of changes and answers that the server has not acknowledged.
    public var waitingCount: Int
    /// The time of the oldest pending change; `nil` when only answers are pending.
    public var waitingSince: Date?
    /// The number of conflicts that the user has to resolve.
    public var conflictCount: Int
    /// The number of changes that the server rejected; they are shown until the user dismisses them.
    public var rejectedCount: Int
    /// The number of undismissed notices: writes of this device that a later write replaced.
    public var noticeCount: Int
    /// True while the device rereads the server's log from its start.
    public var isRecovering: Bool
    /// False while the server's last reply does not confirm that it has exactly the answers of this device.
    public var hasSameAnswers: Bool
    /// The number of answers in which device and server still differ after all repairs.
    public var differingAnswerCount: Int
    /// The number of unsent changes and answers of other, signed-out users of this device; ``UserStore/otherUsers()``
    /// lists them.
    public var othersWaiting: Int
    /// True while another account is joined with this one, or this one with another.
    public var isMoving: Bool
    /// True while the server has not confirmed the deletion of the account; each sync retries it.
    public var isDeleting: Bool
    /// The last attempt; `nil` before the first.
    public var lastTry: Try?

    /// Creates a state, by default that of a store without any writes.
    public init(
        waitingCount: Int = 0, waitingSince: Date? = nil, conflictCount: Int = 0,
        rejectedCount: Int = 0, noticeCount: Int = 0, isRecovering: Bool = false,
        hasSameAnswers: Bool = true, differingAnswerCount: Int = 0, othersWaiting: Int = 0,
        isMoving: Bool = false, isDeleting: Bool = false, lastTry: Try? = nil
    ) {
        self.waitingCount = waitingCount
        self.waitingSince = waitingSince
        self.conflictCount = conflictCount
        self.rejectedCount = rejectedCount
        self.noticeCount = noticeCount
        self.isRecovering = isRecovering
        self.hasSameAnswers = hasSameAnswers
        self.differingAnswerCount = differingAnswerCount
        self.othersWaiting = othersWaiting
        self.isMoving = isMoving
        self.isDeleting = isDeleting
        self.lastTry = lastTry
    }

    /// True while sync is paused because the user must sign in again.
    public var needsSignIn: Bool { lastTry?.needsSignIn ?? false }

    /// True while sync is paused because the account was joined with another one; the user signs in to that one.
    public var isAccountMoved: Bool { lastTry?.code == "movedAccount" }

    /// True when nothing is pending, no conflict or rejected change awaits the user, and server and device have the
    /// same answers.
    public var isSynced: Bool {
        !needsSignIn && waitingCount == 0 && conflictCount == 0 && rejectedCount == 0
            && !isRecovering && !isMoving && !isDeleting && hasSameAnswers
            && lastTry?.lastSuccess != nil
    }
}

extension UserStore {
    /// Returns the state of the current user's data.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func status() throws -> UserDataStatus {
        let state = try state()
        let (othersWaiting, isMoving, isDeleting, lastTry) = try database.read { database in
            (
                try Self.othersWaiting(besides: state.user, in: database),
                try Self.isMoving(state.user, in: database),
                try Self.isDeleting(state.user, in: database),
                try Self.lastTry(of: state.user, in: database)
            )
        }
        return UserDataStatus(
            waitingCount: state.waitingCount,
            waitingSince: state.outbox.map(\.madeAt).min().map {
                Date(timeIntervalSince1970: Double($0) / 1000)
            },
            conflictCount: state.allConflicts.count, rejectedCount: state.rejected.count,
            noticeCount: state.allNotices.count,
            isRecovering: state.isRecovering || state.isCopied,
            hasSameAnswers: state.hasSameAnswers,
            differingAnswerCount: state.differingAnswerCount, othersWaiting: othersWaiting,
            isMoving: isMoving, isDeleting: isDeleting, lastTry: lastTry)
    }

    /// Counts the unsent changes and answers of other users, from one row each and without their records.
    private static func othersWaiting(besides user: String, in database: Database) throws -> Int {
        let others = try Row.fetchAll(
            database,
            sql: """
                SELECT json, (SELECT count(*) FROM pending WHERE pending.user = person.user)
                FROM person WHERE user <> ?
                """, arguments: [user])
        return try others.reduce(0) { count, row in
            let scalars = try JSONDecoder().decode(
                DeviceState.Scalars.self, from: row[0] as Data)
            let state = DeviceState(
                user: "", declarations: [], scalars: scalars, lists: DeviceState.Lists())
            let pendingCount: Int = row[1]
            return count + pendingCount + state.waitingCount
        }
    }

    private static func lastTry(
        of user: String, in database: Database
    ) throws -> UserDataStatus.Try? {
        let json = try Data.fetchOne(
            database, sql: "SELECT lastTry FROM person WHERE user = ?", arguments: [user])
        return json.flatMap { try? JSONDecoder().decode(UserDataStatus.Try.self, from: $0) }
    }

    /// Saves the result of an attempt to sync, in one transaction with the reading of the previous one.
    ///
    /// - Parameters:
    ///   - problem: The obstacle, in English; `nil` after a success.
    ///   - code: The code of the obstacle.
    ///   - needsSignIn: True when the user must sign in again.
    ///   - user: The user whose data was synced; `nil` for the current one.
    ///   - now: The wall clock.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func note(
        problem: String?, code: String? = nil, needsSignIn: Bool = false, of user: String? = nil,
        now: Date
    ) throws {
        try database.write { database in
            // Another process may sign somebody else in, or note a success, at any time before.
            let user = try user ?? Self.currentUser(in: database)
            let last = try Self.lastTry(of: user, in: database)
            let note = UserDataStatus.Try(
                date: now, problem: problem, code: code, lastSuccess: last?.lastSuccess,
                needsSignIn: needsSignIn)
            try database.execute(
                sql: "UPDATE person SET lastTry = ? WHERE user = ?",
                arguments: [try JSONEncoder().encode(note), user])
        }
        changes.send([])
    }

    /// Returns the pending changes, the oldest first.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func outbox() throws -> [PendingChange] { try state().outbox }

    // MARK: Refused changes and notices

    /// Returns the changes that the server rejected, with everything that the user wrote.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func rejected() throws -> [RejectedChange] { try state().rejected }

    /// Enqueues a rejected change again, for example after its collection was declared on the server.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func retry(_ id: OperationID, now: Date = Date()) throws {
        try post(.retried(id), now: now)
    }

    /// Returns notices of this device's writes that a later write replaced without having seen them, the earliest
    /// first; at most 200.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// for notice in try store.notices() { print(notice.key.id, notice.theirs.values) }
    /// ```
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func notices() throws -> [ReplacementNotice] { try state().allNotices }

    /// Discards a rejected change, or dismisses a notice.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func dismiss(_ id: OperationID, now: Date = Date()) throws {
        if let difference = try state().lostDifference(id) {
            return try post(.wrote(difference, .delete), now: now)
        }
        try post(.dismissed(id), now: now)
    }
}
