/// The state machine of a device's sync: events in, effects out; no clock, disk, network or chance.
///
/// The caller stores `state` in one transaction after each event, and only then carries out the
/// effects. Everything outside `state` may be lost at any moment.
///
/// ```swift
/// let favourites = CollectionDeclaration("favourites", .lastWriteWins)
/// var machine = DeviceMachine(
///     DeviceState(user: "ann", client: ClientID("phone"), declarations: [favourites]))
/// let key = RecordKey("favourites", "question-12")
/// let effects = machine.handle(
///     .wrote(key, .put(["marked": true])), now: 1_790_000_000_000)
/// print(effects == [.changed([key])], machine.state.waitingCount)
/// ```
package struct DeviceMachine: Sendable {
    /// An input of the machine: a past fact.
    package enum Event: Sendable, Hashable {
        /// Requests can be sent from now on; a request in flight is abandoned.
        case started
        /// Requests can no longer be sent; a request in flight is abandoned.
        case stopped
        /// The user changed a record, or added a step to a counter.
        case wrote(RecordKey, Write)
        /// The user made changes that are applied together: other devices see all of them or none.
        case wroteBatch([BatchedWrite])
        /// Answers were given on this device; the caller stores them in the state's transaction.
        case answered(count: Int)
        /// The user resolved a conflict; `shown` is its tag as displayed.
        ///
        /// Ignored when the conflict has changed since: the user must review it again.
        case resolved(RecordKey, RecordResolution, shown: String)
        /// The user dismissed a rejected change, which is discarded, or a notice.
        case dismissed(OperationID)
        /// The user or the app requested to send a rejected change again.
        case retried(OperationID)
        /// The user copies the data of another user of this device.
        case imported(DeviceState)
        /// The account with this state was moved into the present one; the state is that of
        /// `DeviceMachine.leave`.
        case joined(DeviceState)
        /// The store proved to be a copy of another device's, as on a new phone restored from a backup.
        ///
        /// The device resolves its pending changes, and gets a new identity.
        case copyFound
        /// There is no account, and this process writes under a name of its own from now on.
        case wroteAs(ClientID)
        /// The local user's data belongs to an account from now on, in which the store has this name.
        case entered(ClientID)
        /// The caller created a new identity, as the effect `renewIdentity` requested.
        case identified(ClientID)
        /// The caller named the branch of the remaining steps, as the effect `nameBranch` requested.
        case branched(ClientID)
        /// The caller compared the detached answers, as the effect `numberAnswers` requested; those that are not on the
        /// server have names and sequence numbers now.
        case numbered([NumberedAnswers])
        /// An account or a token could not be obtained; `jitter` is a random number from 0 to 1.
        ///
        /// No requests are sent until the backoff ends.
        case accessFailed(retryAfterMilliseconds: Int64?, jitter: Double)
        /// A sync was requested: pending waits end.
        case syncWanted
        /// The time of a `wake` effect has come.
        case timeCame
        /// The server replied.
        case replied(ExchangeResponse)
        /// A request failed; `jitter` is a random number from 0 to 1.
        case failed(number: UInt64, ExchangeFailure, jitter: Double)
        /// A new access token was obtained.
        case authorized
    }

    /// A run of answers that were detached, under its new name.
    package struct NumberedAnswers: Sendable, Hashable {
        /// The name and the sequence numbers.
        package var span: AnswerSpan
        /// The digest of the answers under that name and these numbers.
        package var digest: SetDigest

        /// Creates a run.
        package init(span: AnswerSpan, digest: SetDigest) {
            self.span = span
            self.digest = digest
        }
    }

    /// One of several changes that are applied together.
    package struct BatchedWrite: Sendable, Hashable {
        /// The record.
        package var key: RecordKey
        /// The change of the record.
        package var write: Write

        /// Creates a change of a batch.
        package init(_ key: RecordKey, _ write: Write) {
            self.key = key
            self.write = write
        }
    }

    /// A change as the user makes it.
    package enum Write: Sendable, Hashable {
        /// Sets the record to these fields, the whole record as its author sees it.
        ///
        /// Under `fieldMerge` only differing fields are sent; a known field that is missing here is sent as `null`.
        case put([String: FieldValue])
        /// Deletes the record.
        case delete
        /// Adds to a counter; a negative step subtracts.
        case count(field: String, by: Int64)
    }

    /// An output of the machine, to be carried out once the state is stored.
    package enum Effect: Sendable, Hashable {
        /// Send a request; its end is reported as an event.
        case send(ExchangeRequest)
        /// Report `timeCame` at this time, in milliseconds since 1970.
        case wake(at: Int64)
        /// Ensure that there is an account and a token, then report `started`.
        case prepare
        /// Get a new access token, then report `authorized`.
        case renewToken
        /// These records are shown differently now.
        case changed([RecordKey])
        /// Store these answers of the reply in the state's transaction; they are new.
        case storeAnswers([AnswerSpan])
        /// Create a new identity and report `identified`, in the same transaction.
        case renewIdentity
        /// Compute the name of a branch that begins with this operation, and report it with `branched`, in the same
        /// transaction.
        case nameBranch(ChangeOperation)
        /// Remove the sequence numbers of these answers, in the same transaction.
        case detachAnswers(AnswerSpan)
        /// Delete the detached answers that duplicate numbered ones, number the others under names derived from their
        /// content, and report the runs with `numbered`, in the same transaction.
        case numberAnswers
    }

    /// The maximum number of operations in one request.
    package static let operationsMax = 500
    /// The maximum number of changes in one batch.
    package static let batchedWritesMax = 100
    /// The maximum size of the operations in one request as JSON, in bytes; a single group may
    /// exceed it.
    package static let operationBytesMax = 1024 * 1024
    /// The maximum number of answers in one request.
    package static let answersMax = 10_000
    /// The maximum backoff after failures, in milliseconds: 15 minutes.
    package static let waitMillisecondsMax: Int64 = 15 * 60 * 1000
    /// The maximum wait that a server may request, in milliseconds: one day.
    package static let askedWaitMillisecondsMax: Int64 = 24 * 60 * 60 * 1000

    /// The state that the caller must store.
    package var state: DeviceState
    /// The records whose base changed since `takeChangedBases`; the caller rewrites their rows.
    var changedBases: Set<RecordKey> = []
    /// The request in flight, if any.
    package internal(set) var inFlight: ExchangeRequest?
    var isStarted = false
    var failureCount = 0
    var waitsForToken = false
    /// The time before which no request is sent, in milliseconds since 1970; `nil` without a wait.
    package internal(set) var waitsUntil: Int64?
    /// The number of times that the bounds of a request were halved because one was too long.
    var halvings = 0
    /// The operations about which a copied store has already queried the server.
    var asked: Set<OperationID> = []
    /// The branch whose steps are being resolved; `nil` for those of the former name.
    var branch: StepBranch?
    /// The results of the resolved operations, by their names in the outbox.
    package internal(set) var settled: [OperationID: OperationResult] = [:]
    /// The number of recoveries since the digests of device and server last agreed.
    var recoveryCount = 0
    /// The number of repairs of answers since the digests of device and server last agreed.
    var repairCount = 0

    /// A number of this process, which distinguishes its times from those of a copy of the store.
    let salt: UInt16

    /// Resumes from a stored state.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - salt: A random number of the process, for times that its wall clock cannot distinguish.
    package init(_ state: DeviceState, salt: UInt16 = 0) {
        self.state = state
        self.salt = salt
    }

    /// Handles an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - now: The wall clock in milliseconds since 1970; it may jump.
    /// - Returns: The effects to carry out once the state is stored.
    package mutating func handle(_ event: Event, now: Int64) -> [Effect] {
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
            waitsUntil = nil
            return []
        case .syncWanted:
            waitsUntil = nil
            return isStarted ? exchange(isWanted: true) : [.prepare]
        case .accessFailed(let retryAfter, let jitter):
            return accessFailed(retryAfter, jitter, now)
        case .wrote(let key, let write): return wrote(key, write, group: nil, now)
        case .wroteBatch(let changes): return wroteBatch(changes, now)
        case .answered(let count):
            addOwnAnswers(count)
            return exchange(isWanted: count > 0)
        case .dismissed(let id): return dismissed(id)
        case .resolved(let key, let resolution, let shown):
            return resolved(key, resolution, shown: shown, now)
        case .retried(let id): return retried(id, now)
        case .imported(let other): return imported(other, now)
        case .joined(let other): return joined(other)
        // Without an account each process has a name of its own, and the store has none that a copy could use.
        case .copyFound: return state.isLocal ? [] : askForKnownOperations()
        case .wroteAs(let writer): return wroteAs(writer)
        case .entered(let client): return entered(client)
        case .identified(let client): return identified(client, now)
        case .branched(let name): return branched(name)
        case .numbered(let runs): return numbered(runs)
        case .timeCame:
            guard isWaitOver(now) else { return [] }
            waitsUntil = nil
            return isStarted ? exchange(isWanted: true) : [.prepare]
        case .authorized:
            waitsForToken = false
            return exchange(isWanted: true)
        case .replied(let response): return replied(response, now)
        case .failed(let number, let failure, let jitter):
            return failed(number, failure, jitter, now)
        }
    }

    /// Replaces the state by the one that another process of this device stored.
    package mutating func reload(_ state: DeviceState) { self.state = state }

    /// Returns and resets the set of records whose base changed since the last call.
    package mutating func takeChangedBases() -> Set<RecordKey> {
        defer { changedBases = [] }
        return changedBases
    }
}
