import Foundation
import RemoteAssets
import SyncClient
import TestSupport
import Testing

@testable import WebTransfer

/// A cancelled request returns at once, at whatever moment, and the next one works.
@Suite struct CancellationTests {
    /// What a server does with a request.
    private enum Habit: String, CaseIterable {
        case answers
        case isSilent
        case stopsInTheHead
        case stopsInTheBody
        case neverEnds
    }

    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"

    /// A server whose habit stands in the path.
    private func server() throws -> RawServer {
        try RawServer { connection in
            while let head = connection.head() {
                let path = head.split(separator: " ")[1].dropFirst()
                switch Habit(rawValue: String(path)) {
                case .answers?: connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
                case .stopsInTheHead?: connection.send(String(Self.head.prefix(20)))
                case .stopsInTheBody?: connection.send(Self.head + "some")
                case .neverEnds?:
                    connection.send("HTTP/1.1 200 OK\r\n\r\n")
                    let piece = [UInt8](repeating: 1, count: 1 << 16)
                    while connection.send(piece) {}
                    return
                case .isSilent?, nil: break
                }
            }
        }
    }

    private func fetch(_ session: TransferSession, _ url: String) async throws -> Int {
        let response = try await session.send(TransferRequest(url: url, bodyBytesMax: .max))
        var count = 0
        while let piece = try await response.body.next() { count += piece.count }
        return count
    }

    private func cancelAtRandom(
        _ session: TransferSession, rounds: Int, seed: UInt64,
        habits: [Habit] = Habit.allCases, ofLibrary: String
    ) async throws {
        let server = try server()
        var random = SeededGenerator(seed: seed)
        for round in 0..<rounds {
            let habit = habits[round % habits.count]
            let task = Task { try await fetch(session, "\(server.url)/\(habit)") }
            // Before it started, while it starts, or a little later.
            if round % 3 > 0 {
                let pause = Int.random(in: 0...(round % 3 == 1 ? 300 : 5000), using: &random)
                try await Task.sleep(for: .microseconds(pause))
            }
            task.cancel()
            let place = "\(ofLibrary), seed \(seed), round \(round), \(habit)"
            do {
                let count = try await within(.seconds(10), place) { try await task.value }
                #expect(habit == .answers && count == 2, "\(place)")
            } catch {
                #expect((error as? TransferError)?.code == .cancelled, "\(place): \(error)")
            }
            if round % 20 == 0 {
                let count = try await within(.seconds(10), place) {
                    try await fetch(session, "\(server.url)/answers")
                }
                #expect(count == 2, "\(place)")
            }
        }
    }

    @Test(arguments: [1, 2] as [UInt64])
    func aRequestCanBeCancelledAtAnyMoment(seed: UInt64) async throws {
        let session = TransferSession(
            userAgent: "test", idleTimeout: 30, allowsInsecureHTTP: false)
        try await cancelAtRandom(session, rounds: 400, seed: seed, ofLibrary: "own")
        session.close()
    }

    /// The engine of Apple platforms, on Foundation's implementation for Linux.
    ///
    /// Only while nothing arrives: there Foundation ends the process when bytes meet a cancellation.
    @Test func aRequestOfURLSessionCanBeCancelledWhileItWaits() async throws {
        let session = TransferSession(
            engine: URLSessionEngine(idleTimeout: 30), userAgent: "test",
            allowsInsecureHTTP: false)
        try await cancelAtRandom(
            session, rounds: 200, seed: 3, habits: [.isSilent], ofLibrary: "URLSession")
        session.close()
    }

    @Test func anAssetCanBeCancelledAtAnyMoment() async throws {
        let server = try server()
        for round in 0..<200 {
            let habit = Habit.allCases[round % Habit.allCases.count]
            let url = try #require(URL(string: "\(server.url)/\(habit)"))
            let task = Task {
                try await AssetTransport.urlSession(AssetRequest(url: url, bytesMax: 1 << 20))
            }
            if round % 2 > 0 { try await Task.sleep(for: .microseconds(round * 10)) }
            task.cancel()
            do {
                _ = try await within(.seconds(10), "\(habit)") { try await task.value }
                #expect(habit == .answers)
            } catch {
                let code = (error as? AssetError)?.code
                #expect(code == .cancelled || habit == .neverEnds, "\(habit) \(error)")
            }
        }
    }

    /// Requests under way end with the transport, and later ones fail.
    @Test func closingEndsEverything() async throws {
        let server = try server()
        for _ in 0..<50 {
            let transport = HTTPTransport()
            let task = Task {
                try await transport.send(
                    TransportRequest(url: server.url + "/isSilent", bodyBytesMax: 100))
            }
            await Task.yield()
            transport.close()
            await #expect(throws: TransportError.self) { try await within { try await task.value } }
        }
    }

    /// A body that nobody reads to its end does not go on in the background.
    @Test func leavingABodyEndsItsRequest() async throws {
        let server = try server()
        let transport = HTTPTransport()
        defer { transport.close() }
        for _ in 0..<20 {
            let response = try await transport.send(
                TransportRequest(url: server.url + "/neverEnds", bodyBytesMax: .max))
            for try await _ in response.body { break }
        }
        let response = try await within {
            try await transport.send(
                TransportRequest(url: server.url + "/answers", bodyBytesMax: 100))
        }
        #expect(response.status == 200)
    }
}
