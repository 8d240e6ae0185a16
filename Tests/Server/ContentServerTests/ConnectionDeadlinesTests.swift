import NIOCore
import NIOEmbedded
import Testing

@testable import ContentServer

/// Times and bytes in, verdicts out; no clock.
@Suite struct ConnectionDeadlinesTests {
    private var deadlines = ConnectionDeadlines(ConnectionLimits(), now: .uptimeNanoseconds(0))

    private func at(_ seconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(0) + .seconds(seconds)
    }

    private mutating func verdict(
        _ seconds: Int64, sent: Int = 0, buffered: Int = 0
    ) -> ConnectionDeadlines.Verdict {
        deadlines.verdict(now: at(seconds), sent: sent, buffered: buffered)
    }

    @Test mutating func aConnectionThatSaysNothingHasTheTimeOfAHead() {
        #expect(verdict(9) == .inTime)
        #expect(verdict(10) == .slowHead)
    }

    @Test mutating func bytesOfAHeadBuyNoTime() {
        for second in 1...9 { deadlines.bytesArrived(now: at(Int64(second))) }
        #expect(verdict(10) == .slowHead)
    }

    @Test mutating func theNextHeadHasItsTimeFromItsFirstByte() {
        deadlines.headArrived(now: at(1))
        deadlines.requestEnded(now: at(1))
        deadlines.replyEnded(now: at(2))
        #expect(verdict(60) == .inTime)
        deadlines.bytesArrived(now: at(70))
        #expect(verdict(79) == .inTime)
        #expect(verdict(80) == .slowHead)
    }

    @Test mutating func anIdleConnectionEndsOnlyWhenNoReplyIsOwed() {
        deadlines.headArrived(now: at(0))
        deadlines.requestEnded(now: at(0))
        #expect(verdict(1_000) == .inTime)
        deadlines.replyEnded(now: at(1_000))
        #expect(verdict(1_074) == .inTime)
        #expect(verdict(1_075) == .idle)
    }

    @Test mutating func aCrowdedServerWaitsLessForTheNextRequest() {
        deadlines.headArrived(now: at(0))
        deadlines.requestEnded(now: at(0))
        deadlines.replyEnded(now: at(1))
        var crowded = deadlines
        #expect(crowded.verdict(now: at(5), sent: 0, buffered: 0, isCrowded: true) == .inTime)
        #expect(crowded.verdict(now: at(6), sent: 0, buffered: 0, isCrowded: true) == .idle)
        #expect(verdict(6) == .inTime)
    }

    @Test mutating func aBodyKeepsTheLeastRateInEachWindow() {
        deadlines.headArrived(now: at(0))
        deadlines.bodyArrived(30_000)
        #expect(verdict(30) == .inTime)
        // What came fast at first does not make up for what is slow now.
        deadlines.bodyArrived(29_000)
        #expect(verdict(60) == .slowBody)
    }

    @Test mutating func aReplyMustBeRead() {
        deadlines.headArrived(now: at(0))
        deadlines.requestEnded(now: at(0))
        #expect(verdict(1, sent: 0, buffered: 90_000) == .inTime)
        #expect(verdict(31, sent: 30_000, buffered: 60_000) == .inTime)
        #expect(verdict(61, sent: 31_000, buffered: 59_000) == .slowReader)
    }

    @Test mutating func aReplyThatIsReadStartsAnew() {
        #expect(verdict(1, sent: 0, buffered: 10) == .inTime)
        #expect(verdict(2, sent: 10, buffered: 0) == .inTime)
        #expect(verdict(9, sent: 10, buffered: 10) == .inTime)
        #expect(verdict(38, sent: 10, buffered: 10) == .inTime)
    }

    @Test func theHandlerClosesTheConnection() throws {
        let channel = EmbeddedChannel()
        let limits = ConnectionLimits()
        let watch = ConnectionWatch(limits, loop: channel.eventLoop)
        try channel.pipeline.syncOperations.addHandler(ConnectionGuard(watch, tick: limits.tick))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        for _ in 0..<9 {
            try channel.writeInbound(ByteBuffer(string: "G"))
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        }
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(4))
        #expect(!channel.isActive)
    }
}
