import ContentModel
import Foundation
import OfflineStorage
import SyncClient
import TestSupport
import Testing

/// `underway sync` against hosts that lie, move, ask to wait, or are not there yet.
@Suite struct LyingHostTests {
    private func sync(_ url: String, _ store: String, _ more: [String] = []) async throws
        -> Tool.Result
    {
        try await Tool.run(["sync", url, "--content-only", "--store", store] + more)
    }

    /// A server that gives each request the same answer.
    private static func server(
        _ head: String, _ body: String = "", sixth: Bool = false
    ) throws -> RawServer {
        let answer = "HTTP/1.1 \(head)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        return try RawServer(isSixthVersion: sixth) { connection in
            while connection.head() != nil { guard connection.send(answer) else { return } }
        }
    }

    /// Names that would steer the terminal or turn the direction of its text.
    @Test func namesOfAManifestDoNotReachTheTerminalAsCommands() async throws {
        let folder = try TemporaryFolder()
        let odd = "\\u001b]0;owned\\u0007\\u009b31m\\u202egnp.\\r"
        let server = try Self.server(
            "200 OK", "{\"schemaVersion\":2,\"assets\":{\"\(odd)\":{}}}")
        let url = "http://127.0.0.1:\(server.port)"
        for form in [[], ["--json"]] {
            let result = try await sync(url, folder.path + "/store", ["--force"] + form)
            #expect(result.status == 1)
            let text = form.isEmpty ? result.output + result.errors : result.errors
            let isPlain = text.unicodeScalars.allSatisfy {
                $0 == "\n"
                    || ($0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
                        && $0.value != 0x202E)
            }
            #expect(isPlain, "\(text.debugDescription)")
            guard form.isEmpty else { continue }
            #expect(text.contains("\\u{1B}]0;owned\\u{7}\\u{9B}31m\\u{202E}gnp.\\u{D}"), "\(text)")
        }
    }

    /// Nothing becomes better by trying again: the content is to be mended.
    @Test(arguments: ["{\"schemaVersion\":3}", "no JSON", "{\"schemaVersion\":2}"])
    func aManifestThatNoDeviceReadsIsAnErrorOfTheContent(body: String) async throws {
        let folder = try TemporaryFolder()
        let server = try Self.server("200 OK", body)
        let result = try await sync("http://127.0.0.1:\(server.port)", folder.path + "/store")
        let isEmpty = body == "{\"schemaVersion\":2}"
        #expect(result.status == (isEmpty ? 0 : 1), "\(result.output) \(result.errors)")
    }

    /// One file is kept back: the first sync, the next and `study` say the same.
    @Test func whatDidNotArriveIsNotCalledUnreadable() async throws {
        let fleet = try Fleet(["de", "es"])
        let manifest = try Manifest(fleet.folder.read("release/manifest.json"))
        let hex = try #require(manifest.languages["de"]?.blueprint?.checksum.hex)
        let server = try RawServer { [release = fleet.release] connection in
            while let head = connection.head() {
                let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                let isKept = path.contains(hex) || path.contains("blueprints/de.json")
                let file = isKept ? nil : FileManager.default.contents(atPath: release + path)
                let body = [UInt8](file ?? Data())
                let status = file == nil ? "500 Broken" : "200 OK"
                let reply = "HTTP/1.1 \(status)\r\nContent-Length: \(body.count)\r\n\r\n"
                guard connection.send(Array(reply.utf8) + body) else { return }
            }
        }
        let store = fleet.folder.path + "/store"
        let first = try await sync("http://127.0.0.1:\(server.port)", store, ["--force"])
        #expect(first.output.contains("Installed release 1"), "\(first.output) \(first.errors)")
        #expect(!first.output.contains("This device runs version"))
        let next = try await sync("http://127.0.0.1:\(server.port)", store, ["--force"])
        #expect(first.status == 3 && next.status == 3, "\(next.output) \(next.errors)")
        let study = try await Tool.run(["study", "de", "--store", store])
        #expect(study.status == 4)
        #expect(study.errors.contains("not here yet"), "\(study.errors)")
        #expect(study.errors.contains("has: ") && !study.errors.contains("cannot read"))
        #expect(!study.errors.contains("de, "), "\(study.errors)")
    }

    /// nginx makes its validators of time and size: files whose times are fixed, as those of images of
    /// containers are, never change for it.
    @Test(.enabled(if: Nginx.isExpected))
    func aHostWithFixedFileTimesDoesNotFreezeADevice() async throws {
        let fleet = try Fleet(["es"])
        let nginx = try Nginx(release: fleet.release)
        defer { nginx.stop() }
        let store = fleet.folder.path + "/store"
        try fixTimes(fleet)
        #expect(try await sync(nginx.baseURL, store).output.contains("Installed release 1"))
        try fleet.edit(key: 1)
        try fixTimes(fleet)
        // What freezes it: the host says that nothing has changed.
        let transport = HTTPTransport()
        defer { transport.close() }
        try FileManager.default.copyItem(atPath: store, toPath: fleet.folder.path + "/later")
        for (name, seconds, outcome) in [
            ("store", 3600.0, SyncOutcome.upToDate),
            // A week later it asks without a condition.
            ("later", 8 * 86_400, .installed(release: 2)),
        ] {
            let moment = Date() + seconds
            let device = ContentSync(
                store: try fleet.store(name), transport: transport,
                releaseURL: try URL(address: nginx.baseURL),
                clock: { moment })
            #expect(await device.sync().outcome == outcome)
        }
        #expect(try fleet.key(fleet.store()) == [0])
        let forced = try await sync(nginx.baseURL, store, ["--force"])
        #expect(forced.output.contains("Installed release 2"))
        #expect(try fleet.key(fleet.store()) == [1])
    }

    private func fixTimes(_ fleet: Fleet) throws {
        for suffix in [".gz", ".br"] {
            try? FileManager.default.removeItem(atPath: fleet.release + "/manifest.json" + suffix)
        }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)],
            ofItemAtPath: fleet.release + "/manifest.json")
    }

    @Test(.enabled(if: Nginx.isExpected))
    func anOlderReleaseIsKeptOutAndSaid() async throws {
        let fleet = try Fleet(["es"])
        let nginx = try Nginx(release: fleet.release)
        defer { nginx.stop() }
        let old = try fleet.folder.read("release/manifest.json")
        try fleet.edit(key: 1)
        let store = fleet.folder.path + "/store"
        #expect(try await sync(nginx.baseURL, store).output.contains("Installed release 2"))
        // The edge that is behind has the former manifest, and no siblings of the newer one.
        try fixTimes(fleet)
        try fleet.folder.write(old, to: "release/manifest.json")
        // The cooldown has passed; nothing else was learned.
        try fleet.store().set(
            "schedule",
            fleet.store().setting("schedule")?
                .replacing(/"nextCheck":[0-9.]+/, with: "\"nextCheck\":1") ?? "")
        let kept = try await sync(nginx.baseURL, store, ["--json"])
        #expect(kept.status == 0)
        #expect(kept.output.contains("\"keptNewer\"") && kept.output.contains("\"appVersion\""))
        #expect(try fleet.key(fleet.store()) == [1])
        let forced = try await sync(nginx.baseURL, store, ["--force"])
        #expect(forced.output.contains("Installed release 1"))
    }

    @Test func aNetworkThatWantsASignInIsNamed() async throws {
        let folder = try TemporaryFolder()
        let page = try Self.server("200 OK\r\nContent-Type: text/html", "<html>Sign in</html>")
        let portal = try Self.server(
            "302 Found\r\nLocation: http://localhost:\(page.port)/login?session=1")
        for server in [page, portal] {
            let result = try await sync(server.url, folder.path + "/store", ["--force"])
            #expect(result.status == 3)
            #expect(result.errors.contains("This network wants you to sign in first"))
        }
    }

    @Test func theTargetOfARedirectIsSaid() async throws {
        let folder = try TemporaryFolder()
        let target = try Self.server("404 Not Found")
        let server = try Self.server(
            "301 Moved\r\nLocation: http://localhost:\(target.port)/new/manifest.json")
        let result = try await sync(server.url, folder.path + "/store")
        #expect(result.status == 3)
        #expect(
            result.errors.contains("redirects to http://localhost:\(target.port)/new/manifest.json")
        )
    }

    @Test func aServerThatAsksToWaitUntilADateIsLeftAlone() async throws {
        let folder = try TemporaryFolder()
        let server = try Self.server(
            "503 Busy\r\nDate: Fri, 15 Jan 2027 08:00:00 GMT"
                + "\r\nRetry-After: Fri, 15 Jan 2027 09:00:00 GMT")
        let result = try await sync(server.url, folder.path + "/store")
        #expect(result.errors.contains("It asks to wait 3600 seconds."))
        let again = try await sync(server.url, folder.path + "/store")
        #expect(again.output.contains("Checked not long ago"))
        // Nothing was asked, and nothing went well.
        #expect(again.status == 3 && again.output.contains("It asks to wait 3600 seconds."))
    }

    @Test func anAddressMayNameTheManifest() async throws {
        let fleet = try Fleet(["es"])
        try await withServer(fleet.release) { url in
            let store = fleet.folder.path + "/store"
            let result = try await Tool.run(["sync", url + "/manifest.json", "--store", store])
            #expect(result.output.contains("Installed release 1"))
        }
    }

    /// The release behind an address of IPv6, redirects within it, and its own spellings.
    @Test(arguments: ["[::1]", "[0:0:0:0:0:0:0:1]"])
    func anAddressOfTheSixthVersionIsEnough(host: String) async throws {
        let fleet = try Fleet(["es"])
        let release = fleet.release
        let server = try RawServer(isSixthVersion: true) { connection in
            while let head = connection.head() {
                let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                guard path.hasPrefix("/moved") else {
                    connection.send(
                        "HTTP/1.1 302 Found\r\nLocation: /moved\(path)\r\nContent-Length: 0\r\n\r\n"
                    )
                    continue
                }
                let file = release + path.dropFirst("/moved".count)
                let bytes = FileManager.default.contents(atPath: file).map { [UInt8]($0) } ?? []
                let status = bytes.isEmpty ? "404 Not Found" : "200 OK"
                connection.send(
                    Array("HTTP/1.1 \(status)\r\nContent-Length: \(bytes.count)\r\n\r\n".utf8)
                        + bytes)
            }
        }
        let result = try await sync(
            "http://\(host):\(server.port)", fleet.folder.path + "/store-\(host.count)")
        #expect(result.output.contains("Installed release 1"), "\(result.errors)")
    }

    @Test func theNumberOfRequestsInFlightIsBounded() async throws {
        let folder = try TemporaryFolder()
        for count in ["0", "33"] {
            let result = try await sync(
                "http://127.0.0.1:9", folder.path, ["--requests-in-flight", count])
            #expect(result.status == 64 && result.errors.contains("from 1 to 32"))
        }
    }
}
