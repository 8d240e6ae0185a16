import Foundation
import Testing
import UserData

@testable import Ledger

/// The signs by which a request continues from a device's last one.
@Suite struct LedgerDeviceTests {
    private static let client = ClientID("d")
    private let device: LedgerDevice

    init() {
        var device = LedgerDevice(client: Self.client)
        device.processedBefore = 5
        device.lastAnswer = 9
        device.note(Self.request(7), hash: Data([7]), epoch: "e")
        self.device = device
    }

    private static func request(
        _ number: UInt64, epoch: String = "e", position: UInt64? = 30, processedBefore: UInt64 = 5,
        known: UInt64 = 9, operation: UInt64? = nil
    ) -> ExchangeRequest {
        ExchangeRequest(
            number: number, user: "u", client: client, epoch: epoch, cursor: 0,
            head: position.map { LogHead(position: $0, mark: "m") },
            operations: operation.map {
                [
                    ChangeOperation(
                        id: OperationID(client: client, counter: $0), key: RecordKey("a", "b"),
                        change: .delete, seenRevision: 0, time: .zero)
                ]
            } ?? [],
            processedBefore: processedBefore, knownAnswers: AnswerVector([client: known]))
    }

    private func isContinued(_ request: ExchangeRequest, hash: UInt8 = 8) -> Bool {
        device.isContinued(by: request, hash: Data([hash]), epoch: "e")
    }

    @Test func theNextRequestAndTheLastOneOnceMoreContinue() {
        #expect(isContinued(Self.request(8, position: 31, operation: 5)))
        #expect(isContinued(Self.request(7), hash: 7))
        #expect(!isContinued(Self.request(7)), "the same number for something else")
        #expect(!isContinued(Self.request(6), hash: 7))
    }

    @Test func whatADeviceForgotGivesItAway() {
        #expect(!isContinued(Self.request(8, position: 29)))
        #expect(!isContinued(Self.request(8, processedBefore: 4)))
        #expect(!isContinued(Self.request(8, known: 8)))
        #expect(!isContinued(Self.request(8, operation: 4)))
    }

    /// After a restore of the server, or without an end of the log, positions say nothing.
    @Test func positionsAreComparedWithinAnEpoch() {
        #expect(isContinued(Self.request(8, epoch: "former", position: 1)))
        #expect(isContinued(Self.request(8, position: nil)))
        #expect(device.isContinued(by: Self.request(8, position: 1), hash: Data(), epoch: "later"))
        var other = device
        other.note(Self.request(8, epoch: "former", position: 99), hash: Data(), epoch: "e")
        #expect(other.headPosition == 30 && other.requestNumber == 8)
    }

    @Test func aRetiredDeviceDoesNotContinue() {
        var retired = LedgerDevice(client: Self.client)
        #expect(retired.isContinued(by: Self.request(1), hash: Data(), epoch: "e"))
        retired.isRetired = true
        #expect(!retired.isContinued(by: Self.request(1), hash: Data(), epoch: "e"))
    }
}
