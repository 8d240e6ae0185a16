package import Foundation
package import UserData

/// A device of an account, in the state after its last request.
///
/// A request that does not continue from this state is from a device that was restored from a backup, or from a copy of
/// the device.
package struct LedgerDevice: Sendable, Hashable {
    /// The device's name.
    package let client: ClientID
    /// The time of its last exchange, in milliseconds since 1970; 0 if only its answers are known.
    package var lastSeenAt: Int64 = 0
    /// True when the device was forgotten or replaced.
    package var isRetired = false
    /// The highest request number.
    package var requestNumber: UInt64 = 0
    /// The hash of that request; empty before the first.
    package var requestHash = Data()
    /// The highest `processedBefore`.
    package var processedBefore: UInt64 = 0
    /// The position of the last end of the log that the device sent.
    package var headPosition: UInt64 = 0
    /// The epoch of that end.
    package var headEpoch = ""
    /// The number of its last stored answer.
    package var lastAnswer: UInt64 = 0
    /// The digest of its stored answers; `nil` if it must be computed again.
    package var digest: SetDigest? = SetDigest()
    /// The number of results that the device has not processed, after the current request; for another device possibly
    /// 1 for any number, see `LedgerReadSet.listsDevices`.
    package var unreadResults = 0

    package init(client: ClientID) { self.client = client }

    /// True when the device itself has sent a request.
    package var wasSeen: Bool { lastSeenAt > 0 }
    /// True when the device has sent a request and is not retired.
    package var isInUse: Bool { wasSeen && !isRetired }
    /// True when the device is in use and has not processed all results of its operations.
    package var hasUnreadResults: Bool { isInUse && unreadResults > 0 }
}

// MARK: Requests

extension LedgerDevice {
    /// Returns true when a request continues from this state, or repeats the last request.
    ///
    /// After a restore of the server its own numbers are lower, which proves nothing; ends of logs are compared only
    /// within an epoch.
    package func isContinued(by request: ExchangeRequest, hash: Data, epoch: String) -> Bool {
        if isRetired || isClosed || request.number < requestNumber { return false }
        if request.number == requestNumber, !requestHash.isEmpty { return hash == requestHash }
        if let head = request.head, request.epoch == epoch, headEpoch == epoch,
            head.position < headPosition
        {
            return false
        }
        return request.processedBefore >= processedBefore
            && request.knownAnswers[request.client] >= lastAnswer
            && request.operations.allSatisfy { $0.id.counter >= processedBefore }
    }

    /// Makes sure that no later request continues from this state.
    package mutating func close() { requestNumber = Self.closed }

    /// True once the name was settled: who uses it must settle, too.
    private var isClosed: Bool { requestNumber == Self.closed }

    /// Above each number that a request can have.
    private static let closed: UInt64 = (1 << 53) + 1

    /// Stores the state of a request that continued.
    package mutating func note(_ request: ExchangeRequest, hash: Data, epoch: String) {
        requestNumber = request.number
        requestHash = hash
        if let head = request.head, request.epoch == epoch {
            headPosition = head.position
            headEpoch = epoch
        }
    }
}

// MARK: Results

extension LedgerDevice {
    /// Returns the number below which a request says that its device has processed all results.
    ///
    /// Settling drops no results, so each counts towards the limit.
    static func firstUnread(in request: ExchangeRequest) -> UInt64 {
        request.isCopied ? 0 : request.processedBefore
    }

    /// Notes which results a request says that the device has processed.
    ///
    /// - Parameters:
    ///   - request: A request that continued.
    ///   - count: The number of processed results that are still recognised.
    /// - Returns: The number below which results are dropped; 0 for none.
    mutating func process(_ request: ExchangeRequest, recognising count: UInt64) -> UInt64 {
        guard request.processedBefore > processedBefore else { return 0 }
        processedBefore = request.processedBefore
        return processedBefore > count ? processedBefore - count : 0
    }

    /// Returns the number of the next operation of one who processes each result at once.
    mutating func nextCounter() -> UInt64 {
        let counter = max(1, processedBefore)
        processedBefore = counter + 1
        return counter
    }
}

extension [LedgerDevice] {
    /// The devices by the time of their last exchange, the last one first.
    var lastUsedFirst: [LedgerDevice] {
        enumerated()
            .sorted { ($0.element.lastSeenAt, $0.offset) > ($1.element.lastSeenAt, $1.offset) }
            .map(\.element)
    }
}
