import Foundation
import SyncClient
import TestSupport
import Testing

/// Plain HTTP at a port that expects TLS.
@Suite struct PlainHTTPTests {
    private func failure(_ reply: [UInt8]) async throws -> TransportError {
        let server = try RawServer { connection in
            guard connection.head() != nil else { return }
            connection.send(reply)
        }
        let transport = HTTPTransport()
        defer { transport.close() }
        let error = await #expect(throws: TransportError.self) {
            try await within {
                try await transport.send(TransportRequest(url: server.url, bodyBytesMax: 100))
            }
        }
        return try #require(error)
    }

    /// An alert of TLS (RFC 8446, section 6), as OpenSSL sends it; or nothing at all.
    @Test(arguments: [[0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x46], []] as [[UInt8]])
    func theMessageNamesHTTPS(reply: [UInt8]) async throws {
        let error = try await failure(reply)
        #expect(error.code == .offline)
        #expect(error.message.contains("may speak https"))
        #expect(error.localizedDescription == error.message)
    }

    @Test func aReplyThatBreaksWithinItsHeadIsNoSignOfTLS() async throws {
        let error = try await failure(Array("HTTP/1.1 200 OK\r\nContent".utf8))
        #expect(!error.message.contains("https"))
    }
}
