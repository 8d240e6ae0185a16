import DatabaseTestSupport
import Foundation
import HTTPTypes
import Logging
import PostgresDriver
import ServerApplication
import ServerTestSupport
import ServiceAPI
import ServiceLifecycle
import SyncClient
import Synchronization
import TestSupport
import Testing

/// PostgreSQL, or the pooler before it, is killed while two listening processes serve six devices.
@Suite struct KilledDatabaseTests {
    /// What the devices saw.
    private final class Findings: Sendable {
        struct Counts {
            var replies = 0
            var postponed = 0
            var longest = Duration.zero
            var others: [String] = []
        }

        private let counts = Mutex(Counts())
        private let isOver = Atomic(false)

        var now: Counts { counts.withLock { $0 } }
        var hasEnded: Bool { isOver.load(ordering: .sequentiallyConsistent) }
        func end() { isOver.store(true, ordering: .sequentiallyConsistent) }
        func note(_ body: (inout Counts) -> Void) { counts.withLock { body(&$0) } }
    }

    /// A device that writes one record after the other, each until it is acknowledged, and renews its session.
    private struct Device: Sendable {
        let name: String
        var tokens: AccountBody.Tokens
        var acknowledged: [String: Int] = [:]
        var number = 0

        mutating func work(at urls: [String], _ findings: Findings) async throws {
            let transport = HTTPTransport()
            defer { transport.close() }
            while !findings.hasEnded {
                number += 1
                let id = "\(name)-\(number % 7)"
                let tag = acknowledged[id].map { "\"\($0)\"" }
                let body = Array(#"{"fields":{"n":\#(number)}}"#.utf8)
                let url = urls[number % urls.count]
                while true {
                    let reply = try await send(
                        "PUT", url + TestClient.record(id), body, tag, transport, findings)
                    if reply.isPostponed, !findings.hasEnded { continue }
                    if reply.isPostponed { break }
                    let revision = reply.headers[.eTag].flatMap { Int($0.dropFirst().dropLast()) }
                    // Sent again after a lost reply, it meets what it wrote itself.
                    let isOwn =
                        [.conflict, .needsRevision].contains(reply.code)
                        && reply.text.contains("{\"n\":\(number)}")
                    guard reply.isSuccess || isOwn, let revision else { throw reply.failure }
                    acknowledged[id] = revision
                    break
                }
                if number % 10 == 0 { try await renew(url, transport, findings) }
            }
        }

        private mutating func renew(
            _ url: String, _ transport: HTTPTransport, _ findings: Findings
        ) async throws {
            let body = Array(#"{"refresh_token":"\#(tokens.refreshToken)"}"#.utf8)
            let path = url + UserDataRoutes.accounts + "/refresh"
            while true {
                let reply = try await send("POST", path, body, nil, transport, findings)
                if reply.isPostponed || reply.code == .tooManyRequests {
                    if findings.hasEnded { return }
                    continue
                }
                guard reply.isSuccess else { throw reply.failure }
                tokens = try AccountBody.Tokens(reply.body)
                return
            }
        }

        private func send(
            _ method: String, _ url: String, _ body: [UInt8], _ tag: String?,
            _ transport: HTTPTransport, _ findings: Findings
        ) async throws -> TestClient.Reply {
            var request = TransportRequest(
                url: try #require(URL(string: url)), bodyBytesMax: 1 << 20)
            request.method = method
            request.body = body
            request.headers = [
                "authorization": "Bearer " + tokens.accessToken, "content-type": "application/json",
            ]
            if let tag { request.headers["if-match"] = tag }
            let begin = ContinuousClock.now
            let response = try await transport.send(request)
            var fields = HTTPFields()
            for (name, value) in response.headers {
                if let name = HTTPField.Name(name) { fields[name] = value }
            }
            var bytes: [UInt8] = []
            for try await piece in response.body { bytes += piece }
            let reply = TestClient.Reply(
                status: .init(code: response.status), headers: fields, body: bytes)
            let time = ContinuousClock.now - begin
            findings.note { counts in
                counts.longest = max(counts.longest, time)
                if reply.isPostponed { counts.postponed += 1 } else { counts.replies += 1 }
            }
            return reply
        }
    }

    @Test func whatWasAcknowledgedOutlivesAKilledDatabase() async throws {
        var settings = PostgresServer.Settings()
        settings.syncsToDisk = true
        let host = try PostgresServer(settings)
        let server = try await UserDatabaseServer(on: host)
        try await outlive(server, server.login, kill: host.kill) {
            // A session that began during the kill holds the memory for a moment longer.
            try await eventually("the server starts") { (try? host.start()) != nil }
        }
    }

    @Test func whatWasAcknowledgedOutlivesAKilledPooler() async throws {
        let server = try await UserDatabaseServer()
        let pooler = try PgBouncerServer(
            server.host, users: ["underway_server": server.host.password])
        let address = pooler.address(
            server.admin.database ?? "", user: "underway_server", password: server.host.password)
        try await outlive(server, address, kill: pooler.kill, restart: pooler.start)
    }

    /// Kills three times while devices work, each time until some were refused, and compares what they were told with
    /// what is stored.
    private func outlive(
        _ server: UserDatabaseServer, _ address: PostgresAddress, kill: @Sendable () -> Void,
        restart: @Sendable () async throws -> Void
    ) async throws {
        let one = try await TestProcess(address)
        let two = try await TestProcess(address, beside: one)
        var devices: [Device] = []
        for number in 0..<6 {
            let tokens = try #require(try await one.newClient().tokens)
            devices.append(Device(name: "d\(number)", tokens: tokens))
        }
        let findings = Findings()
        let start = devices
        let ended = try await listening(one) { first in
            try await listening(two) { second in
                try await withThrowingTaskGroup(of: Device.self) { group in
                    for device in start {
                        group.addTask {
                            var device = device
                            try await device.work(at: [first, second], findings)
                            return device
                        }
                    }
                    for _ in 0..<3 {
                        let replies = findings.now.replies
                        try await eventually("requests are served") {
                            findings.now.replies > replies + 60
                        }
                        let postponed = findings.now.postponed
                        kill()
                        try await eventually("requests are postponed") {
                            findings.now.postponed > postponed + 12
                        }
                        try await eventually("no process is ready") {
                            for process in [one, two] where try await !isUnready(process) {
                                return false
                            }
                            return true
                        }
                        try await restart()
                    }
                    let replies = findings.now.replies
                    try await eventually("requests are served again") {
                        findings.now.replies > replies + 60
                    }
                    findings.end()
                    return try await group.reduce(into: [Device]()) { $0.append($1) }
                }
            }
        }
        print(
            "\(findings.now.replies) replies, \(findings.now.postponed) postponed,", terminator: " "
        )
        print("the longest took \(findings.now.longest)")
        // Waiting for a connection that breaks is the longest that a request has to.
        #expect(findings.now.longest < .seconds(15))
        for device in ended { try await expectStored(device, at: two) }
        for process in [one, two] {
            try await eventually("it is ready") {
                try await process.client.send(.get, "/health/ready").status == .ok
            }
        }
    }

    private func isUnready(_ process: TestProcess) async throws -> Bool {
        let reply = try await process.client.send(.get, "/health/ready")
        return reply.status == .serviceUnavailable && reply.text.contains("does not answer")
    }

    private func expectStored(_ device: Device, at process: TestProcess) async throws {
        var client = process.client
        client.tokens = device.tokens
        #expect(!device.acknowledged.isEmpty)
        for (id, revision) in device.acknowledged {
            let reply = try await client.get(id)
            let stored = reply.headers[.eTag].flatMap { Int($0.dropFirst().dropLast()) } ?? 0
            // A write whose reply was lost may have come after it.
            #expect(stored >= revision, "\(id): \(reply.text)")
        }
    }

    /// Serves on a free port of the loopback while `body` runs.
    private func listening<Value: Sendable>(
        _ process: TestProcess, _ body: @Sendable (_ url: String) async throws -> Value
    ) async throws -> Value {
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let service = ContentApplication.build(
            ServerOptions(
                release: process.release, port: 0, threads: 1, users: process.users,
                onListening: { continuation.yield($0) }), logger: process.log.logger)
        let group = ServiceGroup(services: [service], logger: process.log.logger)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            guard let port = await ports.first(where: { _ in true }) else {
                throw CancellationError()
            }
            let result: Result<Value, any Error>
            do {
                result = .success(try await body("http://127.0.0.1:\(port)"))
            } catch {
                result = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return try result.get()
        }
    }
}
