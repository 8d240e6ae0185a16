/// How a device catches up: events in, effects out; no clock, disk, network or chance of its own.
///
/// Whoever runs it keeps `state` in one transaction after each event, and only then carries out the
/// effects. What is not in `state` may be lost at any moment.
public struct DeviceMachine: Sendable {
    /// What happened.
    public enum Event: Sendable, Hashable {
        /// From now on requests can be sent; what was on its way before is given up.
        case started
        /// No more requests can be sent; what is on its way is given up.
        case stopped
        /// The user changed a record; a counter by `step`.
        case wrote(RecordKey, Write)
        /// The user made changes that belong together: everybody sees all of them or none.
        case wroteTogether([Together])
        /// So many answers were given on this device, and are kept with the state.
        case answered(count: Int)
        /// The user settled a conflict.
        case settled(RecordKey, Settlement)
        /// The user has seen a change that the server does not take, and gives it up.
        case dismissed(OperationID)
        /// Somebody asks for a sync now.
        case syncWanted
        /// The time that was asked for came.
        case timeCame
        /// The server replied.
        case replied(ExchangeResponse)
        /// A request got no answer; `jitter` is a random number from 0 to 1.
        case failed(number: UInt64, ExchangeFailure, jitter: Double)
        /// There is a new access token.
        case authorized
    }

    /// One of several changes that belong together.
    public struct Together: Sendable, Hashable {
        /// The record.
        public var key: RecordKey
        /// The change.
        public var write: Write

        /// Pairs a record with its change.
        public init(_ key: RecordKey, _ write: Write) {
            self.key = key
            self.write = write
        }
    }

    /// A change as the user makes it.
    public enum Write: Sendable, Hashable {
        /// Sets fields.
        case put([String: FieldValue])
        /// Deletes the record.
        case delete
        /// Adds to a counter; negative steps take away.
        case count(field: String, by: Int64)
    }

    /// How the user settles a conflict.
    public enum Settlement: Sendable, Hashable {
        /// The own change goes over what was shown.
        case keepMine
        /// The own change is given up.
        case useServer
        /// Something else goes over what was shown.
        case edit([String: FieldValue])
    }

    /// What is to be done, after the state was kept.
    public enum Effect: Sendable, Hashable {
        /// Send a request; its end is an event.
        case send(ExchangeRequest)
        /// Wake the machine with `timeCame` at this time, in milliseconds since 1970.
        case wake(at: Int64)
        /// Get a new access token, then say `authorized`.
        case renewToken
        /// These records look different now.
        case changed([RecordKey])
        /// These answers of the reply are new; they are kept in the state's transaction.
        case keepAnswers([AnswerSpan])
    }

    /// The most operations in one request.
    public static let operationsMax = 500
    /// The most changes that belong together.
    public static let togetherMax = 100
    /// The most answers in one request.
    public static let answersMax = 10_000
    /// The longest wait after failures, in milliseconds.
    public static let waitMillisecondsMax: Int64 = 15 * 60 * 1000

    /// What must be kept.
    public package(set) var state: DeviceState
    /// The records whose base changed since `takeTouched`; whoever keeps the state rewrites these.
    var touched: Set<RecordKey> = []
    /// The request that is on its way.
    private var inFlight: ExchangeRequest?
    private var isStarted = false
    private var failureCount = 0
    private var waitsForToken = false
    private var waitsUntil: Int64?

    /// Takes up what was kept.
    public init(_ state: DeviceState) {
        self.state = state
    }

    /// Takes an event.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - now: The wall clock in milliseconds since 1970; it may jump.
    /// - Returns: What is to be done once the state is kept.
    public mutating func handle(_ event: Event, now: Int64) -> [Effect] {
        switch event {
        case .started:
            isStarted = true
            inFlight = nil
            waitsForToken = false
            waitsUntil = nil
            return exchange(isWanted: true)
        case .stopped:
            isStarted = false
            inFlight = nil
            return []
        case .syncWanted:
            waitsUntil = nil
            return exchange(isWanted: true)
        case .wrote(let key, let write): return wrote(key, write, group: nil, now)
        case .wroteTogether(let changes): return wroteTogether(changes, now)
        case .answered(let count):
            let client = state.client
            let first = state.answers[client] + 1
            state.answers.take(AnswerSpan(client: client, first: first, count: count))
            return exchange(isWanted: count > 0)
        case .dismissed(let id):
            state.setAside.removeAll { $0.operation.id == id }
            return []
        case .settled(let key, let settlement): return settled(key, settlement, now)
        case .timeCame:
            guard let time = waitsUntil, now >= time else { return [] }
            waitsUntil = nil
            return exchange(isWanted: true)
        case .authorized:
            waitsForToken = false
            return exchange(isWanted: true)
        case .replied(let response): return replied(response, now)
        case .failed(let number, let failure, let jitter):
            return failed(number, failure, jitter, now)
        }
    }

    /// Goes on from what another process kept.
    public mutating func reload(_ state: DeviceState) { self.state = state }

    /// The records whose base changed since this was asked last.
    public mutating func takeTouched() -> Set<RecordKey> {
        defer { touched = [] }
        return touched
    }

    // MARK: The user's changes

    private mutating func wroteTogether(_ changes: [Together], _ now: Int64) -> [Effect] {
        let group = state.nextCounter
        var changed: [RecordKey] = []
        for change in changes.prefix(Self.togetherMax) {
            for case .changed(let keys) in wrote(change.key, change.write, group: group, now) {
                changed += keys
            }
        }
        return [.changed(changed)] + exchange(isWanted: true)
    }

    private mutating func wrote(
        _ key: RecordKey, _ write: Write, group: UInt64?, _ now: Int64
    ) -> [Effect] {
        guard let declaration = state.declarations[key.collection],
            let change = change(key, write, declaration.policy)
        else { return [] }
        let time = state.clock.now(wallMilliseconds: now)
        if let index = state.conflicts.firstIndex(where: { $0.key == key }) {
            // The user has not seen what the server has: this is a part of the same conflict.
            state.conflicts[index].mine.change = change
            state.conflicts[index].mine.time = time
            return [.changed([key])]
        }
        let last = state.outbox.lastIndex { $0.operation.key == key }
        // A change of a group goes with its group, so nothing takes it in before.
        if let last, group == nil, merge(change, into: last, time, declaration) {
            return [.changed([key])] + exchange(isWanted: true)
        }
        let previous = last.map { state.outbox[$0].operation }
        append(
            change, key, seen: previous?.seenRevision ?? state.bases[key]?.revision ?? 0,
            follows: previous?.id, group: group, time, declaration.schemaVersion, now)
        return [.changed([key])] + (group == nil ? exchange(isWanted: true) : [])
    }

    private func change(_ key: RecordKey, _ write: Write, _ policy: Policy) -> Change? {
        switch write {
        case .put(let values): return policy == .counter ? nil : .put(whole(values, key, policy))
        case .delete: return [.appendOnly, .counter].contains(policy) ? nil : .delete
        case .count(let field, let step):
            guard policy == .counter else { return nil }
            var tally = state.current(key)?.tallies[field]?[state.client] ?? Tally()
            if step >= 0 { tally.added &+= step } else { tally.removed &-= step }
            return .count(field: field, tally)
        }
    }

    /// Adds the fields that a newer version of the app wrote and this one does not know.
    private func whole(
        _ values: [String: FieldValue], _ key: RecordKey, _ policy: Policy
    ) -> [String: FieldValue] {
        guard policy != .fieldMerge, policy != .appendOnly,
            let known = state.declarations[key.collection]?.fields,
            let current = state.current(key)?.values
        else { return values }
        return values.merging(current.filter { !known.contains($0.key) }) { mine, _ in mine }
    }

    /// Puts a change into an earlier one that the server cannot know yet.
    private mutating func merge(
        _ change: Change, into index: Int, _ time: HybridTime, _ declaration: CollectionDeclaration
    ) -> Bool {
        guard !state.outbox[index].wasSent else { return false }
        switch (state.outbox[index].operation.change, change) {
        case (.put(let earlier), .put(let later)) where declaration.policy != .appendOnly:
            let merged =
                declaration.policy == .fieldMerge
                ? earlier.merging(later, uniquingKeysWith: { $1 }) : later
            state.outbox[index].operation.change = .put(merged)
        case (.count(let one, _), .count(let other, let tally)) where one == other:
            state.outbox[index].operation.change = .count(field: one, tally)
        default: return false
        }
        state.outbox[index].operation.time = time
        return true
    }

    private mutating func append(
        _ change: Change, _ key: RecordKey, seen: UInt64, follows: OperationID?,
        group: UInt64? = nil, _ time: HybridTime, _ schemaVersion: Int, _ now: Int64
    ) {
        let operation = Operation(
            id: OperationID(client: state.client, counter: state.nextCounter), key: key,
            change: change, seenRevision: seen, follows: follows, time: time,
            schemaVersion: schemaVersion)
        state.nextCounter += 1
        state.outbox.append(.init(operation: operation, group: group, madeAt: now))
    }

    private mutating func settled(
        _ key: RecordKey, _ settlement: Settlement, _ now: Int64
    ) -> [Effect] {
        guard let index = state.conflicts.firstIndex(where: { $0.key == key }) else { return [] }
        let conflict = state.conflicts.remove(at: index)
        let change: Change?
        switch settlement {
        case .keepMine: change = conflict.mine.change
        case .useServer: change = nil
        case .edit(let values): change = .put(values)
        }
        if let change {
            // What was shown, which may be older than what the server has by now.
            append(
                change, key, seen: conflict.theirs.revision, follows: nil,
                state.clock.now(wallMilliseconds: now), conflict.mine.schemaVersion, now)
        }
        return [.changed([key])] + exchange(isWanted: true)
    }

    // MARK: Exchanging

    /// Sends a request, unless one is on its way or it is not the time.
    private mutating func exchange(isWanted: Bool) -> [Effect] {
        guard isStarted, isWanted, inFlight == nil, waitsUntil == nil, !waitsForToken else {
            return []
        }
        // While the log is read anew, what the own changes saw is not known.
        let count = state.isRecovering ? 0 : batchCount
        for index in 0..<count { state.outbox[index].wasSent = true }
        let counters = state.outbox.lazy.map(\.operation.id.counter)
        let request = ExchangeRequest(
            number: state.nextRequest, user: state.user, client: state.client,
            epoch: state.epoch, cursor: state.cursor, head: state.head,
            operations: state.outbox.prefix(count).map(\.operation),
            settledBefore: counters.min() ?? state.nextCounter, answersHeld: state.answers,
            answers: state.answers.beyond(state.answersOnServer, limit: Self.answersMax),
            isReadingAnew: state.isRecovering)
        state.nextRequest += 1
        inFlight = request
        return [.send(request)]
    }

    /// How many operations go into one request: a group goes whole.
    private var batchCount: Int {
        let all = state.outbox
        guard all.count > Self.operationsMax else { return all.count }
        var count = Self.operationsMax
        while count > 0, let group = all[count].group, all[count - 1].group == group { count -= 1 }
        return count
    }

    private mutating func failed(
        _ number: UInt64, _ failure: ExchangeFailure, _ jitter: Double, _ now: Int64
    ) -> [Effect] {
        guard inFlight?.number == number else { return [] }
        inFlight = nil
        if failure == .unauthorized {
            waitsForToken = true
            return [.renewToken]
        }
        failureCount += 1
        var atLeast: Int64 = 0
        if case .server(let retryAfter) = failure { atLeast = retryAfter ?? 0 }
        return wait(jitter, atLeast: atLeast, now)
    }

    /// Doubles from one second to `waitMillisecondsMax`, spread over the upper half.
    private mutating func wait(_ jitter: Double, atLeast: Int64, _ now: Int64) -> [Effect] {
        let doublings = min(max(failureCount - 1, 0), 20)
        let full = min(1000 << Int64(doublings), Self.waitMillisecondsMax)
        let spread = Int64(Double(full) * (0.5 + 0.5 * min(max(jitter, 0), 1)))
        let time = now + max(spread, min(atLeast, 24 * 60 * 60 * 1000))
        waitsUntil = time
        return [.wake(at: time)]
    }

    private mutating func replied(_ response: ExchangeResponse, _ now: Int64) -> [Effect] {
        // A reply that comes twice, or after its request was given up, says nothing new.
        guard let request = inFlight, response.number == request.number else { return [] }
        inFlight = nil
        guard request.epoch == state.epoch, request.head == state.head else {
            // Another process heard more since this was asked, perhaps of another past. What was done
            // is told again when it is asked for again.
            return exchange(isWanted: true)
        }
        let isNewHistory = request.epoch.map { $0 != response.epoch } ?? false
        if isNewHistory || response.head?.position ?? 0 >= state.head?.position ?? 0 {
            state.head = response.head
        }
        state.answersOnServer = response.answersHeld
        if isNewHistory {
            recover(epoch: response.epoch)
            return exchange(isWanted: true)
        }
        state.epoch = response.epoch
        if response.isTooOld {
            readAnew(.deviceSleptTooLong)
            return exchange(isWanted: true)
        }
        var changed: [RecordKey] = []
        var isToWait = false
        for operation in request.operations {
            guard let result = response.results[operation.id] else { continue }
            changed.append(operation.key)
            if take(result, for: operation, now) { isToWait = true }
        }
        // Another process may have read on, or begun to read anew, since this was asked.
        let continues =
            request.cursor <= state.cursor && response.cursor >= state.cursor
            && request.isReadingAnew == state.isRecovering
        if continues {
            for record in response.changes where take(record, now) { changed.append(record.key) }
            state.cursor = response.cursor
        }
        var effects: [Effect] = changed.isEmpty ? [] : [.changed(Array(Set(changed)).sorted())]
        let answers = response.answers.compactMap { state.answers.take($0) }
        if !answers.isEmpty { effects.append(.keepAnswers(answers)) }
        if request.answers.contains(where: { response.answersHeld[$0.client] < $0.first }) {
            isToWait = true
        }
        if !response.hasMore, continues {
            if state.recovery == .serverWentBack { offerWhatIsMissing(now) }
            if state.isRecovering {
                touched.formUnion(state.former.keys)
                state.former = [:]
                state.recovery = nil
            } else if let digest = response.digest, digest != RecordDigest(state.bases.values) {
                recover(epoch: response.epoch)
            }
        }
        if isToWait {
            failureCount += 1
            return effects + wait(0.5, atLeast: 0, now)
        }
        failureCount = 0
        effects += exchange(isWanted: response.hasMore || state.isRecovering || hasToSend)
        return effects
    }

    private var hasToSend: Bool {
        !state.outbox.isEmpty || !state.answers.beyond(state.answersOnServer, limit: 1).isEmpty
    }

    /// Takes the answer to one operation; true when it is to be sent again later.
    private mutating func take(
        _ result: OperationResult, for operation: Operation, _ now: Int64
    ) -> Bool {
        guard let index = state.outbox.firstIndex(where: { $0.operation.id == operation.id })
        else { return false }
        switch result {
        case .retryLater: return true
        case .accepted(let record):
            state.outbox.remove(at: index)
            _ = take(record, now)
            // Who made the next change saw what the record is now, whoever wrote it.
            for next in state.outbox.indices
            where state.outbox[next].operation.follows == operation.id {
                state.outbox[next].operation.seenRevision = record.revision
                state.outbox[next].operation.follows = nil
            }
        case .merged(let record):
            state.outbox.remove(at: index)
            _ = take(record, now)
        case .conflict(let theirs):
            state.outbox.remove(at: index)
            addConflict(operation, theirs)
            _ = take(theirs, now)
        case .refused(let refusal):
            state.outbox.remove(at: index)
            state.setAside.append(.init(operation: operation, refusal: refusal))
        }
        return false
    }

    private mutating func addConflict(_ operation: Operation, _ theirs: Record) {
        let base = state.bases[operation.key] ?? state.former[operation.key]
        if let index = state.conflicts.firstIndex(where: { $0.key == operation.key }) {
            // A later change may have become a part of the conflict before this answer was read.
            if operation.id > state.conflicts[index].mine.id {
                state.conflicts[index].mine = operation
            }
            state.conflicts[index].theirs = theirs
        } else {
            state.conflicts.append(
                .init(key: operation.key, mine: operation, theirs: theirs, base: base))
        }
        // Changes that were made on top of it belong to the same conflict.
        var last = operation.id
        for pending in state.outbox where pending.operation.follows == last {
            last = pending.operation.id
            if let index = state.conflicts.firstIndex(where: { $0.key == operation.key }),
                last > state.conflicts[index].mine.id
            {
                state.conflicts[index].mine = pending.operation
            }
            state.outbox.removeAll { $0.operation.id == last }
        }
    }

    /// Takes what the server has; true when it was newer than what is known.
    private mutating func take(_ record: Record, _ now: Int64) -> Bool {
        guard record.revision > state.bases[record.key]?.revision ?? 0 else { return false }
        state.clock.see(record.time, wallMilliseconds: now)
        state.bases[record.key] = record
        touched.insert(record.key)
        return true
    }
}
