public import Foundation
package import GRDB
import Logging
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

    let database: StoreDatabase
    let declarations: [CollectionDeclaration]
    /// What the records of a collection may look like, as far as the app says so.
    let rules: [String: CollectionRules]
    let makeID: @Sendable () -> String
    private let logger = Logger(label: "underway.store")
    /// Locked only to copy a value, never while the database is read or written.
    private let running: Mutex<RunningStates>
    let changes = Listeners<Set<RecordKey>>()
    let effects = Listeners<[DeviceMachine.Effect]>()

    /// Whether what the user does can be saved on this device.
    ///
    /// With a full disk or a folder that cannot be written the store opens all the same and shows what is
    /// there. Each write tries again, and throws as long as nothing can be saved. Where the database is there but
    /// cannot be read, reads throw `StoreError` `storage`, and try again as well.
    public var access: StoreAccess { database.access }

    /// Opens the store in a folder, making it if there is none.
    ///
    /// - Parameters:
    ///   - folder: May be the same as that of an `OfflineStore`.
    ///   - collections: What the app declares; the built-in ones are always there.
    ///   - rules: Collections with what their records may hold, as in `underway.yaml`: a write that
    ///     the server would refuse is refused at once.
    ///   - makeID: Makes the name of a new device; unique for ever.
    /// - Throws: `StoreError` `damaged` when what is there cannot be read. A damaged store is left as it is,
    ///   since only it has what was not sent. Where the folder cannot be written, ``access`` says so.
    public convenience init(
        folder: URL, collections: [CollectionDeclaration] = [], rules: [CollectionRules] = [],
        makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
    ) throws {
        let file = folder.appending(path: "user.sqlite")
        let source = StoreDatabase.Source(
            kind: .userData, migrator: UserSchema.migrator, file: { file },
            open: {
                try PrivateFiles.makeFolder(folder)
                try LoneLog.setAside(besides: file)
                let pool = try DeviceDatabase.open(file, .everyCommit)
                try OfflineStore.migrate(pool, UserSchema.migrator)
                return StoreDatabase.Opened(
                    writer: pool, file: file, identity: FileIdentity(file))
            })
        try self.init(
            StoreDatabase(source), collections: collections, rules: rules, makeID: makeID)
        DeviceDatabase.excludeFromBackups(file)
    }

    package convenience init(
        _ writer: any DatabaseWriter, collections: [CollectionDeclaration],
        rules: [CollectionRules] = [],
        makeID: @escaping @Sendable () -> String
    ) throws {
        try OfflineStore.migrate(writer, UserSchema.migrator)
        try self.init(
            StoreDatabase(writer, .userData, UserSchema.migrator), collections: collections,
            rules: rules, makeID: makeID)
    }

    private init(
        _ database: StoreDatabase, collections: [CollectionDeclaration], rules: [CollectionRules],
        makeID: @escaping @Sendable () -> String
    ) throws {
        self.database = database
        self.makeID = makeID
        let known = CollectionRules.builtIn + rules
        self.rules = Dictionary(
            known.map { ($0.declaration.name, $0) }, uniquingKeysWith: { $1 })
        let all = known.map(\.declaration) + collections
        declarations = Array(
            Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { $1 }).values)
        running = Mutex(
            RunningStates(latest: try Self.opened(database, declarations, makeID)))
    }

    /// The state in a database that was just opened; where nothing can be written, that of a new device
    /// will do until it can.
    private static func opened(
        _ database: StoreDatabase, _ declarations: [CollectionDeclaration],
        _ makeID: () -> String
    ) throws -> Running {
        do {
            return try database.write { database in
                try running(currentUser(in: database), declarations, makeID, in: database)
            }
        } catch let error as StoreError where error.code == .storage {
            let found = try saved(database, declarations)
            let new = DeviceState(
                user: localUser, client: ClientID(makeID()), declarations: declarations)
            return found ?? Running(machine: DeviceMachine(new), version: Running.unknownVersion)
        }
    }

    /// The state in a database that cannot be written; `nil` where it has none, or cannot be read either.
    private static func saved(
        _ database: StoreDatabase, _ declarations: [CollectionDeclaration]
    ) throws -> Running? {
        do {
            return try database.read { database in
                let keeper = DeviceStateStorage(
                    database: database, user: try currentUser(in: database))
                guard let version = try keeper.version(),
                    let state = try keeper.state(declarations)
                else { return nil }
                return Running(machine: DeviceMachine(state), version: version)
            }
        } catch let error as StoreError where error.code == .storage {
            // Whoever reads next is told.
            return nil
        }
    }

    // MARK: Users

    static func currentUser(in database: Database) throws -> String {
        try String.fetchOne(database, sql: "SELECT value FROM setting WHERE name = 'user'")
            ?? localUser
    }

    static func running(
        _ user: String, _ declarations: [CollectionDeclaration], _ makeID: () -> String,
        in database: Database
    ) throws -> Running {
        let keeper = DeviceStateStorage(database: database, user: user)
        if let version = try keeper.version(), let state = try keeper.state(declarations) {
            return Running(machine: DeviceMachine(state), version: version)
        }
        let state = DeviceState(
            user: user, client: ClientID(makeID()), declarations: declarations)
        try keeper.write(from: nil, to: state, touched: [])
        return Running(machine: DeviceMachine(state), version: 1)
    }

    /// Whose data is shown now.
    ///
    /// Another process may have switched it; a database that cannot be read for a moment has the user
    /// that was known last.
    public var user: String {
        // Whoever reads or writes next is told what is wrong with the database.
        (try? database.read(Self.currentUser))
            ?? running.withLock { $0.latest.machine.state.user }
    }

    /// Takes up what the database says, for another user or after another process wrote.
    func reload() throws {
        let (declarations, makeID) = (declarations, makeID)
        let read = try database.write { database in
            try Self.running(Self.currentUser(in: database), declarations, makeID, in: database)
        }
        running.withLock { $0 = RunningStates(latest: read) }
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
        and more: (Database, _ user: String) throws -> Void = { _, _ in }
    ) throws -> [DeviceMachine.Effect] {
        let milliseconds = Self.milliseconds(now)
        let effects: [DeviceMachine.Effect]
        var attempt: (before: Running, after: Running)?
        do {
            effects = try database.write { database in
                let before = try caughtUp(in: database)
                var next = before
                let effects = try step(&next, event, milliseconds, extras, in: database)
                try more(database, next.machine.state.user)
                attempt = (before, next)
                running.withLock { $0.advance(to: next) }
                return effects
            }
        } catch {
            // The commit itself may have failed: what is in the database is read anew next time.
            running.withLock { $0.forget(attempt) }
            let code = (error as? StoreError).map { "\($0.code)" } ?? "\(type(of: error))"
            logger.error("user data not saved", metadata: ["code": "\(code)"])
            throw error
        }
        for case .changed(let keys) in effects { changes.send(Set(keys)) }
        return effects
    }

    /// The machine with what other processes wrote meanwhile.
    private func caughtUp(in database: Database) throws -> Running {
        var running = running.withLock { $0.latest }
        let keeper = DeviceStateStorage(database: database, user: running.machine.state.user)
        let user = try Self.currentUser(in: database)
        guard user == running.machine.state.user, let version = try keeper.version() else {
            // Somebody signed in or out meanwhile, here or in another process.
            return try Self.running(user, declarations, makeID, in: database)
        }
        guard version != running.version else { return running }
        if let state = try keeper.state(declarations) { running.machine.reload(state) }
        running.version = version
        return running
    }

    /// Takes an event and those that follow from its effects within the store.
    private func step(
        _ running: inout Running, _ event: DeviceMachine.Event, _ milliseconds: Int64,
        _ extras: Extras, in database: Database
    ) throws -> [DeviceMachine.Effect] {
        let before = running.machine.state
        let effects = running.machine.handle(event, now: milliseconds)
        try keep(&running, from: before, effects, extras, in: database)
        var outside: [DeviceMachine.Effect] = []
        let answers = ResponseStorage(database: database, user: before.user)
        for effect in effects {
            switch effect {
            case .renewIdentity:
                outside += try step(
                    &running, .identified(ClientID(makeID())), milliseconds, Extras(),
                    in: database)
            case .detachAnswers(let span): try answers.detach(span)
            case .numberAnswers:
                let count = try answers.dropDetachedCopies()
                let state = running.machine.state
                try answers.number(state.client, first: state.answers[state.client] + 1)
                outside += try step(
                    &running, .numbered(count: count), milliseconds, Extras(), in: database)
            default: outside.append(effect)
            }
        }
        return outside
    }

    private func keep(
        _ next: inout Running, from before: DeviceState, _ effects: [DeviceMachine.Effect],
        _ extras: Extras, in database: Database
    ) throws {
        let touched = next.machine.takeTouched()
        let after = next.machine.state
        guard !touched.isEmpty || after != before else { return }
        try DeviceStateStorage(database: database, user: after.user)
            .write(from: before, to: after, touched: touched)
        next.version += 1
        let answers = ResponseStorage(database: database, user: after.user)
        if !extras.answers.isEmpty {
            try answers.add(
                EncodedAnswers(extras.answers), after.client,
                first: before.answers[after.client] + 1)
        }
        for case .keepAnswers(let spans) in effects {
            for span in spans { try keep(span, of: extras.received, answers) }
        }
    }

    private func keep(
        _ span: AnswerSpan, of received: [AnswerColumns], _ keeper: ResponseStorage
    ) throws {
        guard
            let columns = received.first(where: {
                $0.span.client == span.client && $0.span.last == span.last
            })
        else { throw StoreError(.storage, "Answers of a reply are missing.") }
        try keeper.add(columns.suffix(span.count).encoded, span.client, first: span.first)
    }

    /// The state as it is in the database, of one moment; nobody who writes is waited for.
    package func state() throws -> DeviceState {
        let declarations = declarations
        let state = try database.read { database in
            let user = try Self.currentUser(in: database)
            let keeper = DeviceStateStorage(database: database, user: user)
            guard let version = try keeper.version() else { return nil as DeviceState? }
            return try running.withLock({ $0.state(version, of: user) })
                ?? keeper.state(declarations)
        }
        if let state { return state }
        if access.problem != nil { return running.withLock { $0.latest.machine.state } }
        // Nobody was written yet since somebody signed out, perhaps in another process.
        try reload()
        return running.withLock { $0.latest.machine.state }
    }

    /// The answers of a request that is about to be sent.
    package func columns(_ spans: [AnswerSpan]) throws -> [AnswerColumns] {
        let user = user
        return try database.read { database in
            let keeper = ResponseStorage(database: database, user: user)
            return try spans.map(keeper.columns)
        }
    }

    /// The request that the machine waits for.
    package var requestInFlight: ExchangeRequest? {
        running.withLock { $0.latest.machine.inFlight }
    }

    /// The time before which the machine sends nothing; `nil` when it does not wait.
    package var nextTry: Date? {
        running.withLock { $0.latest.machine.waitsUntil }
            .map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }

    /// Takes an event that changes nothing stored, where the database takes nothing.
    package func takeInMemory(
        _ event: DeviceMachine.Event, now: Date
    ) -> [DeviceMachine.Effect] {
        running.withLock { $0.takeInMemory(event, Self.milliseconds(now)) }
    }

    static func milliseconds(_ date: Date) -> Int64 {
        max(0, Int64(date.timeIntervalSince1970 * 1000))
    }

    // MARK: Listening

    /// Takes an event of the app, whose effects go to whoever syncs.
    package func post(
        _ event: DeviceMachine.Event, now: Date, extras: Extras = Extras(),
        and more: (Database, _ user: String) throws -> Void = { _, _ in }
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
