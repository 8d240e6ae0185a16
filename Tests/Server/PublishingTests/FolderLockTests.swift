import Foundation
import TestSupport
import Testing

@testable import Publishing

@Suite struct FolderLockTests {
    private let path: String
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/lock"
    }

    @Test func aLockIsHeldByOneAtATime() throws {
        let lock = try FolderLock(path)
        let error = #expect(throws: PublishingError.self) { _ = try FolderLock(path) }
        #expect(error?.code == .busy)
        withExtendedLifetime(lock) {}
    }

    #if os(Linux)
    /// A process that forks has each file open twice until the child runs its own program.
    @Test func aReleasedLockIsFreeWhileACopyOfItsFileIsOpen() throws {
        var lock: FolderLock? = try FolderLock(path)
        let copies = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            .compactMap { Int32($0) }
            .filter {
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/self/fd/\($0)")
                return target == path
            }
            .map { dup($0) }
        defer { copies.forEach { _ = close($0) } }
        #expect(copies.count == 1)
        withExtendedLifetime(lock) {}
        lock = nil
        _ = try FolderLock(path)
    }
    #endif

    /// What stands in the place of the index is a cache, whatever it is.
    @Test(.timeLimit(.minutes(1))) func aPipeInThePlaceOfTheIndexIsNotWaitedFor() throws {
        let library = try Library()
        try library.publish()
        let index = library.release + "/" + ReleaseIndex.path
        try FileManager.default.removeItem(atPath: index)
        #expect(mkfifo(index, 0o600) == 0)
        let summary = try library.publish()
        #expect(!summary.isNew && summary.unitsBuilt == summary.unitsTotal)
        #expect(try library.publish().unitsBuilt == 0)
        try library.expectWhole()
    }
}
