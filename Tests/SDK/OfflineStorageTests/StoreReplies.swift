import Foundation
import OfflineStorage
import ServiceAPI
import Synchronization
import Testing
import UserData

/// Names of devices, one after the other: `d1`, `d2` and so on.
final class DeviceNames: Sendable {
    private let count = Mutex(0)

    func next() -> String {
        count.withLock { count in
            count += 1
            return "d\(count)"
        }
    }
}

extension UserStore {
    /// Lets the store ask, and hands it the reply of a server.
    @discardableResult
    func exchange(
        now: Date, received: [AnswerColumns] = [],
        _ reply: (ExchangeRequest) -> ExchangeResponse
    ) throws -> [DeviceMachine.Effect] {
        _ = try handle(.stopped, now: now)
        _ = try handle(.started, now: now)
        return try replyToPending(now: now, received: received, reply)
    }

    /// Hands the store the reply to the request that is in flight.
    @discardableResult
    func replyToPending(
        now: Date, received: [AnswerColumns] = [],
        _ reply: (ExchangeRequest) -> ExchangeResponse
    ) throws -> [DeviceMachine.Effect] {
        let request = try #require(requestInFlight)
        return try handle(
            .replied(reply(request)), now: now, extras: Extras(received: received))
    }

    /// Lets a server decide each pending change in the same way; its answers are all accepted.
    func sync(now: Date, _ result: (ChangeOperation) -> OperationResult) throws {
        let digest = try state().answerDigests.values.joined
        try exchange(now: now) { request in
            var known = request.knownAnswers
            for span in request.answers { known.add(span) }
            var response = ExchangeResponse(
                number: request.number, epoch: "e",
                results: Dictionary(
                    request.operations.map { ($0.id, result($0)) }, uniquingKeysWith: { $1 }),
                cursor: UInt64(request.operations.count), knownAnswers: known)
            response.answersDigest = digest
            response.isDeviceStale = request.isCopied
            return response
        }
    }

    /// Lets a server accept each pending change and answer.
    func syncAll(now: Date) throws {
        try sync(now: now) { .accepted(UserRecord(accepting: $0)) }
    }
}

extension UserRecord {
    /// The record as a server has it after a change that sets all of its fields.
    init(accepting operation: ChangeOperation) {
        self.init(
            key: operation.key, revision: operation.id.counter, operation: operation.id,
            time: operation.time)
        guard case .put(let values) = operation.change else {
            isDeleted = true
            return
        }
        fields = values.mapValues {
            Field(
                value: $0, time: operation.time, revision: operation.id.counter,
                writer: operation.id)
        }
    }
}
