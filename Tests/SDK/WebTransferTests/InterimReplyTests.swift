import SyncClient
import TestSupport
import Testing

/// Servers that keep a connection busy and never reply.
@Suite struct InterimReplyTests {
    /// Sends `piece` every tenth of a second, until the client is gone or `count` were sent.
    private func server(_ start: String, _ piece: String, _ count: Int = 300) throws -> RawServer {
        try RawServer { connection in
            guard connection.head() != nil, connection.send(start) else { return }
            for _ in 0..<count {
                guard connection.send(piece), connection.isSilent(milliseconds: 100) else { return }
            }
        }
    }

    @Test(arguments: [
        ("", "HTTP/1.1 100 Continue\r\n\r\n"), ("HTTP/1.1 200 OK\r\n", "a: b\r\n"),
        ("HTTP/1.1 200 OK\r\nlong: ", "x"),
    ])
    func theWaitForAHeadEnds(start: String, piece: String) async throws {
        let server = try server(start, piece)
        let transport = HTTPTransport(idleTimeout: 1)
        defer { transport.close() }
        let began = ContinuousClock.now
        let error = await #expect(throws: TransportError.self) {
            _ = try await within(.seconds(60)) {
                try await transport.send(TransportRequest(url: server.url, bodyBytesMax: 1000))
            }
        }
        #expect(error?.code == .timedOut)
        #expect(ContinuousClock.now - began < .seconds(15))
    }

    @Test func aFewInterimRepliesArePassedOver() async throws {
        let server = try RawServer { connection in
            guard connection.head() != nil else { return }
            for _ in 0..<3 { connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let transport = HTTPTransport(idleTimeout: 5)
        defer { transport.close() }
        let response = try await transport.send(TransportRequest(url: server.url, bodyBytesMax: 10))
        #expect(response.status == 200)
    }
}
