import Testing

@testable import WebTransfer

/// Events in, effects out; no network and no tasks.
@Suite struct ReplyMachineTests {
    private typealias Machine = ReplyMachine<String, String>

    private let head = TransferHead(status: 200, headers: [:])
    private let half = [UInt8](repeating: 1, count: TransferLimits.bufferBytesMax / 2 + 1)

    @Test func aReaderThatCameFirstGetsTheHeadWhenItArrives() {
        var machine = Machine(bodyBytesMax: 10)
        #expect(machine.headWanted(by: "a").head == nil)
        let effects = machine.headArrived(head)
        #expect(effects.head?.reader == "a")
        #expect(effects.head?.result == .success(head))
        // Once is enough.
        #expect(machine.headArrived(head).head == nil)
    }

    @Test func whoIsCancelledBeforeItWaitsIsTold() {
        var machine = Machine(bodyBytesMax: 10)
        #expect(machine.cancelled(.cancelled).stops)
        #expect(machine.headWanted(by: "a").head?.result == .failure(.cancelled))
        #expect(machine.bodyWanted(by: "b").body?.result == .failure(.cancelled))
        // What arrives after it is for nobody.
        #expect(machine.headArrived(head).head == nil)
        #expect(machine.bodyArrived([1], mayOverfill: false).0 == .refused)
        #expect(!machine.cancelled(.cancelled).stops)
    }

    @Test func whoIsCancelledWhileItWaitsIsToldOnce() {
        var machine = Machine(bodyBytesMax: 10)
        _ = machine.headArrived(head)
        _ = machine.bodyWanted(by: "b")
        let effects = machine.cancelled(.cancelled)
        #expect(effects.stops && effects.body?.reader == "b")
        #expect(effects.body?.result == .failure(.cancelled))
        #expect(machine.ended(.success(())).body == nil)
    }

    @Test func theSenderWaitsWhileTheBufferIsFull() {
        var machine = Machine(bodyBytesMax: .max)
        _ = machine.headArrived(head)
        #expect(machine.bodyArrived(half, mayOverfill: false).0 == .accepted)
        #expect(machine.bodyArrived(half, mayOverfill: false).0 == .full)
        #expect(machine.isPaused)
        // Room is made, and the same bytes come again.
        let effects = machine.bodyWanted(by: "a")
        #expect(effects.resumes && effects.body?.result == .success(half))
        #expect(!machine.isPaused)
        #expect(machine.bodyArrived(half, mayOverfill: false).0 == .accepted)
    }

    /// A sender that cannot offer its bytes again is told to wait, and they count.
    @Test func bytesThatCannotComeAgainAreTaken() {
        var machine = Machine(bodyBytesMax: .max)
        _ = machine.headArrived(head)
        _ = machine.bodyArrived(half, mayOverfill: true)
        #expect(machine.bodyArrived(half, mayOverfill: true).0 == .full)
        #expect(machine.bodyWanted(by: "a").body?.result == .success(half))
        #expect(machine.bodyWanted(by: "a").body?.result == .success(half))
        #expect(!machine.isPaused)
    }

    @Test func aBodyIsBounded() {
        var machine = Machine(bodyBytesMax: 3)
        _ = machine.headArrived(head)
        #expect(machine.bodyArrived([1, 2, 3], mayOverfill: false).0 == .accepted)
        let (receipt, effects) = machine.bodyArrived([4], mayOverfill: false)
        #expect(receipt == .refused && effects.stops)
        #expect(machine.bodyWanted(by: "a").body?.result == .failure(.tooLong(3)))
    }

    @Test func anEndWithoutAHeadIsAFailure() {
        var machine = Machine(bodyBytesMax: 3)
        _ = machine.headWanted(by: "a")
        guard case .failure(let error)? = machine.ended(.success(())).head?.result else {
            Issue.record("the reader still waits")
            return
        }
        #expect(error.code == .offline)
    }

    @Test func whatArrivedBeforeTheEndIsReadAfterIt() {
        var machine = Machine(bodyBytesMax: 3)
        _ = machine.headArrived(head)
        _ = machine.bodyArrived([1], mayOverfill: false)
        _ = machine.ended(.success(()))
        #expect(machine.bodyWanted(by: "a").body?.result == .success([1]))
        #expect(machine.bodyWanted(by: "a").body?.result == .success(nil))
    }
}
