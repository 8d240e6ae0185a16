import Foundation
import SyncClient
import Synchronization
import TestSupport
import Testing

/// What goes over the line, to the byte.
@Suite struct RequestTests {
    /// What a server was sent, and on how many connections.
    private final class Log: Sendable {
        private let state = Mutex((text: "", connections: 0))

        var connections: Int { state.withLock { $0.connections } }

        func connected() { state.withLock { $0.connections += 1 } }

        func add(_ text: String) { state.withLock { $0.text += text } }

        func take() -> String {
            state.withLock { state in
                defer { state.text = "" }
                return state.text
            }
        }
    }

    /// Sends nothing that was not asked for: each poll pays for it.
    @Test func aRequestHasOnlyTheFieldsThatAreNeeded() async throws {
        let log = Log()
        let server = try RawServer { connection in
            log.connected()
            while let head = connection.head() {
                log.add(head)
                connection.send("HTTP/1.1 304 No\r\n\r\n")
            }
        }
        let transport = HTTPTransport(userAgent: "me")
        defer { transport.close() }
        let common = "Host: 127.0.0.1:\(server.port)\r\n"
        let url = server.url
        func head(_ request: TransportRequest) async throws -> String {
            let response = try await within { try await transport.send(request) }
            #expect(response.status == 304)
            for try await _ in response.body {}
            return log.take().replacing(common, with: "")
        }
        #expect(
            try await head(
                TransportRequest(
                    url: url + "/a/../b%20c?d=e", headers: ["If-None-Match": "\"x\""],
                    bodyBytesMax: 1))
                == "GET /a/../b%20c?d=e HTTP/1.1\r\nAccept-Encoding: br, gzip\r\n"
                + "If-None-Match: \"x\"\r\nUser-Agent: me\r\n\r\n")
        #expect(
            try await head(
                TransportRequest(
                    url: url, headers: ["Accept-Encoding": "identity", "user-agent": "you"],
                    bodyBytesMax: 1))
                == "GET / HTTP/1.1\r\nAccept-Encoding: identity\r\nuser-agent: you\r\n\r\n")
        #expect(
            try await head(TransportRequest("DELETE", url: url, bodyBytesMax: 1))
                == "DELETE / HTTP/1.1\r\nAccept-Encoding: br, gzip\r\nUser-Agent: me\r\n\r\n")
        #expect(
            try await head(TransportRequest("POST", url: url, bodyBytesMax: 1))
                == "POST / HTTP/1.1\r\nAccept-Encoding: br, gzip\r\nUser-Agent: me\r\n"
                + "Content-Length: 0\r\n\r\n")
        // All on one connection.
        #expect(log.connections == 1)
    }

    /// Large enough that libcurl alone would ask first whether it may send it.
    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func aBodyIsSentWhole(method: String) async throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
        let server = try RawServer { connection in
            guard let head = connection.head(), head.hasPrefix(method + " "),
                head.contains("Content-Length: \(body.count)\r\n"), !head.contains("Expect")
            else { return }
            let isWhole = connection.read(body.count) == body
            connection.send("HTTP/1.1 \(isWhole ? 200 : 500) X\r\nContent-Length: 0\r\n\r\n")
        }
        let transport = HTTPTransport()
        defer { transport.close() }
        let response = try await within {
            try await transport.send(
                TransportRequest(
                    method, url: server.url, headers: ["Content-Type": "x/y"], body: body,
                    bodyBytesMax: 1))
        }
        #expect(response.status == 200)
    }
}
