import Foundation
import OfflineStorage
import ServiceAPI
import SyncClient
import TestSupport
import Testing
import UserData

/// The stream of a live event, through the SDK and a server that is killed meanwhile.
@Suite struct LiveEventStreamTests {
    private let devices: CommandDevices
    private let transport = HTTPTransport()

    init() async throws {
        devices = try await CommandDevices()
        let result = try await Tool.run([
            "event", "define", "finals", "--bank", "es", "--data",
            devices.fleet.folder.path + "/users",
            "--start", (Date() - 60).formatted(.iso8601),
            "--end", (Date() + 3600).formatted(.iso8601),
        ])
        #expect(result.status == 0, "\(result)")
    }

    private func account(_ name: String) async throws -> Account {
        let folder = URL(fileURLWithPath: devices.fleet.folder.path + "/\(name)")
        let account = Account(
            store: try UserStore(folder: folder),
            secrets: try FileSecretStore(folder: folder.appending(path: "secrets")),
            transport: transport, serverURL: try URL(address: devices.address))
        try await account.ensure()
        return account
    }

    /// Returns the first page that fulfils a condition.
    private func next(
        _ pages: inout LiveEventUpdates.Iterator, where isRight: (LiveEventPage) -> Bool
    ) async throws -> LiveEventPage {
        while let page = try await pages.next() {
            if isRight(page) { return page }
        }
        throw CancellationError()
    }

    @Test(.timeLimit(.minutes(3)))
    func aWatcherSeesWhatOthersDoThroughARestart() async throws {
        defer { try? devices.server.kill() }
        let (ada, grace) = (try await account("ada"), try await account("grace"))
        var pages = grace.watch("finals").makeAsyncIterator()
        #expect(try await next(&pages) { !$0.isStale }.placeCount == 0)
        try await ada.setBoardProfile(name: "Ada")
        #expect(try await ada.submit(points: 30, id: "a", to: "finals").result == .counted)
        let page = try await next(&pages) { $0.placeCount == 1 }
        #expect(page.top.map(\.name) == ["Ada"] && page.own == nil)
        try devices.server.kill()
        try await devices.server.start()
        #expect(try await ada.submit(points: 30, id: "a", to: "finals").result == .duplicate)
        #expect(try await ada.submit(points: 5, id: "b", to: "finals").score == 35)
        #expect(try await next(&pages) { $0.top.first?.score == 35 }.placeCount == 1)
        let own = try await ada.event("finals").own
        #expect(own?.rank == 1 && own?.isOwn == true)
    }

    @Test(.timeLimit(.minutes(3)))
    func aCancelledWatcherEnds() async throws {
        defer { try? devices.server.kill() }
        let account = try await account("ada")
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        let watching = Task {
            var count = 0
            for try await _ in account.watch("finals") {
                count += 1
                signal.yield()
            }
            return count
        }
        for await _ in started { break }
        watching.cancel()
        #expect(try await watching.value >= 1)
    }

    @Test func whatAnotherAttemptDoesNotChangeIsThrown() async throws {
        defer { try? devices.server.kill() }
        let account = try await account("ada")
        var pages = account.watch("none").makeAsyncIterator()
        await #expect(throws: ServiceError.self) { try await pages.next() }
        await #expect(throws: ServiceError.self) {
            try await account.submit(points: 101, id: "a", to: "finals")
        }
        await #expect(throws: ServiceError.self) {
            try await account.submit(points: 1, id: "not an id", to: "finals")
        }
    }

    /// By hand, as a client in another language would: an id that is current brings no frame again.
    @Test(.timeLimit(.minutes(3)))
    func aStreamGoesOnBehindTheLastEventID() async throws {
        defer { try? devices.server.kill() }
        let account = try await account("ada")
        _ = try await account.submit(points: 30, id: "a", to: "finals")
        let tokens = try await anonymous()
        func frames(_ last: String?) async throws -> TransportResponse {
            var headers = ["Authorization": "Bearer " + tokens.accessToken]
            headers["Last-Event-ID"] = last
            return try await transport.send(
                TransportRequest(
                    url: try URL(
                        address: devices.address + UserDataRoutes.events + "/finals/stream"),
                    headers: headers, bodyBytesMax: 1 << 20))
        }
        func message(
            _ response: TransportResponse, where isRight: (LiveEventPage) -> Bool
        ) async throws -> EventMessage {
            var parser = EventStreamParser()
            for try await piece in response.body {
                for message in parser.append(piece)
                where isRight(try LiveEventPage(Array(message.data.utf8))) { return message }
            }
            throw CancellationError()
        }
        let first = try await frames(nil)
        #expect(first.headers["content-type"] == "text/event-stream")
        let known = try await message(first) { $0.placeCount == 1 && !$0.isStale }
        let resumed = try await frames(known.id)
        _ = try await account.submit(points: 1, id: "b", to: "finals")
        // The first that comes is the new one.
        #expect(try await message(resumed) { _ in true }.id != known.id)
        // The sixth stream of a user is accepted, and ends the oldest.
        let oldest = try await frames(nil)
        var open: [TransportResponse] = []
        for _ in 0..<ServiceLimits.eventWatchersPerUser { open.append(try await frames(nil)) }
        #expect(open.allSatisfy { $0.status == 200 })
        for try await _ in oldest.body {}
    }

    private func anonymous() async throws -> AccountBody.Tokens {
        let response = try await transport.send(
            TransportRequest(
                "POST",
                url: try URL(address: devices.address + UserDataRoutes.accounts + "/anonymous"),
                bodyBytesMax: 1 << 20))
        var bytes: [UInt8] = []
        for try await piece in response.body { bytes += piece }
        return try AccountBody.Tokens(bytes)
    }
}
