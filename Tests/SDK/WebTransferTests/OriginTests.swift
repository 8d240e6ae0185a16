import Foundation
import SyncClient
import Synchronization
import TestSupport
import Testing

@testable import WebTransfer

@Suite struct OriginTests {
    @Test(arguments: [
        ("https://Host.example", "https://host.example", true),
        ("https://host.example:443/a?b", "https://host.example", true),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080", true),
        ("http://127.8.9.10/", "http://127.8.9.10", true),
        ("http://localhost:80", "http://localhost", true),
        ("http://a.localhost", "http://a.localhost", true),
        ("http://[::1]:9/", "http://[::1]:9", true),
        ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]", true),
        ("http://[::FFFF:127.0.0.1]:8080", "http://[::ffff:127.0.0.1]:8080", true),
        ("http://[2001:DB8::0:1]:8080", "http://[2001:db8::1]:8080", false),
        ("http://host.example", "http://host.example", false),
        ("http://127.0.0.1.example.com", "http://127.0.0.1.example.com", false),
        ("http://localhost.example.com", "http://localhost.example.com", false),
        ("http://127.1", "http://127.1", false), ("http://0.0.0.0", "http://0.0.0.0", false),
        ("http://192.168.1.2:8080", "http://192.168.1.2:8080", false),
    ])
    func anOriginIsReadFromAnAddress(address: String, origin: String, isSecure: Bool) throws {
        let read = try #require(WebOrigin(address))
        #expect(read.description == origin)
        #expect(read.isSecure == isSecure)
    }

    /// What two parsers could read in two ways is no address.
    @Test(arguments: [
        "", "host", "ftp://host", "http://", "http://user@host", "https://a:b@host",
        "http://localhost@host.example", "http://host\\@localhost", "http://ho%73t",
        "http://[::1", "http://[::g]", "http://[1.2.3.4]", "http://[::1%25lo]/", "http://host:0",
        "http://host:99999", "http://host name", "file:///etc/passwd",
    ])
    func whatIsNoAddressIsRefused(address: String) async {
        #expect(WebOrigin(address) == nil)
        let transport = HTTPTransport(allowsInsecureHTTP: true)
        defer { transport.close() }
        await #expect(throws: TransportError.self) {
            guard let url = URL(string: address) else { throw TransportError(.badAddress, "") }
            return try await transport.send(TransportRequest(url: url, bodyBytesMax: 1))
        }
        #expect(throws: AddressError.self) { try URL(address: address) }
    }

    @Test func plainHTTPToAnotherMachineIsRefused() async throws {
        let transport = HTTPTransport()
        defer { transport.close() }
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(
                TransportRequest(url: "http://192.0.2.1/", bodyBytesMax: 1))
        }
        #expect(error?.code == .insecureAddress)
        #expect(error?.message.contains("http://192.0.2.1") == true)
        // Whoever says so may; this one ends by a network that is not there.
        let open = HTTPTransport(idleTimeout: 1, allowsInsecureHTTP: true)
        defer { open.close() }
        let other = await #expect(throws: TransportError.self) {
            try await within {
                try await open.send(TransportRequest(url: "http://192.0.2.1/", bodyBytesMax: 1))
            }
        }
        #expect(other?.code != .insecureAddress)
    }

    /// What a header says cannot become another header.
    @Test func aHeaderCannotHoldAnother() async throws {
        let transport = HTTPTransport()
        defer { transport.close() }
        for value in ["a\r\nX: b", "a\nb", "a\0b"] {
            await #expect(throws: TransportError.self) {
                try await transport.send(
                    TransportRequest(
                        url: "http://127.0.0.1:9/", headers: ["Authorization": value],
                        bodyBytesMax: 1))
            }
        }
    }

    /// The heads of requests that came.
    private final class Heads: Sendable {
        private let heads = Mutex<[String]>([])

        func add(_ head: String) { heads.withLock { $0.append(head) } }

        func take() -> String {
            heads.withLock { heads in
                defer { heads = [] }
                return heads.joined()
            }
        }
    }

    /// A redirect elsewhere, and the heads that came to either side.
    @Test func aRedirectTakesNoTokenToAnotherOrigin() async throws {
        let heads = Heads()
        let elsewhere = try RawServer { connection in
            guard let head = connection.head() else { return }
            heads.add(head)
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        }
        for status in [301, 302, 303, 307, 308] {
            let here = try RawServer { connection in
                guard connection.head() != nil else { return }
                connection.send(
                    "HTTP/1.1 \(status) Go\r\nLocation: \(elsewhere.url)/\r\n"
                        + "Content-Length: 0\r\n\r\n")
            }
            let transport = HTTPTransport()
            defer { transport.close() }
            let secret = ["Authorization": "Bearer secret", "X-Plain": "1"]
            let response = try await within {
                try await transport.send(
                    TransportRequest(url: here.url, headers: secret, bodyBytesMax: 100))
            }
            #expect(response.status == status)
            #expect(heads.take().isEmpty)
            // Assets follow, without the secret.
            let session = TransferSession(
                userAgent: "test", idleTimeout: 5, allowsInsecureHTTP: false)
            let asset = try await within {
                try await session.send(
                    TransferRequest(
                        url: here.url, headers: secret, bodyBytesMax: 100,
                        redirects: .noDowngrade))
            }
            #expect(asset.head.status == 200)
            let head = heads.take()
            #expect(head.contains("X-Plain: 1") && !head.contains("secret"))
        }
    }

    @Test func redirectsWithinAnOriginAreFollowedUpToABound() async throws {
        let server = try RawServer { connection in
            while let head = connection.head() {
                let number = Int(head.split(separator: " ")[1].dropFirst()) ?? 0
                let fields = "Content-Length: 0\r\n\r\n"
                connection.send(
                    number == 0
                        ? "HTTP/1.1 204 No\r\n\r\n"
                        : "HTTP/1.1 302 Go\r\nLocation: /\(number - 1)\r\n" + fields)
            }
        }
        let transport = HTTPTransport()
        defer { transport.close() }
        let near = try await within {
            try await transport.send(TransportRequest(url: server.url + "/4", bodyBytesMax: 1))
        }
        #expect(near.status == 204)
        await #expect(throws: TransportError.self) {
            try await within {
                try await transport.send(
                    TransportRequest(url: server.url + "/1000000", bodyBytesMax: 1))
            }
        }
    }
}
