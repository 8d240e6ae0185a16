import NIOCore
import Testing

@testable import RedisDriver

/// The order of replies and the bounds of what waits, without a clock.
@Suite struct RedisPipelineTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private func make(_ set: (inout RedisLimits) -> Void = { _ in }) -> RedisPipeline<Int> {
        var limits = RedisLimits()
        set(&limits)
        return RedisPipeline(limits, now: start)
    }

    @Test func repliesBelongToTheOldestCommand() throws {
        var pipeline = make()
        for number in 0..<5_000 {
            let isAdmitted = [number, -number].map { pipeline.admit($0, bytes: 1, now: start) }
            #expect(isAdmitted == [true, true])
            let waiter = try pipeline.replyArrived(now: start)
            #expect(waiter == (number % 2 == 0 ? number / 2 : -(number / 2)))
        }
        #expect(pipeline.count == 5_000)
        let rest = pipeline.connectionLost()
        #expect(rest.count == 5_000 && rest.first == 2_500 && rest.last == -4_999)
        #expect(throws: RedisError.self) { _ = try pipeline.replyArrived(now: start) }
    }

    @Test func tooManyCommandsOrBytesAreNotAdmitted() throws {
        var few = make { $0.inFlightMax = 2 }
        #expect((1...3).map { few.admit($0, bytes: 1, now: start) } == [true, true, false])
        _ = try few.replyArrived(now: start)
        let isAdmitted = few.admit(3, bytes: 1, now: start)
        #expect(isAdmitted)
        var small = make { $0.inFlightBytesMax = 10 }
        #expect([6, 5].map { small.admit(1, bytes: $0, now: start) } == [true, false])
        _ = try small.replyArrived(now: start)
        let fits = small.admit(2, bytes: 10, now: start)
        #expect(fits)
    }

    @Test func whoWaitedTooLongIsToldAndTheirReplyIsDropped() throws {
        var pipeline = make()
        _ = pipeline.admit(1, bytes: 1, now: start)
        _ = pipeline.admit(2, bytes: 1, now: start + .milliseconds(500))
        #expect(pipeline.timePassed(now: start + .milliseconds(999)).overdue == [])
        #expect(pipeline.timePassed(now: start + .milliseconds(1_000)).overdue == [1])
        #expect(pipeline.timePassed(now: start + .milliseconds(1_001)).overdue == [])
        #expect(try pipeline.replyArrived(now: start + .milliseconds(1_100)) == nil)
        #expect(try pipeline.replyArrived(now: start + .milliseconds(1_200)) == 2)
    }

    @Test func aSilentConnectionIsClosedOnlyWhileSomebodyWaits() throws {
        var pipeline = make()
        #expect(!pipeline.timePassed(now: start + .seconds(60)).isSilent)
        _ = pipeline.admit(1, bytes: 1, now: start + .seconds(60))
        #expect(!pipeline.timePassed(now: start + .seconds(64)).isSilent)
        #expect(pipeline.timePassed(now: start + .seconds(65)).isSilent)
    }

    @Test func theBackoffIsThatOfItsTable() {
        let most = (1...9).map { RedisBackoff.delay(after: $0, chance: 1) / .milliseconds(1) }
        #expect(most == [50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
        #expect(RedisBackoff.delay(after: 1, chance: 0) == .milliseconds(25))
        #expect(RedisBackoff.delay(after: 1_000, chance: 0) == .milliseconds(2_500))
    }
}
