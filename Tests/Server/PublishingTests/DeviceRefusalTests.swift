import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// What every device would refuse or leave out is an error of `check`, with its place, and never goes
/// live.
@Suite struct DeviceRefusalTests {
    private let library: Library

    init() throws {
        library = try Library(["es"])
        try library.publish()
    }

    /// The errors of `check`, which must be those of `publish`, and the release must stay as it was.
    private func errors() throws -> [Problem] {
        let before = try library.folder.read("release/manifest.json")
        let problems = try ContentChecker.check(folder: library.content).filter {
            $0.rule.severity == .error
        }
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.code == .contentErrors)
        #expect(error?.problems == problems)
        #expect(throws: PublishingError.self) {
            try Publisher(folder: library.content, releaseDirectory: library.release).status()
        }
        #expect(try library.folder.read("release/manifest.json") == before)
        return problems
    }

    private func write(_ text: String, to path: String) throws {
        try library.folder.write(text, to: "content/" + path)
    }

    // MARK: Sizes

    /// Each file is below the limit; a device reads them as one document.
    @Test func anExamOfSeveralFilesThatTogetherAreTooLargeIsNamed() throws {
        let text = String(repeating: "x", count: 16_000)
        for (file, count) in [("a", 300), ("b", 290)] {
            let questions = (0..<count).map { number in
                """
                {"id": "\(file)\(number)", "type": "single-choice", "domain": "net", \
                "difficulty": 1, "stem": "Question \(file)\(number)?", "correct": [0], \
                "options": [{"id": "a", "text": "b"}, {"id": "b", "text": "c"}], \
                "explanation": "\(text)"}
                """
            }
            try write(
                "[\(questions.joined(separator: ",\n"))]",
                to: "exams/int/demo/questions-\(file).json")
        }
        let found = try errors()
        #expect(found.map(\.rule) == [.limitExceeded])
        #expect(found.map(\.file) == ["exams/int/demo/questions-a.json"])
        #expect(found.first?.message.contains("at most 8388608") == true)
    }

    @Test func announcementsThatTogetherAreTooLargeAreNamed() throws {
        for year in [2001, 2002] {
            let text = String(repeating: "x", count: 5_000_000)
            try write(
                """
                { identifier: \(year), type: information, start: "\(year)-01-01T00:00:00Z",
                  end: "\(year + 1)-01-01T00:00:00Z", texts: { en: { title: T, content: \(text) } } }
                """, to: "announcements/\(year).yaml")
        }
        let found = try errors()
        #expect(found.map(\.rule) == [.limitExceeded])
        #expect(found.first?.file.hasPrefix("announcements/200") == true)
    }

    @Test func aPathThatIsTooLongIsNamed() throws {
        let folders = Array(repeating: String(repeating: "x", count: 100), count: 5)
        let path = "assets/" + folders.joined(separator: "/") + "/a.bin"
        try write("long", to: path)
        let found = try errors()
        #expect(found.map(\.rule) == [.limitExceeded])
        #expect(found.map(\.file) == [path])
    }

    /// A name that fits into a file system, but not with what a release adds to it.
    @Test func aNameThatIsTooLongIsNamed() throws {
        let longest = String(repeating: "y", count: NameRules.nameBytesMax - 5) + ".json"
        try write("{\"a\": \"\(String(repeating: "b", count: 2_000))\"}", to: "assets/" + longest)
        try library.publish()
        try library.expectWhole()
        try write("{\"a\": \"\(String(repeating: "c", count: 2_000))\"}", to: "assets/" + longest)
        try library.publish()
        try library.expectWhole()
        try write("{}", to: "assets/y" + longest)
        #expect(try errors().map(\.rule) == [.limitExceeded])
    }

    @Test func aManifestThatIsTooLargeIsRefused() {
        let bytes = [UInt8](repeating: 0x20, count: ContentLimits.manifestBytesMax + 1)
        let found = DeviceCheck.problems(ofManifest: bytes)
        #expect(found.map(\.rule) == [.limitExceeded])
        #expect(found.map(\.file) == ["underway.yaml"])
        let part = Array("{\"schemaVersion\": 2, \"release\": 1, \"languages\": {}}".utf8)
        let limit = ContentLimits.manifestBytesMax
        #expect(DeviceCheck.problems(ofManifest: part, wholeCount: limit).isEmpty)
        #expect(DeviceCheck.problems(ofManifest: part, wholeCount: limit + 1) == found)
    }

    /// A backstop: no other rule lets it come so far.
    @Test func anEntryThatADeviceLeavesOutIsNamed() throws {
        let manifest = """
            {"schemaVersion": 2, "release": 1, "languages": {"es": {"blueprint": {"checksum": "x"}}},
             "assets": {"a": {"checksum": "y"}}}
            """
        let found = DeviceCheck.problems(ofManifest: Array(manifest.utf8))
        #expect(Set(found.map(\.file)) == ["languages/es", "assets/a"])
        #expect(DeviceCheck.problems(ofManifest: Array(manifest.utf8), refusedOnly: true).isEmpty)
    }

    // MARK: Values

    @Test(arguments: [
        "ftp://example.org/content", "example.org/content", "/content", "content", "",
        "https://", "https://exam ple.org", "https://user@example.org", "HTTPS://example.org",
        "https://example.org/a b", "https://example.org/?a=b", "https://example.org/#a",
        "https://example.org\\n", "https://exämple.org",
    ])
    func aStrangeContentBaseURLIsNamed(address: String) throws {
        try write("name: Test\ncontentBaseUrl: \"\(address)\"\n", to: "underway.yaml")
        let found = try errors()
        #expect(found.map(\.rule) == [.invalidValue])
        #expect(found.map(\.summary).first?.hasPrefix("underway.yaml:2:17: error:") == true)
    }

    @Test(arguments: [
        "https://example.org", "https://example.org/", "http://127.0.0.1:8080/api/content/v2",
        "https://[::1]:8443/a/b%20c/~d", "https://cdn-1.example.org/content/v2",
    ])
    func anAddressThatDevicesUseIsPublished(address: String) throws {
        try write("name: Test\ncontentBaseUrl: \"\(address)\"\n", to: "underway.yaml")
        try library.publish()
        #expect(try library.manifest.contentBaseURL == address)
        #expect(ReleaseReader.isUsable(contentBaseURL: address, from: "http://localhost"))
    }

    @Test(
        arguments: [
            ("minimumAppVersion: '2.10', maximumAppVersion: '2.9'", "no app sees it"),
            ("minimumAppVersion: two", "minimumAppVersion"),
            ("maximumAppVersion: 2..1", "maximumAppVersion"),
            ("version: 2", "version"),
        ])
    func anAnnouncementThatNobodySeesIsNamed(fields: String, reason: String) throws {
        try write(
            """
            { identifier: 1, type: information, texts: { en: { title: T, content: C } },
              \(fields) }
            """, to: "announcements/a.yaml")
        let found = try errors()
        #expect(found.map(\.rule) == [.invalidValue])
        #expect(found.first?.file == "announcements/a.yaml" && found.first?.position.line == 2)
        #expect(found.first?.message.contains(reason) == true)
    }

    @Test func wordsInOneLanguageTwiceAreNamed() throws {
        try write(
            """
            identifier: 1
            type: information
            texts:
              en: { title: T, content: C }
              EN: { title: T, content: C }
            """, to: "announcements/a.yaml")
        let found = try errors()
        #expect(found.map(\.rule) == [.invalidValue])
        #expect(found.first?.position == SourcePosition(line: 5, column: 3))
    }

    /// JSON cannot write it, so a device could not read it.
    @Test func anInfiniteNumberIsNamed() throws {
        try write(
            "title: E\ndomains: [{ id: net, title: N, weight: 1e999 }]\n",
            to: "exams/int/demo/exam.yaml")
        let found = try errors()
        #expect(found.map(\.rule) == [.syntax])
        #expect(found.first?.position == SourcePosition(line: 2, column: 40))
    }

    // MARK: The reader

    /// Whatever the rules of authors let pass, the reader of devices has the last word.
    @Test func aDocumentThatADeviceDoesNotTakeIsNamedAtItsSource() throws {
        let source = SourceFile(
            path: "languages/es/blueprint.yaml",
            stamp: FileStamp(size: 1, modified: 1, inode: 1))
        let unit = ContentUnit(step: .blueprints, name: "es", sources: [source])
        let bytes = Array("{\"kind\": \"placement\", \"id\": \"de\", \"title\": \"T\"}".utf8)
        let file = BuiltFile(
            path: "blueprints/es.json", checksum: Checksum(of: bytes), size: bytes.count,
            bytes: .made(bytes))
        let found = DeviceCheck.problems(
            of: BuiltUnit(fragment: [], files: [file], problems: []), unit)
        #expect(found.map(\.rule) == [.missingField])
        #expect(found.map(\.file) == ["languages/es/blueprint.yaml"])
        #expect(found.first?.message.hasPrefix("a device does not take blueprints/es.json") == true)
    }

    @Test func anAnnouncementThatADeviceLeavesOutIsNamedAtItsSource() throws {
        let sources = ["announcements/a.yaml", "announcements/b.yaml"].map {
            SourceFile(path: $0, stamp: FileStamp(size: 1, modified: 1, inode: 1))
        }
        let unit = ContentUnit(step: .announcements, name: "", sources: sources)
        let bytes = Array(
            """
            {"announcements": [{"identifier": 1, "type": "information", "texts": {}},
             {"identifier": 2, "type": "survey", "texts": {}}]}
            """.utf8)
        let file = BuiltFile(
            path: "announcements.json", checksum: Checksum(of: bytes), size: bytes.count,
            bytes: .made(bytes))
        let found = DeviceCheck.problems(
            of: BuiltUnit(fragment: [], files: [file], problems: []), unit)
        #expect(found.map(\.file) == ["announcements/b.yaml"])
    }

    @Test func whatDidNotChangeIsNotReadAgain() throws {
        try library.folder.writeBlueprint("es", key: 1)
        let publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        var run = try PublishRun(publisher, directory: ReleaseDirectory(root: library.release))
        try run.build(writes: false, generatedAt: "")
        #expect(run.content.unreadUnits.map(\.key) == ["blueprints/es"])
        #expect(run.content.summary.unitsBuilt == 1)
    }

    /// An index of an earlier version says nothing of whether a device could read the documents.
    @Test func theFirstPublishOfThisVersionReadsEverything() throws {
        let index = try library.folder.read("release/.underway/index")
        let header = ReleaseIndex.header
        #expect(String(decoding: index.prefix(header.count), as: UTF8.self) == "underway-index 6\n")
        try library.folder.write(
            Array("underway-index 5\n".utf8) + index.dropFirst(header.count),
            to: "release/.underway/index")
        let summary = try library.publish()
        #expect(summary.unitsBuilt == summary.unitsTotal && !summary.isNew)
    }
}
