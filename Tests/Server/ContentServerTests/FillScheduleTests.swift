import TestSupport
import Testing

@testable import ContentServer
@testable import ServerApplication

@Suite struct FillScheduleTests {
    private static func stamps() throws -> (ServedFileStamp, ServedFileStamp) {
        let folder = try TemporaryFolder()
        try folder.write("a", to: "one")
        try folder.write("ab", to: "two")
        return (
            try #require(ServedFileStamp(path: folder.path + "/one")),
            try #require(ServedFileStamp(path: folder.path + "/two"))
        )
    }

    @Test func eachManifestIsFilledOnce() throws {
        let (one, two) = try Self.stamps()
        var schedule = FillSchedule()
        let isOpen = schedule.secondPassed()
        #expect(isOpen && schedule.isDue(one, release: 0))
        schedule.filled(from: one, release: 1)
        #expect(!schedule.isDue(one, release: 1))
        // Another process went on.
        #expect(!schedule.isDue(one, release: 2))
        #expect(schedule.isDue(two, release: 1))
    }

    @Test func aDatabaseThatWentBackIsFilledAgain() throws {
        let (one, _) = try Self.stamps()
        var schedule = FillSchedule()
        schedule.filled(from: one, release: 5)
        #expect(schedule.isDue(one, release: 4))
    }

    @Test func pausesAfterFailuresGrowAndEnd() throws {
        let (one, _) = try Self.stamps()
        var schedule = FillSchedule()
        var pauses: [Int] = []
        for _ in 0..<9 {
            schedule.failed()
            var seconds = 1
            while !schedule.secondPassed() { seconds += 1 }
            pauses.append(seconds)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60])
        schedule.filled(from: one, release: 1)
        schedule.failed()
        let isOpen = schedule.secondPassed()
        #expect(isOpen)
    }
}
