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
        case wroteBatch([BatchedWrite])
        /// So many answers were given on this device, and are kept with the state.
        case answered(count: Int)
        /// The user resolved a conflict that looked as `shown` says, the tag of the conflict.
        ///
        /// Nothing happens when it looks different by now: the user has to look again.
        case settled(RecordKey, Settlement, shown: String)
        /// The user has seen a change that the server does not take, and gives it up; or has seen a
        /// notice.
        case dismissed(OperationID)
        /// The user, or the app, wants a refused change to be sent once more.
        case retried(OperationID)
        /// The user takes along what another user of this device had.
        case brought(DeviceState)
        /// The store turned out to be a copy of another device's, as on a new phone from the backup of an
        /// old one: the device takes a new identity once what waits was sent.
        case copyFound
        /// The device has a new identity, as `renewIdentity` asked.
        case identified(ClientID)
        /// So many of the detached answers are not on the server and are numbered now, as
        /// `numberAnswers` asked.
        case numbered(count: Int)
        /// An account or a token, which requests need, could not be had; `jitter` is a random number
        /// from 0 to 1. No requests can be sent until the wait is over.
        case accessFailed(retryAfterMilliseconds: Int64?, jitter: Double)
        /// Somebody asks for a sync now: waits are over.
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
    public struct BatchedWrite: Sendable, Hashable {
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
        /// Sets the record to these fields, as the author sees it whole.
        ///
        /// Of a `fieldMerge` collection only those that differ are sent; a field that was there and
        /// that the author knows, and is not among these, is sent as `null`.
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
        /// Make sure of an account, then say `started`.
        case prepare
        /// Get a new access token, then say `authorized`.
        case renewToken
        /// These records look different now.
        case changed([RecordKey])
        /// These answers of the reply are new; they are kept in the state's transaction.
        case keepAnswers([AnswerSpan])
        /// Make a new name for the device and say `identified`, in the same transaction.
        case renewIdentity
        /// Take the numbers from these own answers, in the same transaction.
        case detachAnswers(AnswerSpan)
        /// Drop the detached answers that are among the numbered ones, and say how many are left by
        /// `numbered`, in the same transaction.
        case numberAnswers
    }

    /// The most operations in one request.
    public static let operationsMax = 500
    /// The most changes that belong together.
    public static let togetherMax = 100
    /// The most bytes of operations in one request, as JSON; one group may be more.
    public static let operationBytesMax = 1024 * 1024
    /// The most answers in one request.
    public static let answersMax = 10_000
    /// The longest wait after failures, in milliseconds.
    public static let waitMillisecondsMax: Int64 = 15 * 60 * 1000
    /// The longest wait that a server may ask for, in milliseconds.
    public static let askedWaitMillisecondsMax: Int64 = 24 * 60 * 60 * 1000

    /// What must be kept.
    public package(set) var state: DeviceState
    /// The records whose base changed since `takeTouched`; whoever keeps the state rewrites these.
    var touched: Set<RecordKey> = []
    /// The request that is on its way.
    package internal(set) var inFlight: ExchangeRequest?
    var isStarted = false
    var failureCount = 0
    var waitsForToken = false
    /// The time before which nothing is sent, in milliseconds since 1970.
    package internal(set) var waitsUntil: Int64?
    /// How often the bounds of a request were halved because one was too long.
    var halvings = 0
    /// The operations of which a copied store has asked whether the server knows them.
    var asked: Set<OperationID> = []
    /// How often the log was read anew since device and server last agreed.
    var recoveryCount = 0

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
            takeOwnAnswers(count)
            return exchange(isWanted: count > 0)
        case .dismissed(let id): return dismissed(id)
        case .settled(let key, let settlement, let shown):
            return settled(key, settlement, shown: shown, now)
        case .retried(let id): return retried(id, now)
        case .brought(let other): return brought(other, now)
        case .copyFound:
            state.isRenamedWhenSent = true
            return exchange(isWanted: true)
        case .identified(let client): return identified(client, now)
        case .numbered(let count): return numbered(count)
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

    /// Goes on from what another process kept.
    public mutating func reload(_ state: DeviceState) { self.state = state }

    /// The records whose base changed since this was asked last.
    public mutating func takeTouched() -> Set<RecordKey> {
        defer { touched = [] }
        return touched
    }
}
