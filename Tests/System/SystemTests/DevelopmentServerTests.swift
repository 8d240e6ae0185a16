import Foundation
import Logging
import ServerApplication
import ServiceAPI
import ServiceLifecycle
import SyncClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct DevelopmentServerTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// An app that listens gets the event; the server ends when there is nothing left to publish.
    @Test func eventsReachAppsAndTheServerEndsWithThePublishing() async throws {
        let folder = try TemporaryFolder()
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let server = DevelopmentServer(
            release: folder.path, onListening: { port.yield($0) },
            publishing: { send in
                send(.failure("The disk is full."))
                for await _ in ends { return }
            })
        let configuration = ServiceGroupConfiguration(
            services: server.services(logger: logger), logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await ServiceGroup(configuration: configuration).run() }
            let number = try #require(await ports.first { _ in true })
            let first = try await Self.firstBytes(
                "http://127.0.0.1:\(number)\(DevelopmentEvent.route)")
            #expect(first.contains("The disk is full."))
            end.yield()
            try await group.waitForAll()
        }
    }

    private static func firstBytes(_ address: String) async throws -> String {
        let transport = HTTPTransport()
        defer { transport.close() }
        let response = try await transport.send(
            TransportRequest(
                url: address, headers: ["Accept": "text/event-stream"], bodyBytesMax: 1 << 20))
        #expect(response.status == 200)
        for try await piece in response.body { return String(decoding: piece, as: UTF8.self) }
        return ""
    }
}
