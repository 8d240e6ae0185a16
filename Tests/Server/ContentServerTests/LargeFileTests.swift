import ContentModel
import Foundation
import HTTPTypes
import Publishing
import ServerTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ContentServer

/// Files that do not fit into memory, and what is logged of files that are not served.
@Suite struct LargeFileTests {
    /// Keeps what is logged.
    private final class Lines: Sendable {
        let kept = Mutex<[String]>([])
        var all: [String] { kept.withLock { $0 } }

        var log: RefusalLog {
            RefusalLog { [self] _, _, reason in kept.withLock { $0.append(reason) } }
        }
    }

    private static let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    private static let path = "/api/content/v2/assets/large.bin"

    private let folder: TemporaryFolder
    private let router: InProcessRouter
    private let lines = Lines()
    private let files: ReleaseFiles
    private let large = LargeFiles(now: { .max })

    init() throws {
        folder = try TemporaryFolder()
        try folder.writeContent(["es"])
        try folder.write(Self.large, to: "content/assets/large.bin")
        _ = try Publisher(
            folder: folder.path + "/content", releaseDirectory: folder.path + "/release"
        )
        .publish(nowSeconds: 1_900_000_000, generatedAt: "t")
        router = InProcessRouter(release: folder.path + "/release")
        files = ReleaseFiles(
            root: folder.path + "/release", refusals: lines.log, largeFiles: large)
    }

    private var object: String { "objects/\(hex.prefix(2))/\(hex)" }
    private var hex: String { Checksum(of: Self.large).hex }

    /// Changes the file without giving it another name or, if wanted, another time of modification.
    private func edit(_ body: (FileHandle) throws -> Void) throws {
        let path = folder.path + "/release/" + object
        let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try body(handle)
        try handle.close()
        try FileManager.default.setAttributes(
            [.modificationDate: try #require(date)], ofItemAtPath: path)
    }

    @Test(arguments: ["changed", "shorter", "longer"], [false, true])
    func aDamagedLargeFileIsNotServed(damage: String, wasServed: Bool) async throws {
        if wasServed { #expect(try await router.get(Self.path).body == Self.large) }
        try edit { handle in
            switch damage {
            case "changed": try handle.write(contentsOf: [1, 2, 3])
            case "shorter": try handle.truncate(atOffset: 2_000_000)
            default: try handle.truncate(atOffset: 3_000_001)
            }
        }
        for path in [Self.path, "/api/content/v2/" + object] {
            let answer = try await router.get(path, [.range: "bytes=2000000-2000009"])
            #expect(answer.status == .internalServerError)
            #expect(answer.headers[.contentType] == "application/problem+json")
            #expect(answer.headers[.cacheControl] == "no-store")
        }
    }

    @Test func aLargeFileIsReadOnceForEachOfItsStates() async throws {
        for path in [object, "assets/large.bin", object] {
            #expect(try await files.load(path)?.plain.size == Self.large.count)
        }
        #expect(large.readings == 1)
        try edit { try $0.write(contentsOf: [1, 2, 3]) }
        for _ in 0..<3 {
            await #expect(throws: ServeError.self) { try await files.load(object) }
        }
        #expect(large.readings == 2)
        try edit { try $0.write(contentsOf: Self.large[..<3]) }
        #expect(try await files.load(object)?.plain.entityTag == "\"sha256:\(hex)\"")
        #expect(large.readings == 3)
    }

    @Test func requestsAtOnceWaitForOneReading() async throws {
        let sizes = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 { group.addTask { try await files.load(object)?.plain.size } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(sizes == [Self.large.count])
        #expect(large.readings == 1)
    }

    /// The clock of a file system is coarse.
    @Test func whatHasJustChangedIsReadOnceMore() async throws {
        let path = folder.path + "/release/" + object
        let stamp = try #require(ServedFileStamp(path: path))
        let files = LargeFiles(now: { stamp.changed + 49_000_000 })
        for _ in 0..<2 { #expect(try await files.checksum(of: path, stamp).hex == hex) }
        #expect(files.readings == 2)
    }

    @Test func aDamagedFileIsLoggedOnceForEachOfItsStates() async throws {
        try edit { try $0.write(contentsOf: [1, 2, 3]) }
        for expected in 1...2 {
            for path in [object, "assets/large.bin", object] {
                let error = await #expect(throws: ServeError.self) { try await files.load(path) }
                files.refusals.note(try #require(error))
            }
            #expect(lines.all.count == expected)
            try edit { try $0.write(contentsOf: [4, 5, 6]) }
        }
        #expect(lines.all.allSatisfy { $0.contains(object) && $0.contains("is damaged") })
    }

    @Test func aCompressedFileThatIsLeftOutIsLoggedOnce() async throws {
        let names = ["manifest.json.gz", "blueprints/es.json.br"]
        let checksum = try Manifest(folder.read("release/manifest.json"))
            .languages["es"]?.blueprint?.checksum
        let hex = try #require(checksum?.hex)
        let sibling = "objects/\(hex.prefix(2))/\(hex).br"
        for name in names + [sibling] {
            try folder.remove("release/" + name)
            try folder.write("damaged", to: "release/" + name)
        }
        for _ in 0..<2 {
            let manifest = try await files.load("manifest.json")
            #expect(manifest?.representations.map(\.coding) == [.brotli, .identity])
            let file = try await files.load("blueprints/es.json")
            #expect(file?.representations.map(\.coding) == [.gzip, .identity])
            _ = try await files.load("objects/\(hex.prefix(2))/\(hex)")
        }
        #expect(lines.all.count == 2)
        #expect(lines.all.first?.contains("manifest.json.gz") == true)
        #expect(lines.all.last?.contains(sibling) == true)
    }

    /// A bank of questions of more than a mebibyte, as the router answers.
    private static let text = (0..<60_000).map { "question number \($0 &* 7919)\n" }.joined()

    private func publishText() throws -> String {
        try folder.write(Self.text, to: "content/assets/large.txt")
        _ = try Publisher(
            folder: folder.path + "/content", releaseDirectory: folder.path + "/release"
        )
        .publish(nowSeconds: 1_900_000_010, generatedAt: "t")
        let hex = Checksum(of: Array(Self.text.utf8)).hex
        return "objects/\(hex.prefix(2))/\(hex)"
    }

    @Test func aLargeTextIsServedCompressed() async throws {
        let object = try publishText()
        for (coding, ending) in [("gzip", ".gz"), ("br", ".br")] {
            let packed = try folder.read("release/" + object + ending)
            for path in [object, "assets/large.txt"] {
                let answer = try await router.get(
                    "/api/content/v2/" + path, [.acceptEncoding: coding])
                #expect(answer.headers[.contentEncoding] == coding)
                #expect(answer.headers[.vary] == "accept-encoding")
                #expect(answer.body == packed)
            }
        }
        let plain = try await router.get("/api/content/v2/" + object)
        #expect(plain.body == Array(Self.text.utf8) && plain.headers[.contentEncoding] == nil)
        // Once the file, and once each of its forms.
        for _ in 0..<3 { #expect(try await files.load(object)?.representations.count == 3) }
        #expect(large.readings == 3)
        #expect(lines.all.isEmpty)
    }

    @Test func aDamagedFormOfALargeTextIsLeftOutAndComparedOnce() async throws {
        let object = try publishText()
        try folder.remove("release/\(object).br")
        try folder.write("damaged", to: "release/\(object).br")
        for _ in 0..<3 {
            let file = try await files.load(object)
            #expect(file?.representations.map(\.coding) == [.gzip, .identity])
        }
        #expect(large.readings == 3)
        #expect(lines.all.count == 1 && lines.all[0].contains("\(object).br"))
    }

    @Test func aCompressedFileThatIsMissingIsNotLogged() async throws {
        try folder.remove("release/manifest.json.gz")
        _ = try await files.load("manifest.json")
        #expect(lines.all.isEmpty)
    }
}
