import Foundation
import UserData

/// What the server remembers of a device, to recognise a request that does not continue from it: of a
/// device that was restored from a backup, or of a copy of it.
struct DeviceTrail: Equatable {
    /// The greatest number of a request.
    var requestNumber: UInt64 = 0
    /// The hash of that request; empty when there was none yet.
    var requestHash = Data()
    /// The greatest `settledBefore`.
    var settledBefore: UInt64 = 0
    /// The last end of the log that the device named, and the epoch that it belongs to.
    var headPosition: UInt64 = 0
    var headEpoch = ""
    /// The number of its last answer here.
    var lastAnswer: UInt64 = 0
    /// True when the device was forgotten, or went for another one.
    var isRetired = false

    /// True when a request goes on from here, or repeats the last one.
    ///
    /// After a restore of the server its own numbers are lower, which is no sign of anything; ends of
    /// logs are compared within an epoch only.
    func isContinued(by request: ExchangeRequest, hash: Data, epoch: String) -> Bool {
        if isRetired || request.number < requestNumber { return false }
        if request.number == requestNumber, !requestHash.isEmpty { return hash == requestHash }
        if let head = request.head, request.epoch == epoch, headEpoch == epoch,
            head.position < headPosition
        {
            return false
        }
        return request.settledBefore >= settledBefore
            && request.answersHeld[request.client] >= lastAnswer
            && request.operations.allSatisfy { $0.id.counter >= settledBefore }
    }

    /// Notes a request that continued.
    mutating func note(_ request: ExchangeRequest, hash: Data, epoch: String) {
        requestNumber = request.number
        requestHash = hash
        if let head = request.head, request.epoch == epoch {
            headPosition = head.position
            headEpoch = epoch
        }
    }
}
