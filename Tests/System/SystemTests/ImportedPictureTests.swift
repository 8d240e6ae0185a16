import ContentModel
import Synchronization
import TestSupport
import Testing

/// `underway import --fetch-media` against a server of this machine.
@Suite struct ImportedPictureTests {
    /// A PNG of one pixel.
    private static let png: [UInt8] = {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        bytes += Array("IHDR".utf8)
        bytes += [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0] as [UInt8]
        return bytes
    }()

    /// A server of pictures, and the paths that were asked for.
    private final class Pictures: Sendable {
        private let server: RawServer
        private let log: Log
        var url: String { server.url }
        var asked: [String] { log.paths.withLock { $0 } }

        final class Log: Sendable { let paths = Mutex<[String]>([]) }

        init() throws {
            let log = Log()
            self.log = log
            server = try RawServer { connection in
                while let head = connection.head() {
                    let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                    log.paths.withLock { $0.append(path) }
                    guard connection.send(Self.answer(path)) else { return }
                }
            }
        }

        private static func answer(_ path: String) -> [UInt8] {
            switch path {
            case "/a.png", "/b": head("200 OK", png.count) + png
            case "/moved": head("302 Found", 0, "Location: /a.png\r\n")
            case "/away": head("302 Found", 0, "Location: http://host.invalid/a.png\r\n")
            case "/large": head("200 OK", 10_485_761)
            case "/page": head("200 OK", 6) + Array("<html>".utf8)
            default: head("404 Not Found", 0)
            }
        }

        private static func head(_ status: String, _ length: Int, _ field: String = "") -> [UInt8] {
            Array("HTTP/1.1 \(status)\r\n\(field)Content-Length: \(length)\r\n\r\n".utf8)
        }
    }

    private let folder: TemporaryFolder
    private let pictures: Pictures
    private var exam: String { folder.path + "/content/exams/int/signs" }
    private static let paths = ["/a.png", "/moved", "/away", "/large", "/page", "/gone", "/b"]

    init() throws {
        folder = try TemporaryFolder()
        pictures = try Pictures()
        try folder.write("name: Test\n", to: "content/underway.yaml")
        let addresses = Self.paths.map { pictures.url + $0 } + ["http://host.invalid/a.png"]
        let rows = addresses.enumerated()
            .map { "What is picture \($0.offset)?,x,y,A,\($0.element)\n" }
        try folder.write("question,A,B,answer,image\n" + rows.joined(), to: "bank.csv")
    }

    private func run(_ options: [String]) async throws -> Tool.Result {
        try await Tool.run(["import", folder.path + "/bank.csv", "--into", exam] + options)
    }

    @Test func nothingIsFetchedUnasked() async throws {
        let plain = try await run([])
        // No question is left.
        #expect(plain.status == 6)
        #expect(
            plain.output.contains(
                "it shows \"\(pictures.url)/a.png\", which --fetch-media fetches"),
            "\(plain.output)")
        #expect(plain.output.contains("pictures by address: 8\n"), "\(plain.output)")
        let asked = try await run(["--fetch-media"])
        #expect(asked.status == 0, "\(asked.errors)")
        #expect(
            asked.output.contains("--fetch-media --write fetches 7 of them"), "\(asked.output)")
        #expect(try await run(["--write"]).status == 6)
        #expect(pictures.asked.isEmpty)
        #expect(!folder.exists("content/exams"))
    }

    @Test func picturesAreFetchedAndTakenBack() async throws {
        let result = try await run(["--fetch-media", "--write", "--json"])
        #expect(result.status == 0, "\(result.errors)")
        let name = "image-\(Checksum(of: Self.png).hex.prefix(12)).png"
        let json = try JSONParser.parse(Array(result.output.utf8)).value
        guard case .object(let summary) = json, case .object(let list)? = summary["addresses"],
            case .array(let pictures)? = list["pictures"]
        else {
            Issue.record("\(result.output)")
            return
        }
        let outcomes = pictures.map { picture -> String in
            guard case .object(let picture) = picture,
                case .string(let outcome)? = picture["file"] ?? picture["reason"]
            else { return "" }
            return outcome
        }
        #expect(
            outcomes == [
                name, name, "it leads to an address that is not https", "it is longer than 10 MB",
                "it is no picture of the types PNG, JPEG, GIF, WebP and SVG",
                "its server answered with status 404", name, "it is not https",
            ])
        #expect(try folder.read("content/exams/int/signs/media/" + name) == Self.png)
        #expect(
            self.pictures.asked == [
                "/a.png", "/moved", "/a.png", "/away", "/large", "/page", "/gone", "/b",
            ])
        let undone = try await Tool.run(["import", "--undo", "last", "--into", exam])
        #expect(undone.status == 0, "\(undone.errors)")
        #expect(!folder.exists("content/exams/int/signs/media/" + name))
    }
}
