import Foundation
import RemoteAssets
import SyncClient
import TestSupport
import Testing

/// A server that sends nonsense costs a request, never the process.
@Suite struct BrokenReplyTests {
    private static let whole = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nETag: \"a\"\r\n\r\nhi"

    /// Sends the bytes of the moment to each request, then closes.
    private func server(_ reply: @escaping @Sendable (String) -> [UInt8]) throws -> RawServer {
        try RawServer { connection in
            guard let head = connection.head() else { return }
            connection.send(reply(head))
        }
    }

    private func fetch(_ transport: HTTPTransport, _ url: String) async throws -> [UInt8] {
        try await within {
            let response = try await transport.send(
                TransportRequest(url: url, bodyBytesMax: 100_000))
            var bytes: [UInt8] = []
            for try await piece in response.body { bytes += piece }
            return bytes
        }
    }

    private func code(_ transport: HTTPTransport, _ url: String) async -> TransportError.Code? {
        do {
            _ = try await fetch(transport, url)
            return nil
        } catch {
            return (error as? TransportError)?.code
        }
    }

    @Test func aReplyCutAtAnyByteOfItsHeadIsAFailure() async throws {
        let whole = Array(Self.whole.utf8)
        let server = try server { head in
            let count = head.split(separator: "/")[1].split(separator: " ").first
            return Array(whole.prefix(count.flatMap { Int($0) } ?? 0))
        }
        let transport = HTTPTransport()
        defer { transport.close() }
        for cut in 0..<whole.count {
            #expect(await code(transport, "\(server.url)/\(cut)") == .offline, "cut at \(cut)")
        }
        #expect(try await fetch(transport, "\(server.url)/\(whole.count)") == Array("hi".utf8))
    }

    @Test func anAssetCutInItsHeadIsAFailureToo() async throws {
        let whole = Array(Self.whole.utf8)
        for cut in stride(from: 0, to: whole.count, by: 3) {
            let server = try server { _ in Array(whole.prefix(cut)) }
            let url = try #require(URL(string: server.url + "/a"))
            let error = await #expect(throws: AssetError.self, "cut at \(cut)") {
                try await within {
                    try await AssetTransport.urlSession(AssetRequest(url: url, bytesMax: 100))
                }
            }
            #expect(error?.code == .offline, "cut at \(cut)")
        }
    }

    /// What is not HTTP is refused; what merely is unusual is read.
    @Test(arguments: [
        ("\0\u{1}garbage\r\n\r\n", TransportError.Code.offline),
        ("HTTP/1.1\r\n\r\n", .offline), ("HTTP/1.1 \r\n\r\n", .offline),
        ("HTTP/1.1 99 OK\r\n\r\nhi", .offline), ("HTTP/1.1 1000 OK\r\n\r\nhi", .offline),
        ("HTTP/1.1 000 OK\r\n\r\nhi", .offline), ("HTTP/1.1 -12 OK\r\n\r\nhi", .offline),
        ("HTTP/1.1 600 OK\r\n\r\nhi", .offline), ("HTTP/9.1 200 OK\r\n\r\nhi", .offline),
        ("<html>hi</html>", .offline),
        ("HTTP/1.1 100 Continue\r\n\r\n", .offline),
        ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n", .offline),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi", .offline),
        ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhi", .offline),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi!", .offline),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nhi", .offline),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhi\r\n0\r\n\r\n", .offline),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhi", .offline),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nhi", .offline),
        ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi", .offline),
        ("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\nhi", .offline),
        ("HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: 2\r\n\r\nhi", .offline),
        ("HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 2\r\n\r\nhi", .offline),
        ("HTTP/1.1 200 OK\r\n: no name\r\nContent-Length: 2\r\n\r\nhi", nil),
        ("HTTP/1.1 200 OK\r\nX: a\r\n folded\r\nContent-Length: 2\r\n\r\nhi", nil),
        ("HTTP/1.1 200 OK\r\nX: a\r\nX: b\r\nContent-Length: 2\r\n\r\nhi", nil),
        ("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi", nil),
        ("HTTP/1.1 200 OK\nContent-Length: 2\n\nhi", nil),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", nil),
        ("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhi", nil),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX: y\r\n\r\n", nil),
    ])
    func whatIsNotHTTPIsAFailure(reply: String, expected: TransportError.Code?) async throws {
        let server = try server { _ in Array(reply.utf8) }
        let transport = HTTPTransport()
        defer { transport.close() }
        if let expected {
            #expect(await code(transport, server.url) == expected)
        } else {
            #expect(try await fetch(transport, server.url) == Array("hi".utf8))
        }
    }

    @Test(arguments: [
        String(repeating: "a", count: 4096), "X-\(String(repeating: "b", count: 30)): c\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
    ])
    func aHeadWithoutAnEndIsCutOff(part: String) async throws {
        let server = try RawServer { connection in
            guard connection.head() != nil else { return }
            if !part.hasPrefix("HTTP") { connection.send("HTTP/1.1 200 OK\r\nX: ") }
            let bytes = Array(String(repeating: part, count: 1 + 4096 / part.count).utf8)
            while connection.send(bytes) {}
        }
        let transport = HTTPTransport()
        defer { transport.close() }
        let found = await code(transport, server.url)
        #expect(found == .tooLong || found == .offline)
        #expect(server.sentBytes < 16 << 20)
    }

    /// One byte of the reply is changed, doubled or left out, at random places.
    @Test func manySeedsOfDamageReturn() async throws {
        let replies = [
            Self.whole,
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: /0\r\nContent-Length: 0\r\n\r\n",
        ]
        let server = try server { head in
            let number = head.split(separator: "/")[1].split(separator: " ").first
            let seed = number.flatMap { UInt64($0) } ?? 0
            var random = SeededGenerator(seed: seed)
            var bytes = Array(replies[Int(seed) % replies.count].utf8)
            for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(bytes[index], at: index)
                }
            }
            return bytes
        }
        let transport = HTTPTransport(idleTimeout: 2)
        defer { transport.close() }
        for seed in 1...400 {
            do { _ = try await fetch(transport, "\(server.url)/\(seed)") } catch {
                #expect(error is TransportError, "seed \(seed)")
            }
        }
    }
}
