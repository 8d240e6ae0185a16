public import Foundation
package import GRDB
package import ServiceAPI
import Synchronization
public import UserData

/// What a user does, kept on the device first: answers, sessions, and records of the collections that
/// the app declares.
///
/// Every call is one transaction that outlives a power loss. Two processes may use one store. What
/// belongs to one user is never shown to, or sent for, another.
public final class UserStore: Sendable {
    /// Whose data it is until there is an account.
    public static let localUser = "local"

    /// The machine of the current user, and how often its state had been written.
    private struct Running {
        var machine: DeviceMachine
        var version: Int64

        /// Never that of a state in the database.
        static let unknownVersion: Int64 = -1
    }

    let database: any DatabaseWriter
    let declarations: [CollectionDeclaration]
    private let makeID: @Sendable () -> String
    /// Locked only within the writer's queue and by short reads, so nobody waits for long.
    private let running: Mutex<Running>
    let changes = Listeners<Set<RecordKey>>()
    private let effects = Listeners<[DeviceMachine.Effect]>()

    /// Opens the store in a folder, making it if there is none.
    ///
    /// - Parameters:
    ///   - folder: May be the same as that of an `OfflineStore`.
    ///   - collections: What the app declares; the built-in ones are always there.
    ///   - makeID: Makes the name of a new device; unique for ever.
    /// - Throws: `StoreError` `storage` when the folder cannot be written, `damaged` when what is
    ///   there cannot be read. A damaged store is left as it is, since only it has what was not sent.
    public convenience init(
        folder: URL, collections: [CollectionDeclaration] = [],
        makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
    ) throws {
        let path = folder.appending(path: "user.sqlite").path
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true)
            var configuration = Configuration()
            configuration.busyMode = .timeout(10)
            configuration.prepareDatabase { database in
                // Nothing that was shown as kept may be lost, not even by a power loss.
                try database.execute(sql: "PRAGMA synchronous = FULL")
            }
            try self.init(
                OfflineStore.pool(path, configuration), collections: collections, makeID: makeID)
        } catch let error as DatabaseError {
            let isDamaged = [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
            let remedy =
                isDamaged
                ? "It was left as it is; move it away to go on with what the server has."
                : "Make room, or let this user write there."
            throw StoreError(
                isDamaged ? .damaged : .storage,
                "\(path) cannot be opened: \(error.message ?? "unknown reason"). \(remedy)")
        } catch is CocoaError {
            throw StoreError(
                .storage, "\(folder.path) cannot be made or is not a folder. Name another.")
        }
    }

    package init(
        _ database: any DatabaseWriter, collections: [CollectionDeclaration],
        makeID: @escaping @Sendable () -> String
    ) throws {
        self.database = database
        self.makeID = makeID
        let all = CollectionRules.builtIn.map(\.declaration) + collections
        declarations = Array(
            Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { $1 }).values)
        try OfflineStore.migrate(database, UserSchema.migrator)
        let declarations = declarations
        running = Mutex(
            try database.write { database in
                try Self.running(
                    Self.currentUser(in: database), declarations, makeID, in: database)
            })
    }

    // MARK: Users

    private static func currentUser(in database: Database) throws -> String {
        try String.fetchOne(database, sql: "SELECT value FROM setting WHERE name = 'user'")
            ?? localUser
    }

    private static func running(
        _ user: String, _ declarations: [CollectionDeclaration], _ makeID: () -> String,
        in database: Database
    ) throws -> Running {
        let keeper = StateKeeper(database: database, user: user)
        if let version = try keeper.version(), let state = try keeper.state(declarations) {
            return Running(machine: DeviceMachine(state), version: version)
        }
        let state = DeviceState(
            user: user, client: ClientID(makeID()), declarations: declarations)
        try keeper.write(from: nil, to: state, touched: [])
        return Running(machine: DeviceMachine(state), version: 1)
    }

    /// Whose data is shown now.
    public var user: String { running.withLock { $0.machine.state.user } }

    /// Shows a user's data from now on.
    ///
    /// What was made before there was an account goes over to the first one; later, it stays apart.
    /// - Parameter user: The account's id.
    /// - Throws: An error of the database; the user is the former one then.
    public func switchUser(to user: String) throws {
        try database.write { database in
            let former = try Self.currentUser(in: database)
            guard former != user else { return }
            if former == Self.localUser,
                try StateKeeper(database: database, user: user).version() == nil
            {
                try database.execute(
                    sql: "UPDATE person SET user = ? WHERE user = ?", arguments: [user, former])
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES ('user', ?)",
                arguments: [user])
        }
        try reload()
        effects.send([])
    }

    /// Shows nobody's data from now on.
    ///
    /// - Parameters:
    ///   - erasing: True removes the user's data from this device; what was not sent is lost.
    ///   - lossIsAccepted: True when that is known.
    /// - Throws: `StoreError` `unsent` when `erasing` would lose something and `lossIsAccepted` is
    ///   false.
    public func signOut(erasing: Bool, lossIsAccepted: Bool = false) throws {
        let status = try status()
        if erasing, !lossIsAccepted, status.waitingCount + status.conflictCount > 0 {
            throw StoreError(
                .unsent,
                "\(status.waitingCount) changes and \(status.conflictCount) conflicts were not sent."
                    + " Sync and settle first, or accept that they are lost.")
        }
        try database.write { database in
            if erasing {
                try database.execute(
                    sql: "DELETE FROM person WHERE user = ?",
                    arguments: [try Self.currentUser(in: database)])
            }
            try database.execute(sql: "DELETE FROM setting WHERE name = 'user'")
        }
        try reload()
        effects.send([])
    }

    /// Takes up what the database says, for another user or after another process wrote.
    private func reload() throws {
        let (declarations, makeID) = (declarations, makeID)
        let read = try database.write { database in
            try Self.running(Self.currentUser(in: database), declarations, makeID, in: database)
        }
        running.withLock { $0 = read }
        changes.send([])
    }

    // MARK: The machine

    /// What is kept beside the state in the same transaction.
    package struct Extras: Sendable {
        /// Answers that were given now.
        package var answers: [AnswerRow] = []
        /// Answers that came with a reply.
        package var received: [AnswerColumns] = []

        package init(answers: [AnswerRow] = [], received: [AnswerColumns] = []) {
            self.answers = answers
            self.received = received
        }
    }

    /// Takes an event and keeps what follows, in one transaction.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - now: The wall clock.
    ///   - extras: What is kept beside the state.
    ///   - more: Other changes of the same transaction.
    /// - Returns: What is to be done now that it is kept.
    /// - Throws: An error of the database; nothing has changed then.
    package func handle(
        _ event: DeviceMachine.Event, now: Date, extras: Extras = Extras(),
        and more: (Database) throws -> Void = { _ in }
    ) throws -> [DeviceMachine.Effect] {
        let milliseconds = max(0, Int64(now.timeIntervalSince1970 * 1000))
        let effects: [DeviceMachine.Effect]
        do {
            effects = try database.write { database in
                try running.withLock { running in
                    try catchUp(&running, in: database)
                    var next = running
                    let effects = next.machine.handle(event, now: milliseconds)
                    try keep(&next, from: running.machine.state, effects, extras, in: database)
                    try more(database)
                    running = next
                    return effects
                }
            }
        } catch {
            // The commit itself may have failed: what is in the database is read anew next time.
            running.withLock { $0.version = Running.unknownVersion }
            throw error
        }
        for case .changed(let keys) in effects { changes.send(Set(keys)) }
        return effects
    }

    /// Goes on from what another process wrote meanwhile.
    private func catchUp(_ running: inout Running, in database: Database) throws {
        let keeper = StateKeeper(database: database, user: running.machine.state.user)
        guard let version = try keeper.version() else {
            throw StoreError(.notFound, "The user was signed out by another process.")
        }
        guard version != running.version else { return }
        if let state = try keeper.state(declarations) { running.machine.reload(state) }
        running.version = version
    }

    private func keep(
        _ next: inout Running, from before: DeviceState, _ effects: [DeviceMachine.Effect],
        _ extras: Extras, in database: Database
    ) throws {
        let touched = next.machine.takeTouched()
        let after = next.machine.state
        guard !touched.isEmpty || after != before else { return }
        try StateKeeper(database: database, user: after.user)
            .write(from: before, to: after, touched: touched)
        next.version += 1
        let answers = AnswerKeeper(database: database, user: after.user)
        if !extras.answers.isEmpty {
            try answers.add(
                extras.answers, after.client, first: before.answers[after.client] + 1)
        }
        for case .keepAnswers(let spans) in effects {
            for span in spans { try keep(span, of: extras.received, answers) }
        }
    }

    private func keep(
        _ span: AnswerSpan, of received: [AnswerColumns], _ keeper: AnswerKeeper
    ) throws {
        guard
            let columns = received.first(where: {
                $0.span.client == span.client && $0.span.last == span.last
            })
        else { throw StoreError(.storage, "Answers of a reply are missing.") }
        try keeper.add(columns.rows.suffix(span.count), span.client, first: span.first)
    }

    /// The state as it is in the database.
    package func state() throws -> DeviceState {
        let user = user
        let declarations = declarations
        let state = try database.read { database in
            try running.withLock { running -> DeviceState? in
                let keeper = StateKeeper(database: database, user: user)
                return try keeper.version() == running.version
                    ? running.machine.state : try keeper.state(declarations)
            }
        }
        guard let state else { throw StoreError(.notFound, "There is no such user.") }
        return state
    }

    /// The answers of a request that is about to be sent.
    package func columns(_ spans: [AnswerSpan]) throws -> [AnswerColumns] {
        let user = user
        return try database.read { database in
            let keeper = AnswerKeeper(database: database, user: user)
            return try spans.map(keeper.columns)
        }
    }

    // MARK: Listening

    /// Takes an event of the app, whose effects go to whoever syncs.
    package func post(
        _ event: DeviceMachine.Event, now: Date, extras: Extras = Extras(),
        and more: (Database) throws -> Void = { _ in }
    ) throws {
        let effects = try handle(event, now: now, extras: extras, and: more)
        self.effects.send(effects)
    }

    /// The effects of what the app does; an empty list when the user changes.
    package func appEffects() -> AsyncStream<[DeviceMachine.Effect]> { effects.stream() }

    /// The records that look different, whenever some do; empty when all may.
    ///
    /// Changes of other processes are not among them.
    public func changedRecords() -> AsyncStream<Set<RecordKey>> { changes.stream() }
}
