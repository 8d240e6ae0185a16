/// How a device catches up: events in, effects out; no clock, disk, network or chance of its own.
///
/// Whoever runs it keeps `state` in one transaction after each event, and only then carries out the
/// effects. What is not in `state` may be lost at any moment.
public struct DeviceMachine: Sendable {
    /// What happened.
    public enum Event: Sendable, Hashable {
        /// The program started, or started again.
        case started
        /// The user changed a record; a counter by `step`.
        case wrote(RecordKey, Write)
        /// The user settled a conflict.
        case settled(RecordKey, Settlement)
        /// Somebody asks for a sync now.
        case syncWanted
        /// The time that was asked for came.
        case timeCame
        /// The server answered.
        case answered(ExchangeResponse)
        /// A request got no answer; `jitter` is a random number from 0 to 1.
        case failed(number: UInt64, ExchangeFailure, jitter: Double)
        /// There is a new access token.
        case authorized
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
    }

    /// The most operations in one request.
    public static let operationsMax = 500
    /// The longest wait after failures, in milliseconds.
    public static let waitMillisecondsMax: Int64 = 15 * 60 * 1000

    /// What must be kept.
    public internal(set) var state: DeviceState
    /// The request that is on its way.
    private var inFlight: ExchangeRequest?
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
        case .started, .syncWanted:
            waitsUntil = nil
            return exchange(isWanted: true)
        case .wrote(let key, let write): return wrote(key, write, now)
        case .settled(let key, let settlement): return settled(key, settlement, now)
        case .timeCame:
            guard let time = waitsUntil, now >= time else { return [] }
            waitsUntil = nil
            return exchange(isWanted: true)
        case .authorized:
            waitsForToken = false
            return exchange(isWanted: true)
        case .answered(let response): return answered(response, now)
        case .failed(let number, let failure, let jitter):
            return failed(number, failure, jitter, now)
        }
    }

    // MARK: The user's changes

    private mutating func wrote(_ key: RecordKey, _ write: Write, _ now: Int64) -> [Effect] {
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
        if let last, merge(change, into: last, time, declaration) {
            return [.changed([key])] + exchange(isWanted: true)
        }
        let previous = last.map { state.outbox[$0].operation }
        append(
            change, key, seen: previous?.seenRevision ?? state.bases[key]?.revision ?? 0,
            follows: previous?.id, time, declaration.schemaVersion, now)
        return [.changed([key])] + exchange(isWanted: true)
    }

    private func change(_ key: RecordKey, _ write: Write, _ policy: Policy) -> Change? {
        switch write {
        case .put(let values): return policy == .counter ? nil : .put(values)
        case .delete: return [.appendOnly, .counter].contains(policy) ? nil : .delete
        case .count(let field, let step):
            guard policy == .counter else { return nil }
            var tally = state.current(key)?.tallies[field]?[state.client] ?? Tally()
            if step >= 0 { tally.added &+= step } else { tally.removed &-= step }
            return .count(field: field, tally)
        }
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
        _ time: HybridTime, _ schemaVersion: Int, _ now: Int64
    ) {
        let operation = Operation(
            id: OperationID(client: state.client, counter: state.nextCounter), key: key,
            change: change, seenRevision: seen, follows: follows, time: time,
            schemaVersion: schemaVersion)
        state.nextCounter += 1
        state.outbox.append(.init(operation: operation, madeAt: now))
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
        guard isWanted, inFlight == nil, waitsUntil == nil, !waitsForToken else { return [] }
        // While the log is read anew, what the own changes saw is not known.
        let count = state.isRecovering ? 0 : min(state.outbox.count, Self.operationsMax)
        for index in 0..<count { state.outbox[index].wasSent = true }
        let request = ExchangeRequest(
            number: state.nextRequest, user: state.user, client: state.client,
            epoch: state.epoch, cursor: state.cursor,
            operations: state.outbox.prefix(count).map(\.operation))
        state.nextRequest += 1
        inFlight = request
        return [.send(request)]
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

    private mutating func answered(_ response: ExchangeResponse, _ now: Int64) -> [Effect] {
        // An answer that comes twice, or after its request was given up, says nothing new.
        guard let request = inFlight, response.number == request.number else { return [] }
        inFlight = nil
        if let epoch = request.epoch, epoch != response.epoch {
            recover(epoch: response.epoch)
            return exchange(isWanted: true)
        }
        state.epoch = response.epoch
        var changed: [RecordKey] = []
        var isToWait = false
        for operation in request.operations {
            guard let result = response.results[operation.id] else { continue }
            changed.append(operation.key)
            if take(result, for: operation, now) { isToWait = true }
        }
        for record in response.changes where take(record, now) { changed.append(record.key) }
        state.cursor = max(state.cursor, response.cursor)
        var effects: [Effect] = changed.isEmpty ? [] : [.changed(Array(Set(changed)).sorted())]
        if !response.hasMore {
            if state.isRecovering {
                offerWhatIsMissing(now)
            } else if let digest = response.digest, digest != RecordDigest(state.bases.values) {
                recover(epoch: response.epoch)
            }
        }
        if isToWait {
            failureCount += 1
            return effects + wait(0.5, atLeast: 0, now)
        }
        failureCount = 0
        effects += exchange(
            isWanted: response.hasMore || state.isRecovering || !state.outbox.isEmpty)
        return effects
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
        // Changes after it that were not sent belong to the same conflict.
        for pending in state.outbox where pending.operation.key == operation.key && !pending.wasSent
        {
            if let index = state.conflicts.firstIndex(where: { $0.key == operation.key }) {
                state.conflicts[index].mine = pending.operation
            }
        }
        state.outbox.removeAll { $0.operation.key == operation.key && !$0.wasSent }
    }

    /// Takes what the server has; true when it was newer than what is known.
    private mutating func take(_ record: Record, _ now: Int64) -> Bool {
        guard record.revision > state.bases[record.key]?.revision ?? 0 else { return false }
        state.clock.see(record.time, wallMilliseconds: now)
        state.bases[record.key] = record
        return true
    }

    // MARK: A server that went back

    /// Reads the log from its start, and remembers what was known.
    private mutating func recover(epoch: String) {
        for index in state.outbox.indices {
            let operation = state.outbox[index].operation
            if let base = state.bases[operation.key], base.revision == operation.seenRevision,
                operation.follows == nil
            {
                // Revisions are numbered anew; what the author saw is named by its operation.
                state.outbox[index].operation.follows = base.operation
            }
            state.outbox[index].operation.seenRevision = 0
        }
        for (key, base) in state.bases {
            state.former[key] = state.former[key].map { joined($0, base) } ?? base
        }
        state.bases = [:]
        state.cursor = 0
        state.epoch = epoch
        state.isRecovering = true
    }

    private func joined(_ one: Record, _ other: Record) -> Record {
        let policy = state.declarations[one.key.collection]?.policy ?? .serverWins
        return one.joined(with: other, policy: policy)
    }

    /// Offers what the server had and has no more.
    private mutating func offerWhatIsMissing(_ now: Int64) {
        var offers: [DeviceState.Pending] = []
        for (key, record) in state.former.sorted(by: { $0.key < $1.key }) {
            if let base = state.bases[key] {
                let joined = joined(base, record)
                if joined.holdsTheSame(as: base), joined.operation == base.operation { continue }
            }
            let operation = Operation(
                id: OperationID(client: state.client, counter: state.nextCounter), key: key,
                change: .restore(record), seenRevision: 0, time: record.time,
                schemaVersion: record.schemaVersion)
            state.nextCounter += 1
            offers.append(.init(operation: operation, madeAt: now))
        }
        state.outbox.insert(contentsOf: offers, at: 0)
        state.former = [:]
        state.isRecovering = false
    }
}
