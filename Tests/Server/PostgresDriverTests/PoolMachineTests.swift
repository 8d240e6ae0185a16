import TestSupport
import Testing

@testable import PostgresDriver

/// The pool's decisions, without a clock and without a connection.
@Suite struct PoolMachineTests {
    private let start = ContinuousClock.now
    private var later: ContinuousClock.Instant { start + .seconds(5) }

    private func machine(_ connections: Int = 1, waiters: Int = 2) -> PoolMachine {
        PoolMachine(connectionsMax: connections, waitersMax: waiters)
    }

    @Test func connectionsAreOpenedUpToTheLimitAndThenCallersWait() {
        var pool = machine(2)
        #expect(pool.requested(1, until: later, now: start) == [.connect(1)])
        #expect(pool.requested(2, until: later, now: start) == [.connect(2)])
        #expect(pool.requested(3, until: later, now: start) == [.wakeAt(later)])
        pool.connected(11)
        pool.connected(12)
        #expect(pool.returned(12, isUsable: true, now: start) == [.use(3, 12)])
        #expect(pool.returned(11, isUsable: true, now: start) == [])
        #expect(pool.requested(4, until: later, now: start) == [.use(4, 11)])
    }

    @Test func callersAreServedInTheOrderOfArrival() {
        var pool = machine(1, waiters: 3)
        _ = pool.requested(1, until: later, now: start)
        pool.connected(11)
        for waiter in 2...4 { _ = pool.requested(waiter, until: later, now: start) }
        for waiter in 2...4 {
            #expect(pool.returned(11, isUsable: true, now: start) == [.use(waiter, 11)])
        }
    }

    @Test func oneTooManyIsRefusedAtOnce() {
        var pool = machine(1, waiters: 1)
        _ = pool.requested(1, until: later, now: start)
        _ = pool.requested(2, until: later, now: start)
        #expect(pool.requested(3, until: later, now: start) == [.refuse(3, .busy)])
    }

    @Test func whoeverWaitedTooLongIsRefused() {
        var pool = machine()
        _ = pool.requested(1, until: later, now: start)
        #expect(pool.requested(2, until: later, now: start) == [.wakeAt(later)])
        let last = later + .seconds(1)
        #expect(pool.requested(3, until: last, now: start) == [])
        #expect(pool.woke(now: later) == [.refuse(2, .overdue), .wakeAt(last)])
        #expect(pool.woke(now: last) == [.refuse(3, .overdue)])
        #expect(pool.requested(4, until: last, now: last) == [.refuse(4, .overdue)])
    }

    @Test func aBrokenConnectionIsReplacedByWhoeverWaits() {
        var pool = machine()
        _ = pool.requested(1, until: later, now: start)
        pool.connected(11)
        _ = pool.requested(2, until: later, now: start)
        #expect(pool.returned(11, isUsable: false, now: start) == [.close(11), .connect(2)])
        #expect(pool.openCount == 1)
    }

    @Test func aFailureToConnectLetsTheNextOneTry() {
        var pool = machine()
        _ = pool.requested(1, until: later, now: start)
        _ = pool.requested(2, until: later, now: start)
        #expect(pool.connectFailed(tooMany: false, now: start) == [.connect(2)])
        #expect(pool.connectFailed(tooMany: false, now: start) == [])
        #expect(pool.openCount == 0)
    }

    @Test func afterTooManyConnectionsCallersWaitForThoseThatAreOpen() {
        var pool = machine(2)
        _ = pool.requested(1, until: later, now: start)
        pool.connected(11)
        #expect(pool.requested(2, until: later, now: start) == [.connect(2)])
        #expect(pool.connectFailed(tooMany: true, now: start) == [])
        let end = start + PoolMachine.pause
        #expect(pool.requested(2, until: later, first: true, now: start) == [.wakeAt(end)])
        #expect(pool.requested(3, until: later, now: start) == [])
        #expect(pool.returned(11, isUsable: true, now: start) == [.use(2, 11)])
        #expect(pool.woke(now: end) == [.connect(3)])
    }

    @Test func aCancelledCallerLeavesTheQueue() {
        var pool = machine()
        _ = pool.requested(1, until: later, now: start)
        pool.connected(11)
        _ = pool.requested(2, until: later, now: start)
        #expect(pool.cancelled(2) == [.refuse(2, .cancelled)])
        #expect(pool.cancelled(2) == [])
        #expect(pool.returned(11, isUsable: true, now: start) == [])
    }

    @Test func aClosedPoolRefusesAndWaitsForTheLastUse() {
        var pool = machine(3)
        for waiter in 1...3 { _ = pool.requested(waiter, until: later, now: start) }
        pool.connected(11)
        pool.connected(12)
        _ = pool.requested(4, until: later, now: start)
        #expect(pool.returned(12, isUsable: true, now: start) == [.use(4, 12)])
        #expect(pool.connectFailed(tooMany: false, now: start) == [])
        #expect(pool.returned(12, isUsable: true, now: start) == [])
        #expect(pool.closed() == [.close(12)])
        #expect(pool.requested(5, until: later, now: start) == [.refuse(5, .closed)])
        #expect(pool.returned(11, isUsable: true, now: start) == [.close(11), .allClosed])
        #expect(pool.closed() == [.allClosed])
    }

    /// Random events: never more connections than the limit, nobody served twice, nobody forgotten.
    @Test(arguments: 1...20) func noCallerIsForgotten(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var pool = machine(3, waiters: 5)
        var now = start
        var asked: Set<Int> = []
        var answered: Set<Int> = []
        var using: [Int] = []
        var connecting = 0
        var number = 0
        func follow(_ actions: [PoolMachine.Action]) {
            for action in actions {
                switch action {
                case .use(let waiter, let connection):
                    #expect(answered.insert(waiter).inserted, "seed \(seed)")
                    using.append(connection)
                case .connect(let waiter):
                    #expect(answered.insert(waiter).inserted, "seed \(seed)")
                    connecting += 1
                case .refuse(let waiter, _):
                    #expect(answered.insert(waiter).inserted, "seed \(seed)")
                case .close, .wakeAt, .allClosed: break
                }
            }
        }
        for _ in 0..<400 {
            number += 1
            now += .milliseconds(Int.random(in: 0...300, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                asked.insert(number)
                follow(pool.requested(number, until: now + .seconds(1), now: now))
            case 2 where connecting > 0:
                connecting -= 1
                using.append(1_000 + number)
                pool.connected(1_000 + number)
            case 3 where connecting > 0:
                connecting -= 1
                follow(pool.connectFailed(tooMany: Bool.random(using: &random), now: now))
            case 4 where !using.isEmpty:
                let connection = using.remove(at: Int.random(in: 0..<using.count, using: &random))
                follow(pool.returned(connection, isUsable: Bool.random(using: &random), now: now))
            default: follow(pool.woke(now: now))
            }
            #expect(pool.openCount <= 3, "seed \(seed)")
            #expect(pool.waitingCount <= 5, "seed \(seed)")
            #expect(asked.subtracting(answered).count == pool.waitingCount, "seed \(seed)")
        }
        follow(pool.closed())
        #expect(asked == answered, "seed \(seed)")
    }
}
