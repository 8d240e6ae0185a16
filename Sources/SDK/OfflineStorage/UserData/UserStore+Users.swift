import ContentModel
public import Foundation
import GRDB
import ServiceAPI
import UserData

/// The data of this device that moves to the account that signs in.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// let bringing: BroughtData = try store.hasData() ? .everything : .nothing
/// print(bringing)
/// ```
public enum BroughtData: Sendable, Hashable {
    /// All data of the previous user; contradictions become conflicts.
    case everything
    /// None: it remains on the device, separately, and ``UserStore/otherUsers()`` lists it.
    case nothing
}

/// A user who has data on this device but is not the current one.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// for other in try store.otherUsers() {
///     print(other.user, other.recordCount, other.waitingCount)
/// }
/// ```
public struct OtherUser: Sendable, Hashable, Identifiable {
    /// The account's id; ``UserStore/localUser`` for data that never had one.
    public var user: String
    /// The number of visible records.
    public var recordCount: Int
    /// The number of answers, from all of the user's devices.
    public var answerCount: Int
    /// The number of changes and answers that the server does not have.
    public var waitingCount: Int
    /// The code of the `ServiceError` that prevented joining the account with another one; `nil` when nobody requested
    /// it, or nothing prevented it.
    public var obstacle: String?
    /// The account's id.
    public var id: String { user }

    /// Creates another user of the device.
    public init(
        user: String, recordCount: Int, answerCount: Int, waitingCount: Int,
        obstacle: String? = nil
    ) {
        self.user = user
        self.recordCount = recordCount
        self.answerCount = answerCount
        self.waitingCount = waitingCount
        self.obstacle = obstacle
    }
}

extension UserStore {
    /// Switches to another user's data.
    ///
    /// One transaction: a crash leaves either user, with all data. Moving the same data twice has no further effect.
    /// - Parameters:
    ///   - user: The account's id.
    ///   - bringing: The data of the current user that moves along.
    ///   - expected: The user that the caller believes to be the current one; `nil` for any.
    ///   - now: The wall clock.
    /// - Throws: ``StoreError`` `outdated` when another process has switched the user since; `storage` or `damaged`.
    ///   The user is unchanged then.
    package func switchUser(
        to user: String, bringing: BroughtData, from expected: String? = nil, now: Date
    ) throws {
        let milliseconds = Self.milliseconds(now)
        try database.write { database in
            let previous = try Self.currentUser(in: database)
            guard previous != user else { return }
            guard expected ?? previous == previous else {
                throw StoreError.userChanged
            }
            if bringing == .everything {
                try bring(previous, to: user, milliseconds, in: database)
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES ('user', ?)",
                arguments: [user])
        }
        try reload()
        effects.send([])
    }

    /// Moves the data of another user of this device to the current one.
    ///
    /// - Parameters:
    ///   - other: A user of ``otherUsers()``.
    ///   - now: The wall clock.
    /// - Throws: ``StoreError`` `notFound` when that user has no data here; `storage` or `damaged`. Nothing has changed
    ///   then.
    public func bring(from other: String, now: Date = Date()) throws {
        let milliseconds = Self.milliseconds(now)
        try database.write { database in
            let user = try Self.currentUser(in: database)
            guard other != user,
                try DeviceStateStorage(database: database, user: other).version() != nil
            else {
                throw StoreError(
                    .notFound,
                    "This device has no data of another user of that name. Read otherUsers() again."
                )
            }
            try bring(other, to: user, milliseconds, in: database)
        }
        try reload()
        effects.send([])
    }

    /// Moves a user's data to another one, without those pending operations that the other account already has.
    func bring(
        _ previous: String, to user: String, settled: Set<OperationID> = [], _ milliseconds: Int64,
        in database: Database
    ) throws {
        let source = DeviceStateStorage(database: database, user: previous)
        let target = DeviceStateStorage(database: database, user: user)
        if previous == Self.localUser, try target.version() == nil {
            return try enter(user, from: previous, milliseconds, in: database)
        }
        guard let known = try source.state(declarations) else { return }
        var (brought, span) = known.detachedForImport()
        brought.outbox.removeAll { settled.contains($0.operation.id) }
        if let span { _ = try ResponseStorage(database: database, user: previous).detach(span) }
        try add(previous, to: user, .imported(brought), milliseconds, in: database)
    }

    /// Adds the rows of a user to those of another one, whose machine handles an event about them.
    func add(
        _ previous: String, to user: String, _ event: DeviceMachine.Event, _ milliseconds: Int64,
        in database: Database
    ) throws {
        let target = DeviceStateStorage(database: database, user: user)
        var running = try Self.running(user, declarations, makeID, in: database)
        let before = running.machine.state
        _ = running.machine.handle(event, now: milliseconds)
        let answers = ResponseStorage(database: database, user: user)
        try answers.move(from: previous)
        try answers.addDigests(to: &running.machine)
        try target.write(
            from: before, to: running.machine.state, touched: running.machine.takeChangedBases())
        try database.execute(
            sql: "UPDATE OR IGNORE session SET user = ? WHERE user = ?",
            arguments: [user, previous])
        try SessionStorage(database: database, user: user).limitFinished()
        try Self.remove(previous, in: database)
    }

    /// Assigns the local user's data to an account, in which the store gets a name.
    private func enter(
        _ user: String, from previous: String, _ milliseconds: Int64, in database: Database
    ) throws {
        try database.execute(
            sql: "UPDATE person SET user = ? WHERE user = ?", arguments: [user, previous])
        let storage = DeviceStateStorage(database: database, user: user)
        guard let before = try storage.state(declarations) else { return }
        var machine = DeviceMachine(before)
        _ = machine.handle(
            .entered(DeviceName.client(makeID(), of: user)), now: milliseconds)
        try storage.write(from: before, to: machine.state, touched: machine.takeChangedBases())
    }

    /// Removes a user: the rows that refer to the person, and the settings of the account.
    static func remove(_ user: String, in database: Database) throws {
        try database.execute(sql: "DELETE FROM person WHERE user = ?", arguments: [user])
        try removeSettings(of: user, in: database)
    }

    /// Removes the settings of an account.
    static func removeSettings(of user: String, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM setting WHERE name = ?", arguments: [signInMethodSetting(of: user)])
        try removeObstacle(of: user, in: database)
    }

    private static func signInMethodSetting(of user: String) -> String { "way in of \(user)" }

    /// Returns the other users with data on this device.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func otherUsers() throws -> [OtherUser] {
        let declarations = declarations
        return try database.read { database in
            let current = try Self.currentUser(in: database)
            let users = try String.fetchAll(
                database, sql: "SELECT user FROM person WHERE user <> ? ORDER BY user",
                arguments: [current])
            return try users.compactMap { user in
                let storage = DeviceStateStorage(database: database, user: user)
                guard let state = try storage.state(declarations) else { return nil }
                let other = OtherUser(
                    user: user, recordCount: state.shownRecords().count,
                    answerCount: Int(state.answers.total) + state.detachedCount,
                    waitingCount: state.waitingCount,
                    obstacle: try Self.obstacle(of: user, in: database))
                return other.isEmpty ? nil : other
            }
        }
    }

    /// Removes the data of another user from this device.
    ///
    /// - Parameters:
    ///   - user: A user of ``otherUsers()``.
    ///   - lossIsAccepted: True when the user accepted the loss of unsent changes.
    /// - Throws: ``StoreError`` `refused` for the current user, `notFound` when there is no such data, `unsent` when
    ///   data would be lost: sync, or ask the user; `storage` or `damaged`.
    public func erase(user: String, lossIsAccepted: Bool = false) throws {
        let other = try otherUsers().first { $0.user == user }
        if other == nil, user != self.user {
            throw StoreError(
                .notFound,
                "This device has no data of another user of that name. Read otherUsers() again.")
        }
        let waitingCount = other?.waitingCount ?? 0
        guard waitingCount == 0 || lossIsAccepted else {
            throw StoreError(
                .unsent,
                "\(waitingCount) changes and answers of this user were not sent. Take them along or"
                    + " export them first, or accept that they are lost.")
        }
        try database.write { database in
            guard try Self.currentUser(in: database) != user else {
                throw StoreError(.refused, "This user's data is shown now. Sign out first.")
            }
            try Self.remove(user, in: database)
        }
    }

    /// Returns true when the current user has data that could move to another account.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func hasData() throws -> Bool {
        let state = try state()
        return !state.shownKeys.isEmpty || state.answers.total > 0 || state.detachedCount > 0
    }

    /// Returns all data of a user on this device as JSON: visible records, and answers in the columns that
    /// `docs/sync.md` describes.
    ///
    /// A run also has `retractedBy`: the places of its answers that are taken back, each with device and number of the
    /// retraction.
    ///
    /// - Parameter user: The current user, or one of ``otherUsers()``.
    /// - Returns: One JSON object in UTF-8.
    /// - Throws: ``StoreError`` `notFound`; `storage` or `damaged`.
    public func export(user: String) throws -> Data {
        let declarations = declarations
        let json: JSONValue = try database.read { database in
            guard
                let state = try DeviceStateStorage(database: database, user: user).state(
                    declarations)
            else {
                throw StoreError(
                    .notFound, "This device has no data of that user. Read otherUsers() again.")
            }
            let storage = ResponseStorage(database: database, user: user)
            let spans = state.answers.beyond(AnswerVector())
            let retractions = try RetractionStorage(database: database, user: user).holding()
            func json(_ run: AnswerColumns) -> JSONValue { run.json(markedBy: retractions) }
            return [
                "user": .string(user),
                "records": .array(state.shownRecords().map(RecordWire.json)),
                "answers": .array(try spans.map { try json(storage.columns($0)) }),
                "unnumberedAnswers": .array(try storage.detachedColumns().map(json)),
            ]
        }
        return Data(json.canonicalBytes)
    }

    /// Records that a user, by default the current one, can sign in elsewhere, by an email or another identity.
    package func noteSignInMethod(of user: String? = nil) throws {
        try database.write { database in
            let user = try user ?? Self.currentUser(in: database)
            try database.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, 'known')",
                arguments: [Self.signInMethodSetting(of: user)])
        }
    }

    /// Returns true if, as far as this device knows, the current account has an email or another identity with which
    /// other devices can sign in.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func hasSignInMethod() throws -> Bool {
        try database.read { database in
            let user = try Self.currentUser(in: database)
            return try String.fetchOne(
                database, sql: "SELECT value FROM setting WHERE name = ?",
                arguments: [Self.signInMethodSetting(of: user)]) != nil
        }
    }

    /// Returns true when the current user's account cannot be reached without this device.
    private func isOnlyWayToData() throws -> Bool {
        guard user != Self.localUser, try !hasSignInMethod() else { return false }
        return try hasData()
    }

    /// Signs the current user out on this device.
    ///
    /// - Parameters:
    ///   - erasing: True to remove the user's data from this device; pending changes are lost.
    ///   - lossIsAccepted: True when the user accepted that loss.
    /// - Throws: ``StoreError`` `unsent` when `erasing` would lose data and `lossIsAccepted` is false: sync, or ask the
    ///   user; `storage` or `damaged`.
    public func signOut(erasing: Bool, lossIsAccepted: Bool = false) throws {
        let status = try status()
        let isLoss = status.waitingCount + status.conflictCount + status.rejectedCount > 0
        if erasing, !lossIsAccepted, isLoss {
            throw StoreError(
                .unsent,
                "\(status.waitingCount) changes were not sent, \(status.conflictCount) conflicts"
                    + " wait and \(status.rejectedCount) changes were refused by the server."
                    + " Sync and resolve them first, or accept that they are lost.")
        }
        if erasing, !lossIsAccepted, try isOnlyWayToData() {
            throw StoreError(
                .unsent,
                "The account has no email and no other way in: what it has could not be reached again,"
                    + " not on the server either. Give it an email first, or accept that it is lost."
            )
        }
        try database.write { database in
            let user = try Self.currentUser(in: database)
            if erasing { try Self.remove(user, in: database) }
            // Whoever signs out does not want to be signed in by a move that ends later.
            try Self.removeMove(of: user, in: database)
            try database.execute(sql: "DELETE FROM setting WHERE name = 'user'")
        }
        try reload()
        effects.send([])
    }
}

extension StoreError {
    /// The error of a step for a user who is no longer the current one.
    package static var userChanged: StoreError {
        StoreError(
            .outdated, "Somebody else signed in on this device meanwhile. Show who, and ask again.")
    }
}

extension OtherUser {
    fileprivate var isEmpty: Bool { recordCount + answerCount + waitingCount == 0 }
}
