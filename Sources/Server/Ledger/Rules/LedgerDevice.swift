package import Foundation
package import UserData

/// A device of an account, as its last request left it.
///
/// A request that does not continue from what is recorded here is one of a device that was restored from a backup, or of
/// a copy of it.
package struct LedgerDevice: Sendable, Hashable {
    /// The device's name.
    package let client: ClientID
    /// The time of its last exchange, in milliseconds since 1970; 0 for one of which only answers are
    /// known.
    package var lastSeenAt: Int64 = 0
    /// True when the device was forgotten, or went for another one.
    package var isRetired = false
    /// The greatest number of a request.
    package var requestNumber: UInt64 = 0
    /// The hash of that request; empty when there was none yet.
    package var requestHash = Data()
    /// The greatest `processedBefore`.
    package var processedBefore: UInt64 = 0
    /// The position of the last end of the log that the device named.
    package var headPosition: UInt64 = 0
    /// The epoch that this end belongs to.
    package var headEpoch = ""
    /// The number of its last stored answer.
    package var lastAnswer: UInt64 = 0
    /// The digest of its stored answers; `nil` where it must be computed anew.
    package var digest: SetDigest? = SetDigest()
    /// The number of its results that it has not processed, also by what the request says that is opened for; of a device
    /// that does not ask perhaps 1 for any, see `LedgerReadSet.listsDevices`.
    package var unreadResults = 0

    package init(client: ClientID) { self.client = client }

    /// True when the device itself was here.
    package var wasSeen: Bool { lastSeenAt > 0 }
    /// True when the device was here and is not retired.
    package var isInUse: Bool { wasSeen && !isRetired }
    /// True when it is in use and has not processed all results of its operations.
    package var hasUnreadResults: Bool { isInUse && unreadResults > 0 }
}

// MARK: Requests

extension LedgerDevice {
    /// Returns true when a request goes on from here, or repeats the last one.
    ///
    /// After a restore of the server its own numbers are lower, which is no sign of anything; ends of
    /// logs are compared within an epoch only.
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

    /// Makes every later request one that does not go on from here.
    package mutating func close() { requestNumber = Self.closed }

    /// True once the name was settled: who uses it must settle, too.
    private var isClosed: Bool { requestNumber == Self.closed }

    /// Above each number that a request can have.
    private static let closed: UInt64 = (1 << 53) + 1

    /// Notes a request that continued.
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
