import Foundation
import Synchronization
import TestSupport
import Testing

@testable import OfflineStorage

/// The number of calls that run, and the largest so far.
private final class RunningCalls: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func begin() {
        counts.withLock { counts in
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
    }

    func end() { counts.withLock { $0.now -= 1 } }
}

/// The small parts of which the opening of a store is made.
@Suite struct OpeningPartsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    // MARK: OrphanedLog

    @Test func aLogWithoutItsDatabaseGetsANameOfItsOwn() throws {
        try folder.write([1, 2, 3], to: "user.sqlite-wal")
        try folder.write([4], to: "user.sqlite-shm")
        try OrphanedLog.rename(besides: folder.url.appending(path: "user.sqlite"))
        let names = try names()
        #expect(names.count == 1 && names[0].hasPrefix("user.sqlite-wal."))
        let bytes = try Data(contentsOf: folder.url.appending(path: names[0]))
        #expect(bytes == Data([1, 2, 3]))
    }

    @Test(arguments: [true, false])
    func aLogWithItsDatabaseAndAnEmptyOneStay(hasDatabase: Bool) throws {
        try folder.write(hasDatabase ? [1] : [], to: "user.sqlite-wal")
        if hasDatabase { try folder.write([1], to: "user.sqlite") }
        let before = try names()
        try OrphanedLog.rename(besides: folder.url.appending(path: "user.sqlite"))
        #expect(try names() == before)
    }

    // MARK: ContentFiles

    @Test func theNewestDatabaseHasTheHighestNumber() throws {
        let files = ContentFiles(folder: folder.url)
        #expect(files.newest.lastPathComponent == "content.sqlite")
        for name in ["content.sqlite", "content.9.sqlite", "content.10.sqlite", "content.x.sqlite"]
        {
            try folder.write([1], to: name)
        }
        #expect(files.newest.lastPathComponent == "content.10.sqlite")
    }

    @Test func aRebuiltDatabaseReplacesADamagedOneOnce() throws {
        let files = ContentFiles(folder: folder.url)
        try folder.write([1], to: "content.sqlite")
        let isReplaced = files.replacementCheck(of: files.newest)
        #expect(!isReplaced())
        let damaged = files.newest
        for byte in [UInt8(2), 3] {
            let new = files.unfinished()
            try Data([byte]).write(to: new)
            // The second process to finish is too late.
            try files.adopt(new, after: damaged)
            try FileManager.default.removeItem(at: new)
        }
        #expect(isReplaced())
        #expect(files.newest.lastPathComponent == "content.2.sqlite")
        #expect(try Data(contentsOf: files.newest) == Data([2]))
        // The damaged one stays for inspection until the next rebuild.
        #expect(try names() == ["content.2.sqlite", "content.sqlite"])
        let third = files.unfinished()
        try Data([4]).write(to: third)
        try files.adopt(third, after: files.newest)
        try FileManager.default.removeItem(at: third)
        #expect(try names() == ["content.2.sqlite", "content.3.sqlite"])
    }

    @Test func unfinishedRebuildsGoAfterAnHour() throws {
        let files = ContentFiles(folder: folder.url)
        try folder.write([1], to: "content.new-old")
        try folder.write([1], to: "content.new-young")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -7200)],
            ofItemAtPath: folder.path + "/content.new-old")
        files.removeUnfinished()
        #expect(try names() == ["content.new-young"])
    }

    // MARK: RepairFlag

    @Test func theFlagOutlivesTheProcessUntilItIsLowered() throws {
        let flag = RepairFlag(folder: folder.url)
        #expect(!flag.isRaised)
        flag.raise()
        #expect(RepairFlag(folder: folder.url).isRaised)
        flag.lower()
        #expect(!flag.isRaised && !RepairFlag(folder: folder.url).isRaised)
    }

    @Test func damageAfterARebuildNeedsAnotherOne() throws {
        let database = folder.url.appending(path: "content.2.sqlite")
        let flag = RepairFlag(folder: folder.url)
        flag.raise()
        #expect(!flag.isRebuilt(database))
        flag.noteRebuilt(database)
        #expect(flag.isRaised && flag.isRebuilt(database))
        #expect(!flag.isRebuilt(folder.url.appending(path: "content.sqlite")))
        flag.raise()
        #expect(flag.isRaised && !flag.isRebuilt(database))
    }

    @Test func withoutAFolderTheProcessRemembers() {
        let flag = RepairFlag(folder: folder.url.appending(path: "missing"))
        flag.raise()
        #expect(flag.isRaised)
    }

    // MARK: PrivateFiles

    @Test func aNewFileIsPrivateAndAnExistingOneIsLeftAlone() throws {
        let file = folder.url.appending(path: "secret")
        PrivateFiles.create(file)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        try Data([7]).write(to: file)
        PrivateFiles.create(file)
        #expect(try Data(contentsOf: file) == Data([7]))
        #expect(try names() == ["secret"])
    }

    // MARK: FileIdentity

    @Test func aFileIsTheSameUnderAnotherNameAndAnotherUnderTheSame() throws {
        let (one, two) = (folder.url.appending(path: "one"), folder.url.appending(path: "two"))
        try Data([1]).write(to: one)
        let identity = FileIdentity(one)
        try FileManager.default.moveItem(at: one, to: two)
        #expect(FileIdentity(one) == nil && FileIdentity(two) == identity)
        try Data([1]).write(to: one)
        #expect(FileIdentity(one) != identity)
    }

    // MARK: StoreThreads

    @Test func resultsAndErrorsComeBackAndFewCallsRunAtOnce() async throws {
        let running = RunningCalls()
        try await withThrowingTaskGroup { group in
            for number in 0..<32 {
                group.addTask {
                    let result = try await StoreThreads.run {
                        running.begin()
                        defer { running.end() }
                        return number * 2
                    }
                    #expect(result == number * 2)
                }
            }
            try await group.waitForAll()
        }
        #expect(running.most <= StoreThreads.callsMax)
        await #expect(throws: StoreError.self) {
            try await StoreThreads.run { throw StoreError(.storage, "full") }
        }
    }

    @Test func aCancelledCallEndsAsAWhole() async throws {
        let store = try UserStore.inMemory()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await StoreThreads.run { try store.put(Favourite(bank: "es"), id: "q") }
        }
        try await task.value
        #expect(try store.records(Favourite.self).map(\.id) == ["q"])
    }

    // MARK: Listeners

    @Test func everyListenerGetsWhatIsSentFromThenOn() async {
        let listeners = Listeners<Int>()
        listeners.send(0)
        var first = listeners.stream().makeAsyncIterator()
        listeners.send(1)
        var second = listeners.stream().makeAsyncIterator()
        listeners.send(2)
        #expect(await first.next() == 1)
        #expect(await first.next() == 2)
        #expect(await second.next() == 2)
    }

    @Test func aSlowListenerHasTheNewestAndTheEndEndsIt() async {
        var listeners: Listeners<Int>? = Listeners<Int>()
        let stream = listeners?.stream()
        for number in 0..<300 { listeners?.send(number) }
        listeners = nil
        var received: [Int] = []
        if let stream { for await number in stream { received.append(number) } }
        #expect(received == Array(44..<300))
    }
}
