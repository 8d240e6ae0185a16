import Foundation
import Synchronization
import TestSupport
import Testing
import WebTransfer

@testable import SyncClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct TransportOptionTests {
    @Test func extraFieldsAreSentWithEachRequest() async throws {
        let heads = Mutex<[String]>([])
        let server = try RawServer { connection in
            while let head = connection.head() {
                heads.withLock { $0.append(head) }
                connection.send("HTTP/1.1 304 No\r\n\r\n")
            }
        }
        let transport = HTTPTransport(
            headerFields: try ExtraHeaderFields(["X-Key": "a b", "x-App": "3"]))
        defer { transport.close() }
        for headers in [[:], ["x-key": "own"]] {
            _ = try await within {
                try await transport.send(
                    TransportRequest(url: server.url, headers: headers, bodyBytesMax: 1))
            }
        }
        let seen = heads.withLock { $0 }
        #expect(seen.count == 2)
        #expect(seen[0].contains("X-Key: a b\r\n") && seen[0].contains("x-App: 3\r\n"))
        // The request's own field stands, once.
        #expect(seen[1].contains("x-key: own\r\n") && !seen[1].contains("X-Key"))
    }

    @Test(arguments: [
        ["Authorization": "Bearer x"], ["user-agent": "x"], ["RANGE": "bytes=0-"], ["": "x"],
        ["X Key": "x"], ["X-Key:": "x"], ["X-Key": "a\r\nY: b"], ["X-Key": "a\0"],
        ["X-Key": "ä"], ["X-Key": "a", "x-key": "b"],
        ["X-Key": String(repeating: "a", count: ExtraHeaderFields.bytesMax)],
    ])
    func otherFieldsAreRefused(fields: [String: String]) {
        let error = #expect(throws: TransportError.self) { try ExtraHeaderFields(fields) }
        #expect(error?.code == .badHeaderField)
    }

    /// Whatever the SDK itself sets in a request is reserved.
    @Test func fieldsOfTheSDKAreReserved() {
        for name in [
            "accept", "accept-encoding", "authorization", "cache-control", "content-encoding",
            "content-type", "if-none-match", "if-range", "range", "user-agent",
        ] {
            #expect(ExtraHeaderFields.reserved.contains(name))
        }
    }

    @Test func audioWaitsForANetworkThatCostsNothing() throws {
        let url = try URL(address: "https://host.example")
        func allowed(_ transport: HTTPTransport, _ purpose: TransferPurpose) -> [Bool] {
            let request = transport.transfer(
                TransportRequest(url: url, bodyBytesMax: 1, purpose: purpose))
            return [request.allowsExpensiveNetwork, request.allowsConstrainedNetwork]
        }
        let standard = HTTPTransport()
        #expect(allowed(standard, .content) == [true, true])
        #expect(allowed(standard, .userData) == [true, true])
        #expect(allowed(standard, .audio) == [false, false])
        #expect(allowed(standard, .prefetch) == [false, false])
        let free = HTTPTransport(networkPolicy: .unrestricted)
        #expect(allowed(free, .audio) == [true, true])
        let own = HTTPTransport(
            networkPolicy: NetworkPolicy(deniedOnExpensive: [.media], deniedOnConstrained: []))
        #expect(allowed(own, .media) == [false, true] && allowed(own, .audio) == [true, true])
    }

    /// On Linux the silence that a configuration allows is what counts of it.
    @Test func aConfigurationSetsTheSilenceOfAConnection() async throws {
        let server = try RawServer { connection in
            _ = connection.head()
            _ = connection.head()
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 1
        let transport = HTTPTransport(configuration: configuration)
        defer { transport.close() }
        let error = await #expect(throws: TransportError.self) {
            try await within {
                try await transport.send(TransportRequest(url: server.url, bodyBytesMax: 1))
            }
        }
        #expect(error?.code == .timedOut)
    }
}
