import ContentModel
import Foundation
import ServiceAPI
import TestSupport
import Testing

@testable import Publishing

@Suite struct FolderWatcherTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("1", to: "root/a/one.txt")
    }

    @Test func everyKindOfChangeIsSeen() async throws {
        let watcher = try FolderWatcher(root: folder.path + "/root")
        var changes = watcher.changes.makeAsyncIterator()
        try folder.write("2", to: "root/a/one.txt")
        #expect(await changes.next() != nil)
        try folder.write("new", to: "root/a/two.txt")
        #expect(await changes.next() != nil)
        try FileManager.default.moveItem(
            atPath: folder.path + "/root/a/two.txt", toPath: folder.path + "/root/three.txt")
        #expect(await changes.next() != nil)
        try folder.remove("root/three.txt")
        #expect(await changes.next() != nil)
    }

    @Test func aNewFolderIsWatchedToo() async throws {
        let watcher = try FolderWatcher(root: folder.path + "/root")
        var changes = watcher.changes.makeAsyncIterator()
        try folder.write("x", to: "root/b/c/d.txt")
        #expect(await changes.next() != nil)
        try folder.write("elsewhere", to: "e/f/g.txt")
        try FileManager.default.moveItem(
            atPath: folder.path + "/e", toPath: folder.path + "/root/e")
        #expect(await changes.next() != nil)
        try folder.write("y", to: "root/e/f/g.txt")
        #expect(await changes.next() != nil)
    }

    @Test func theEndOfTheFolderIsTheEndOfItsChanges() async throws {
        let watcher = try FolderWatcher(root: folder.path + "/root")
        var changes = watcher.changes.makeAsyncIterator()
        // What an editor keeps for itself is no change; the end is.
        try folder.write("swap", to: "root/a/.one.txt.swp")
        try FileManager.default.moveItem(
            atPath: folder.path + "/root", toPath: folder.path + "/gone")
        #expect(await changes.next() == nil)
    }

    @Test func whatIsNoFolderCannotBeWatched() {
        #expect(throws: PublishingError.self) {
            try FolderWatcher(root: folder.path + "/root/a/one.txt")
        }
        #expect(throws: PublishingError.self) { try FolderWatcher(root: folder.path + "/none") }
    }

    @Test func eventsOfTheKernelAreTakenApart() {
        func bytes(_ watch: Int32, _ mask: UInt32, _ name: String) -> [UInt8] {
            let padded = name.isEmpty ? [] : Array(name.utf8) + [0, 0, 0]
            return [UInt32(bitPattern: watch), mask, 0, UInt32(padded.count)].flatMap { number in
                withUnsafeBytes(of: number) { Array($0) }
            } + padded
        }
        let all = bytes(1, 8, "a.txt") + bytes(-1, 0x4000, "") + bytes(2, 0x100, "größe")
        let expected = [
            InotifyEvent(watch: 1, mask: 8, name: "a.txt"),
            InotifyEvent(watch: -1, mask: 0x4000, name: ""),
            InotifyEvent(watch: 2, mask: 0x100, name: "größe"),
        ]
        #expect(InotifyEvent.all(in: all[...]) == expected)
        for count in 0..<all.count {
            #expect(expected.starts(with: InotifyEvent.all(in: all.prefix(count))))
        }
    }
}

@Suite struct DevelopmentLoopTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.writeContent()
        try folder.write(
            "name: Test\ncontentBaseUrl: https://example.org/content\n", to: "content/underway.yaml"
        )
    }

    private func loop() throws -> DevelopmentLoop {
        try DevelopmentLoop(
            folder: folder.path + "/content", releaseDirectory: folder.path + "/dev"
        ) {
            (1_800_000_000, "2027-01-15T08:00:00Z")
        }
    }

    @Test func aSaveIsPublishedAndAnErrorKeepsWhatWasGood() async throws {
        let loop = try loop()
        let (outcomes, continuation) = AsyncStream.makeStream(of: DevelopmentOutcome.self)
        let running = Task { await loop.run { continuation.yield($0) } }
        var events = outcomes.makeAsyncIterator()
        #expect(await events.next()?.event == .release(1))
        try folder.write("{\"link\": \"https://example.org/2\"}", to: "content/assets/links.json")
        let saved = await events.next()
        #expect(saved?.event == .release(2) && saved?.changed == ["assets/links.json"])
        try folder.write("{\"link\": ", to: "content/assets/links.json")
        guard case .problems(let problems)? = await events.next()?.event else {
            Issue.record("the error was not found")
            return
        }
        #expect(problems.map(\.rule) == [.syntax] && problems[0].file == "assets/links.json")
        #expect(try folder.text("dev/assets/links.json").contains("example.org/2"))
        try folder.write("{\"link\": \"https://example.org/3\"}", to: "content/assets/links.json")
        #expect(await events.next()?.event == .release(3))
        running.cancel()
        await running.value
    }

    @Test func aDevelopmentReleaseNamesNoOtherHost() async throws {
        _ = try await loop().publish()
        #expect(try !folder.text("dev/manifest.json").contains("contentBaseUrl"))
    }

    @Test func anEditOfTheReleaseIsOverwritten() async throws {
        let loop = try loop()
        _ = await loop.publish()
        try folder.write("by hand", to: "dev/assets/links.json")
        #expect(await loop.publish().event == .release(1))
        #expect(try folder.text("dev/assets/links.json").contains("example.org"))
    }

    @Test func aReleaseForUsersIsLeftAlone() throws {
        _ = try Publisher(folder: folder.path + "/content", releaseDirectory: folder.path + "/dev")
            .publish(nowSeconds: 1_800_000_000, generatedAt: "2027-01-15T08:00:00Z")
        let error = #expect(throws: PublishingError.self) { try loop() }
        #expect(error?.code == .invalidRequest)
        try folder.remove("dev")
        _ = try loop()
        _ = try loop()
    }

    @Test func whatCannotBeWrittenIsAFailureAndNoEnd() async throws {
        let loop = try loop()
        try folder.remove("dev")
        try folder.write("in the way", to: "dev")
        guard case .failure(let text) = await loop.publish().event else {
            Issue.record("it was published into a file")
            return
        }
        #expect(text.contains("dev"))
        try folder.remove("dev")
        #expect(await loop.publish().event == .release(1))
        #expect(!folder.exists("dev/manifest.json.gz"))
    }

    @Test func aFolderWithoutContentIsRefused() throws {
        #expect(throws: PublishingError.self) {
            try DevelopmentLoop(
                folder: folder.path + "/content/assets", releaseDirectory: folder.path + "/dev"
            ) {
                (0, "")
            }
        }
    }
}
