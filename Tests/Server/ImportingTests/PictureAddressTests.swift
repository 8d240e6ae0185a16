import ContentModel
import Foundation
import Importing
import Synchronization
import TestSupport
import Testing

/// Pictures that a file names by their addresses: listed, and fetched only when asked for.
@Suite struct PictureAddressTests {
    private typealias Failure = PictureFetcher.Failure

    private let folder: TemporaryFolder
    private static let host = "https://host.example"

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("name: Test\n", to: "content/underway.yaml")
    }

    /// A PNG of one pixel, with bytes behind it that tell it from others.
    private static func png(_ mark: String = "", length: Int = 0) -> [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        bytes += Array("IHDR".utf8)
        bytes += [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0] as [UInt8]
        bytes += Array(mark.utf8)
        return bytes + [UInt8](repeating: 0, count: max(0, length - bytes.count))
    }

    /// A table with a question for each picture.
    private func table(_ addresses: [String]) -> String {
        addresses.enumerated().reduce(into: "question,A,B,answer,image\n") { text, row in
            text += "What is picture \(row.offset)?,x,y,A,\(row.element)\n"
        }
    }

    private func read(_ text: String, _ fetched: FetchedPictures? = nil) throws -> ExamImport {
        var run = ExamImport(
            into: try ExamFolder(path: folder.path + "/content/exams/int/signs"), fetched: fetched)
        run.read(Array(text.utf8), file: "bank.csv")
        #expect(run.failures.isEmpty)
        for result in run.results {
            #expect(result.foundCount == result.importedCount + result.skipped.count)
        }
        return run
    }

    /// Reads a table, fetches its pictures, and reads it again.
    private func fetch(
        _ addresses: [String], _ limits: PictureFetcher.Limits = .init(),
        load: PictureFetcher.Load
    ) async throws -> ExamImport {
        let text = table(addresses)
        let fetched = await PictureFetcher(limits: limits)
            .fetch(try read(text).addresses, load: load)
        return try read(text, fetched)
    }

    private func list(_ run: ExamImport) throws -> ImportedAddresses {
        try #require(
            run.summary(written: ImportedFiles(), reviewsKept: 0, isDry: true).addresses)
    }

    // MARK: Without the option

    @Test func aPictureByAddressIsListedAndItsQuestionSkipped() throws {
        let address = Self.host + "/a.png"
        let run = try read(table([address, "http://host.example/b.png", address]))
        #expect(
            run.results[0].skipped.map(\.reason) == [
                "it shows \"\(address)\", which --fetch-media fetches",
                "it shows \"http://host.example/b.png\", which is not fetched: it is not https",
                "it shows \"\(address)\", which --fetch-media fetches",
            ])
        let list = try list(run)
        #expect(list.count == 2 && list.fetchable == 1)
        #expect(list.pictures.map(\.address) == [address, "http://host.example/b.png"])
        #expect(list.pictures.map(\.reason) == [nil, "it is not https"])
        #expect(list.pictures.allSatisfy { $0.file == nil && $0.bytes == nil })
    }

    @Test(arguments: [
        ("ftp://host.example/a.png", "this is no address of a web server, or it names a user"),
        (
            "https://me:secret@host.example/a.png",
            "this is no address of a web server, or it names a user"
        ),
        ("http://127.example/a.png", "it is not https"),
        (
            "https://host.example/" + String(repeating: "a", count: 2048),
            "the address is longer than 2048 bytes"
        ),
    ])
    func someAddressesAreNeverFetched(address: String, reason: String) async throws {
        let run = try await fetch([address]) { _, _ throws(Failure) in
            Issue.record("It was fetched.")
            return Self.png()
        }
        #expect(try list(run).pictures.map(\.reason) == [reason])
        #expect(run.results[0].questions.isEmpty)
        #expect(PictureFetcher().fetchable([address]).isEmpty)
    }

    @Test func plainHTTPIsForThisMachine() {
        let addresses = ["http://127.0.0.1:8080/a.png", "http://[::1]/a.png"]
        #expect(PictureFetcher().fetchable(addresses) == addresses)
    }

    @Test func theListIsBounded() throws {
        let count = ImportedAddresses.picturesMax + 1
        let list = try list(read(table((0..<count).map { "\(Self.host)/\($0).png" })))
        #expect(list.count == count && list.pictures.count == count - 1)
        #expect(list.fetchable == PictureFetcher.Limits().picturesMax)
    }

    @Test func anImportWithoutAddressesListsNone() throws {
        let run = try read("question,A,B,answer\nWhat?,x,y,A\n")
        #expect(
            run.summary(written: ImportedFiles(), reviewsKept: 0, isDry: true).addresses == nil)
    }

    @Test func anAddressOfMoodleStaysEscaped() throws {
        let text = """
            <quiz><question type="multichoice"><name><text>q</text></name><questiontext format="html"><text><![CDATA[
            <p>What? <img src="https://host.example/a%2Fb%20c.png?x=1&amp;y=2"></p>]]></text></questiontext>
            <answer fraction="100"><text>x</text></answer><answer fraction="0"><text>y</text></answer></question></quiz>
            """
        #expect(
            try imported(text, .moodleXML).addresses == [
                "https://host.example/a%2Fb%20c.png?x=1&y=2"
            ])
    }

    // MARK: Fetched

    @Test func aNameIsMadeOfTheContentAndUndone() async throws {
        let bytes = Self.png()
        let run = try await fetch([Self.host + "/../evil.php?x=a.jpg"]) { _, _ throws(Failure) in
            bytes
        }
        let name = "image-\(Checksum(of: bytes).hex.prefix(12)).png"
        #expect(run.results[0].questions.map(\.image) == [name])
        let written = try run.write(title: "Signs")
        #expect(try folder.read("content/exams/int/signs/media/" + name) == bytes)
        let list = try list(run)
        #expect(list.pictures.map(\.file) == [name] && list.fetchable == nil)
        #expect(list.pictures.map(\.bytes) == [bytes.count])
        let undone = try ImportUndo(content: folder.path + "/content").undo(written.undoID)
        #expect(undone.removed.contains("exams/int/signs/media/" + name))
        #expect(!folder.exists("content/exams/int/signs/media/" + name))
    }

    @Test func anAddressIsAskedForOnce() async throws {
        let asked = Mutex<[String]>([])
        let addresses = ["/a.png", "/b.png", "/a.png"].map { Self.host + $0 }
        let run = try await fetch(addresses) { address, _ throws(Failure) in
            asked.withLock { $0.append(address) }
            return Self.png()
        }
        #expect(asked.withLock { $0 } == Array(addresses.prefix(2)))
        #expect(run.results[0].questions.count == 3 && run.results[0].media.count == 1)
    }

    @Test func picturesOfOptionsAreFetched() async throws {
        let text = """
            question,A,B,image_a,image_b,answer
            Which is red?,x,y,\(Self.host)/x.png,\(Self.host)/y.png,A

            """
        let run = try read(text)
        #expect(run.addresses == ["\(Self.host)/x.png", "\(Self.host)/y.png"])
        let whole = await PictureFetcher().fetch(run.addresses) { address, _ throws(Failure) in
            Self.png(address)
        }
        let images = try read(text, whole).results[0].questions.first?.options.map(\.image)
        #expect(Set(images ?? []).count == 2 && images?.contains(nil) == false)
        // One of two is not enough.
        let part = await PictureFetcher().fetch(run.addresses) { address, _ throws(Failure) in
            guard address.hasSuffix("x.png") else { throw .other("it is gone") }
            return Self.png(address)
        }
        let half = try read(text, part)
        #expect(
            half.results[0].skipped.map(\.reason) == [
                "it shows \"\(Self.host)/y.png\", which was not fetched: it is gone"
            ])
        #expect(
            try list(half).pictures.map(\.reason) == [
                "no imported question shows it", "it is gone",
            ])
        #expect(half.results[0].media.isEmpty)
    }

    @Test func whatFailsDoesNotStopTheOthers() async throws {
        let run = try await fetch([Self.host + "/gone.png", Self.host + "/b.png"]) {
            address, _ throws(Failure) in
            guard address.hasSuffix("b.png") else {
                throw .other("its server answered with status 404")
            }
            return Self.png()
        }
        #expect(run.results[0].questions.map(\.stem) == ["What is picture 1?"])
        #expect(
            run.results[0].skipped.map(\.reason) == [
                "it shows \"\(Self.host)/gone.png\", which was not fetched: its server answered with status 404"
            ])
    }

    @Test(arguments: [
        (
            "<html><body>Log in</body></html>",
            "it is no picture of the types PNG, JPEG, GIF, WebP and SVG"
        ),
        ("", "it is no picture of the types PNG, JPEG, GIF, WebP and SVG"),
        (
            "<svg width=\"9\" height=\"9\"><script>alert(1)</script></svg>",
            "it is a drawing with a program in it"
        ),
        (
            "<svg width=\"9\" height=\"9\" onload=\"alert(1)\"/>",
            "it is a drawing with a program in it"
        ),
    ])
    func aTypeIsKnownByContent(content: String, reason: String) async throws {
        let run = try await fetch([Self.host + "/a.png"]) { _, _ throws(Failure) in
            Array(content.utf8)
        }
        #expect(try list(run).pictures.map(\.reason) == [reason])
        #expect(run.results[0].questions.isEmpty)
    }

    private static let samples: [(content: [UInt8], ending: String)] = [
        (png(), "png"), (Array("<svg viewBox=\"0 0 9 9\"/>".utf8), "svg"),
        (Array("GIF89a\u{1}\0\u{1}\0".utf8), "gif"),
        (Array("RIFF\0\0\0\0WEBPVP8X".utf8) + [UInt8](repeating: 0, count: 14), "webp"),
        ([0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 0x11, 0, 0], "jpg"),
    ]

    @Test(arguments: samples.indices)
    func aNameEndsWithTheTypeOfTheContent(index: Int) async throws {
        let sample = Self.samples[index]
        let run = try await fetch([Self.host + "/a.bmp"]) { _, _ throws(Failure) in
            sample.content
        }
        #expect(run.results[0].questions.first?.image?.hasSuffix("." + sample.ending) == true)
    }

    // MARK: Limits

    @Test func aPictureHasTenMegabytesAtMost() async throws {
        let most = PictureFetcher.Limits().pictureBytesMax
        #expect(most == 10 * 1024 * 1024)
        let run = try await fetch(["/fits", "/over", "/ended"].map { Self.host + $0 }) {
            address, bytesMax throws(Failure) in
            #expect(bytesMax == most)
            if address.hasSuffix("ended") { throw .tooLong }
            return Self.png(address, length: address.hasSuffix("fits") ? most : most + 1)
        }
        #expect(
            try list(run).pictures.map(\.reason) == [
                nil, "it is longer than 10 MB", "it is longer than 10 MB",
            ])
        #expect(run.results[0].questions.count == 1)
    }

    @Test func anImportFetchesFiveHundredPictures() async throws {
        let asked = Mutex(0)
        // What is never fetched does not count.
        var addresses = ["http://host.example/a"]
        for number in 0...500 { addresses.append("\(Self.host)/\(number).png") }
        let run = try await fetch(addresses) { address, _ throws(Failure) in
            asked.withLock { $0 += 1 }
            return Self.png(address)
        }
        #expect(asked.withLock { $0 } == 500 && run.results[0].questions.count == 500)
        #expect(
            try list(run).pictures.last?.reason == "an import fetches at most 500 pictures")
    }

    @Test func allPicturesTogetherHaveALimit() async throws {
        #expect(PictureFetcher.Limits().bytesMax == 500 * 1024 * 1024)
        var limits = PictureFetcher.Limits()
        limits.pictureBytesMax = 1 << 20
        limits.bytesMax = 2 << 20
        let lengths: [String: Int] = [
            "/a": 1_048_576, "/b": 1_048_512, "/c": 65, "/d": 64, "/e": 64,
        ]
        let asked = Mutex<[Int]>([])
        let run = try await fetch(lengths.keys.sorted().map { Self.host + $0 }, limits) {
            address, bytesMax throws(Failure) in
            asked.withLock { $0.append(bytesMax) }
            return Self.png(address, length: lengths["/" + address.suffix(1)] ?? 0)
        }
        let reason = "the pictures of an import have at most 2 MB together"
        #expect(try list(run).pictures.map(\.reason) == [nil, nil, reason, nil, reason])
        // The fifth was not asked for.
        #expect(asked.withLock { $0 } == [1_048_576, 1_048_576, 64, 64])
    }

    @Test func aSilentHostIsAskedThreeTimes() async throws {
        let asked = Mutex<[String]>([])
        var addresses = (0..<5).map { "https://silent.example/\($0)" }
        addresses.append(Self.host + "/a.png")
        let run = try await fetch(addresses) { address, _ throws(Failure) in
            asked.withLock { $0.append(address) }
            guard address.hasPrefix(Self.host) else { throw .silence("The network failed.") }
            return Self.png()
        }
        let expected = addresses.prefix(3) + addresses.suffix(1)
        #expect(asked.withLock { $0 } == Array(expected))
        let reasons = try list(run).pictures.map { $0.reason ?? "" }
        #expect(reasons.prefix(3).allSatisfy { $0 == "The network failed." })
        #expect(
            Array(reasons.suffix(3)) == [
                "its host did not answer 3 times in a row",
                "its host did not answer 3 times in a row", "",
            ])
    }

    @Test func anAnswerEndsTheSilenceOfAHost() async throws {
        let asked = Mutex(0)
        let run = try await fetch((0..<6).map { "\(Self.host)/\($0)" }) { _, _ throws(Failure) in
            let number = asked.withLock {
                $0 += 1
                return $0
            }
            guard number == 3 else { throw .silence("The network failed.") }
            throw .other("its server answered with status 404")
        }
        #expect(asked.withLock { $0 } == 6)
        #expect(try list(run).pictures.allSatisfy { $0.file == nil })
    }
}
