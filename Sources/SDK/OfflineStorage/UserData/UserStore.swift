public import Foundation
package import GRDB
import Logging
import QuestionEngine
package import ServiceAPI
import Synchronization
public import UserData

/// The data of a user, saved on the device first: answers, sessions, and records of the collections that the app
/// declares.
///
/// Every call is one transaction that survives a power loss. Two processes may use one store. The store never shows one
/// user's data to another, nor sends it to another's account.
///
/// Calls block: milliseconds for most, seconds when a large store is opened or the disk is slow. On the main
/// actor use ``open(at:collections:rules:makeID:)`` and ``perform(_:)``.
///
/// ```swift
/// let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
/// let store = try await UserStore.open(at: folder)
/// try await store.perform { try $0.put(Favourite(bank: "es", note: "hard"), id: "es-001") }
/// let favourites = try await store.perform { try $0.records(Favourite.self) }
/// print(favourites.map(\.value.note))
/// ```
public final class UserStore: Sendable {
    /// The user's name before there is an account.
    public static let localUser = DeviceState.localUser

    let database: StoreDatabase
    /// The path of the database's file; `nil` in memory.
    package let place: String?
    let declarations: [CollectionDeclaration]
    /// The rules of each collection for its records, as far as the app declares them.
    let rules: [String: CollectionRules]
    let makeID: @Sendable () -> String
    private let logger = Logger(label: "underway.store")
    /// Locked only to copy a value, never while the database is read or written.
    private let running: Mutex<RunningStates>
    let changes = Listeners<Set<RecordKey>>()
    let effects = Listeners<[DeviceMachine.Effect]>()

    /// The access to the disk: read-write, or read-only with the reason.
    ///
    /// The store opens read-only when the disk is full or the folder cannot be written. Each write retries, and throws
    /// until the data can be saved. If the database exists but cannot be read, each read retries and throws
    /// ``StoreError`` `storage`; it never returns an empty result.
    public var access: StoreAccess { database.access }

    /// Opens the store in a folder, creating it if needed.
    ///
    /// Blocks during migrations; ``open(at:collections:rules:makeID:)`` does not.
    /// - Parameters:
    ///   - folder: A folder in Application Support; may be that of an `OfflineStore`.
    ///   - collections: The collections of the app, in addition to the built-in ones.
    ///   - rules: Collections with rules for their records, as in `underway.yaml`: the store refuses a write at once if
    ///     the server would reject it.
    ///   - makeID: Returns the name of a new device, which must be globally unique.
    /// - Throws: ``StoreError`` `damaged` when an existing store cannot be read. The files stay unchanged, since they
    ///   may have unsent data. If the folder cannot be written, ``access`` has the reason.
    public convenience init(
        folder: URL, collections: [CollectionDeclaration] = [], rules: [CollectionRules] = [],
        makeID: @escaping @Sendable () -> String = { DeviceName.random() }
    ) throws {
        let file = folder.appending(path: "user.sqlite")
        let source = StoreDatabase.Source(
            kind: .userData, migrator: UserSchema.migrator, file: { file },
            open: {
                try PrivateFiles.makeFolder(folder)
                try OrphanedLog.rename(besides: file)
                let pool = try DeviceDatabase.open(file, .everyCommit)
                try OfflineStore.migrate(pool, UserSchema.migrator)
                return StoreDatabase.Opened(
                    writer: pool, file: file, identity: FileIdentity(file))
            })
        try self.init(
            StoreDatabase(source), place: file.resolvingSymlinksInPath().path,
            collections: collections, rules: rules, makeID: makeID)
        DeviceDatabase.excludeFromBackups(file)
    }

    package convenience init(
        _ writer: any DatabaseWriter, collections: [CollectionDeclaration],
        rules: [CollectionRules] = [],
        makeID: @escaping @Sendable () -> String
    ) throws {
        try OfflineStore.migrate(writer, UserSchema.migrator)
        try self.init(
            StoreDatabase(writer, .userData, UserSchema.migrator), place: nil,
            collections: collections, rules: rules, makeID: makeID)
    }

    private init(
        _ database: StoreDatabase, place: String?, collections: [CollectionDeclaration],
        rules: [CollectionRules], makeID: @escaping @Sendable () -> String
    ) throws {
        self.database = database
        self.place = place
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

    /// Returns the state of a newly opened database, or a new device's if nothing can be written.
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
            return found ?? Running(machine: machine(new), version: Running.unknownVersion)
        }
    }

    /// Returns the state in a read-only database; `nil` if it has none, or cannot be read either.
    private static func saved(
        _ database: StoreDatabase, _ declarations: [CollectionDeclaration]
    ) throws -> Running? {
        do {
            return try database.read { database in
                let storage = DeviceStateStorage(
                    database: database, user: try currentUser(in: database))
                guard let version = try storage.version(),
                    let state = try storage.state(declarations)
                else { return nil }
                return Running(machine: machine(state), version: version)
            }
        } catch let error as StoreError where error.code == .storage {
            // The next read throws.
            return nil
        }
    }

    // MARK: Users

    static func currentUser(in database: Database) throws -> String {
        try String.fetchOne(database, sql: "SELECT value FROM setting WHERE name = 'user'")
            ?? localUser
    }

    /// Creates the machine of a process.
    private static func machine(_ state: DeviceState) -> DeviceMachine {
        DeviceMachine(state, salt: .random(in: .min ... .max))
    }

    static func running(
        _ user: String, _ declarations: [CollectionDeclaration], _ makeID: () -> String,
        in database: Database
    ) throws -> Running {
        let storage = DeviceStateStorage(database: database, user: user)
        if let version = try storage.version(), let state = try storage.state(declarations) {
            return Running(machine: machine(state), version: version)
        }
        let client = DeviceName.client(makeID(), of: user)
        let state = DeviceState(user: user, client: client, declarations: declarations)
        try storage.write(from: nil, to: state, touched: [])
        return Running(machine: machine(state), version: 1, writer: client)
    }

    /// Assigns an event with answers or counts of the local user to a name of this process.
    private func nameWriter(
        _ running: inout Running, for event: DeviceMachine.Event, _ milliseconds: Int64
    ) {
        let state = running.machine.state
        guard state.isLocal, event.needsWriter else { return }
        let mayMake = state.writerCount < DeviceState.writersMax
        let writer =
            running.writer
            ?? (mayMake ? DeviceName.client(makeID(), of: state.user) : state.client)
        running.writer = writer
        _ = running.machine.handle(.wroteAs(writer), now: milliseconds)
    }

    /// The user whose data is shown.
    ///
    /// The store reads it from the database, since another process may have switched users; if the read fails, it is
    /// the last known user.
    public var user: String {
        // The next read or write throws.
        (try? database.read(Self.currentUser))
            ?? running.withLock { $0.latest.machine.state.user }
    }

    /// Reloads the state, for another user or after a write of another process.
    func reload() throws {
        let (declarations, makeID) = (declarations, makeID)
        let read = try database.write { database in
            try Self.running(Self.currentUser(in: database), declarations, makeID, in: database)
        }
        running.withLock { $0 = RunningStates(latest: read) }
        changes.send([])
    }

    // MARK: The machine

    /// The additional values that are committed with the state.
    package struct Extras: Sendable {
        /// The new answers of this device.
        package var answers: [AnswerRow] = []
        /// The retractions of this device, whose numbers follow those of the new answers.
        package var retractions: [NewRetraction] = []
        /// The answers received with a reply.
        package var received: [AnswerColumns] = []
        /// The user of the event; `nil` for the current one.
        package var user: String?
        /// The time in a server's reply.
        package var serverTime: Date?

        package init(
            answers: [AnswerRow] = [], retractions: [NewRetraction] = [],
            received: [AnswerColumns] = [], user: String? = nil,
            serverTime: Date? = nil
        ) {
            self.answers = answers
            self.retractions = retractions
            self.received = received
            self.user = user
            self.serverTime = serverTime
        }
    }

    /// Applies an event to the machine and commits the new state, in one transaction.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - now: The wall clock.
    ///   - extras: Answers of the same transaction.
    ///   - more: Makes further changes in the same transaction.
    /// - Returns: The effects to carry out after the commit.
    /// - Throws: ``StoreError`` `outdated` when the event's user is not the current one; `storage` or `damaged`.
    ///   Nothing has changed then.
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
                guard extras.user ?? before.machine.state.user == before.machine.state.user else {
                    throw StoreError.userChanged
                }
                var next = before
                nameWriter(&next, for: event, milliseconds)
                let effects = try step(&next, event, milliseconds, extras, in: database)
                if let time = extras.serverTime {
                    try DeviceClock(database: database, user: next.machine.state.user)
                        .heard(Self.milliseconds(time), now: milliseconds)
                }
                try more(database, next.machine.state.user)
                attempt = (before, next)
                running.withLock { $0.advance(to: next) }
                return effects
            }
        } catch let error as StoreError where error.code == .outdated {
            throw error
        } catch {
            // The commit itself may have failed: the state is read anew next time.
            running.withLock { $0.forget(attempt) }
            let code = (error as? StoreError).map { "\($0.code)" } ?? "\(type(of: error))"
            logger.error("user data not saved", metadata: ["code": "\(code)"])
            throw error
        }
        for case .changed(let keys) in effects { changes.send(Set(keys)) }
        return effects
    }

    /// Returns the machine, brought up to date with the writes of other processes.
    private func caughtUp(in database: Database) throws -> Running {
        var running = running.withLock { $0.latest }
        let storage = DeviceStateStorage(database: database, user: running.machine.state.user)
        let user = try Self.currentUser(in: database)
        guard user == running.machine.state.user, let version = try storage.version() else {
            // The user signed in or out meanwhile, here or in another process.
            return try Self.running(user, declarations, makeID, in: database)
        }
        guard version != running.version else { return running }
        if let state = try storage.state(declarations) { running.machine.reload(state) }
        running.version = version
        return running
    }

    /// Applies an event and those that follow from its effects within the store.
    private func step(
        _ running: inout Running, _ event: DeviceMachine.Event, _ milliseconds: Int64,
        _ extras: Extras, in database: Database
    ) throws -> [DeviceMachine.Effect] {
        let before = running.machine.state
        let effects = running.machine.handle(event, now: milliseconds)
        try save(&running, from: before, effects, extras, in: database)
        var outside: [DeviceMachine.Effect] = []
        let answers = ResponseStorage(database: database, user: before.user)
        for effect in effects {
            switch effect {
            case .renewIdentity:
                outside += try step(
                    &running, .identified(ClientID(makeID())), milliseconds, Extras(),
                    in: database)
            case .nameBranch(let operation):
                outside += try step(
                    &running, .branched(BranchName.ofOperations(from: operation)), milliseconds,
                    Extras(), in: database)
            case .detachAnswers(let span):
                let state = running.machine.state
                running.machine.detached(try answers.detach(span), of: span.client)
                try save(&running, from: state, [], Extras(), in: database)
            case .numberAnswers:
                let runs = try answers.numberDetached(after: running.machine.state.answers)
                outside += try step(
                    &running, .numbered(runs), milliseconds, Extras(), in: database)
            default: outside.append(effect)
            }
        }
        return outside
    }

    private func save(
        _ next: inout Running, from before: DeviceState, _ effects: [DeviceMachine.Effect],
        _ extras: Extras, in database: Database
    ) throws {
        let touched = next.machine.takeChangedBases()
        guard !touched.isEmpty || next.machine.state != before else { return }
        let new = Self.columns(extras, in: next.machine.state)
        if let new { next.machine.stored(new.digest, of: new.span.client) }
        let after = next.machine.state
        try DeviceStateStorage(database: database, user: after.user)
            .write(from: before, to: after, touched: touched)
        next.version += 1
        let answers = ResponseStorage(database: database, user: after.user)
        if let new { try answers.add(new.encoded, new.span.client, first: new.span.first) }
        for case .storeAnswers(let spans) in effects {
            for span in spans { try add(span, of: extras.received, to: answers) }
        }
    }

    /// Returns new rows under the numbers that the machine has just assigned.
    private static func columns(_ extras: Extras, in state: DeviceState) -> AnswerColumns? {
        let count = extras.answers.count + extras.retractions.count
        guard count > 0 else { return nil }
        let first = AnswerID(
            client: state.client, number: state.answers[state.client] - UInt64(count) + 1)
        let undos = extras.retractions.map { $0.row(with: extras.answers, first: first) }
        let span = AnswerSpan(client: first.client, first: first.number, count: count)
        return AnswerColumns(span: span, rows: extras.answers + undos)
    }

    private func add(
        _ span: AnswerSpan, of received: [AnswerColumns], to storage: ResponseStorage
    ) throws {
        guard
            let columns = received.first(where: {
                $0.span.client == span.client && $0.span.last == span.last
            })
        else { throw StoreError(.storage, "Answers of a reply are missing. Sync again.") }
        try storage.add(columns.suffix(span.count).encoded, span.client, first: span.first)
    }

    /// Returns the committed state, in one snapshot that does not wait for writers.
    package func state() throws -> DeviceState {
        let declarations = declarations
        let state = try database.read { database in
            let user = try Self.currentUser(in: database)
            let storage = DeviceStateStorage(database: database, user: user)
            guard let version = try storage.version() else { return nil as DeviceState? }
            return try running.withLock({ $0.state(version, of: user) })
                ?? storage.state(declarations)
        }
        if let state { return state }
        if access.problem != nil { return running.withLock { $0.latest.machine.state } }
        // No state was written yet since the user signed out, perhaps in another process.
        try reload()
        return running.withLock { $0.latest.machine.state }
    }

    /// Returns the answers of a request that is about to be sent.
    package func columns(_ spans: [AnswerSpan]) throws -> [AnswerColumns] {
        let user = user
        return try database.read { database in
            let storage = ResponseStorage(database: database, user: user)
            return try spans.map(storage.columns)
        }
    }

    /// The request in flight; `nil` for none.
    package var requestInFlight: ExchangeRequest? {
        running.withLock { $0.latest.machine.inFlight }
    }

    /// The end of the machine's backoff; `nil` when it does not wait.
    package var nextTry: Date? {
        running.withLock { $0.latest.machine.waitsUntil }
            .map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }

    /// Applies an event only in memory, when the database cannot be written.
    package func takeInMemory(
        _ event: DeviceMachine.Event, now: Date
    ) -> [DeviceMachine.Effect] {
        running.withLock { $0.takeInMemory(event, Self.milliseconds(now)) }
    }

    static func milliseconds(_ date: Date) -> Int64 {
        max(0, date.wholeMilliseconds)
    }

    // MARK: Listening

    /// Applies an event of the app and sends its effects to the sync.
    package func post(
        _ event: DeviceMachine.Event, now: Date, extras: Extras = Extras(),
        and more: (Database, _ user: String) throws -> Void = { _, _ in }
    ) throws {
        let effects = try handle(event, now: now, extras: extras, and: more)
        self.effects.send(effects)
    }

    /// Returns the effects of the app's events; an empty list when the user changes.
    package func appEffects() -> AsyncStream<[DeviceMachine.Effect]> { effects.stream() }

    /// Returns a stream of the keys of changed records, one set for each change; an empty set means that all may have
    /// changed.
    ///
    /// Changes of other processes are not included.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// let changes = store.changedRecords()
    /// try store.put(Favourite(bank: "es"), id: "es-001")
    /// for await keys in changes {
    ///     print(keys.map(\.id))
    ///     break
    /// }
    /// ```
    public func changedRecords() -> AsyncStream<Set<RecordKey>> { changes.stream() }
}
