package import Foundation
package import UserData

/// The server's record of a device, to recognise a request that does not continue from it: of a
/// device that was restored from a backup, or of a copy of it.
package struct RequestHistory: Sendable, Hashable {
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
    /// The number of its last answer here.
    package var lastAnswer: UInt64 = 0
    /// True when the device was forgotten, or went for another one.
    package var isRetired = false

    package init() {}

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
