import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Accounts

/// The guard that keeps a wrong clock from deleting what is old.
@Suite struct UpkeepClockTests {
    private static let hour: Int64 = 3_600_000
    private static let day = 24 * hour
    private static let start: Int64 = 1_790_000_000_000

    /// A process with a clock that jumps and an uptime that does not.
    private final class Machine: Sendable {
        let file: URL
        private let uptime = Mutex(Duration.zero)
        private let wall = Mutex(start)

        init(_ file: URL) { self.file = file }

        func started() -> UpkeepClock {
            UpkeepClock(file: file) { [self] in uptime.withLock { $0 } }
        }

        var now: Int64 { wall.withLock { $0 } }
        func jump(_ milliseconds: Int64) { wall.withLock { $0 += milliseconds } }
        func pass(_ milliseconds: Int64) {
            jump(milliseconds)
            uptime.withLock { $0 += .milliseconds(milliseconds) }
        }
    }

    private let folder: TemporaryFolder
    private let machine: Machine

    init() throws {
        folder = try TemporaryFolder()
        machine = Machine(folder.url.appending(path: "upkeep-clock"))
    }

    @Test func hourAfterHourIsAdmitted() {
        let clock = machine.started()
        for _ in 0..<100 {
            #expect(clock.admits(now: machine.now))
            machine.pass(Self.hour)
        }
        #expect(clock.daysAhead == nil)
    }

    @Test func aClockThatIsYearsAheadDeletesNothing() {
        #expect(machine.started().admits(now: machine.now))
        machine.jump(800 * Self.day)
        // Neither now nor after restarts.
        for _ in 0..<3 {
            let clock = machine.started()
            for _ in 0..<5 {
                #expect(!clock.admits(now: machine.now))
                machine.pass(Self.hour)
            }
            #expect(clock.daysAhead == 800)
        }
        machine.jump(-800 * Self.day)
        #expect(machine.started().admits(now: machine.now))
    }

    @Test func aJumpWhileItRunsIsOneToo() {
        let clock = machine.started()
        #expect(clock.admits(now: machine.now))
        machine.pass(Self.hour)
        machine.jump(40 * Self.day)
        #expect(!clock.admits(now: machine.now))
        machine.jump(-40 * Self.day)
        #expect(clock.admits(now: machine.now))
        #expect(clock.daysAhead == nil)
    }

    @Test func aServerThatWasOffForAMonthGoesOnAfterADay() {
        #expect(machine.started().admits(now: machine.now))
        machine.jump(30 * Self.day)
        let clock = machine.started()
        for _ in 0..<24 {
            #expect(!clock.admits(now: machine.now))
            machine.pass(Self.hour)
        }
        #expect(clock.admits(now: machine.now))
        #expect(clock.daysAhead == nil)
        machine.pass(Self.hour)
        #expect(machine.started().admits(now: machine.now))
    }

    @Test func aSecondJumpBeginsTheDayAnew() {
        #expect(machine.started().admits(now: machine.now))
        machine.jump(30 * Self.day)
        let clock = machine.started()
        #expect(!clock.admits(now: machine.now))
        machine.pass(23 * Self.hour)
        machine.jump(300 * Self.day)
        #expect(!clock.admits(now: machine.now))
        machine.pass(2 * Self.hour)
        #expect(!clock.admits(now: machine.now))
    }

    @Test func aClockThatWasBehindIsAdmitted() {
        let clock = machine.started()
        #expect(clock.admits(now: machine.now))
        machine.jump(-400 * Self.day)
        #expect(clock.admits(now: machine.now))
        // Then it is right again, which looks like a jump ahead.
        machine.jump(400 * Self.day)
        #expect(!clock.admits(now: machine.now))
    }
}
