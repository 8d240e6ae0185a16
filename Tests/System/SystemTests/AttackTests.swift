import Foundation
import ServiceAPI
import Synchronization
import TestSupport
import Testing

/// What a stranger with a socket may try against the running program, in a short form.
///
/// Each test has a server of its own, whose greatest memory is part of what is expected.
@Suite struct AttackTests {
    /// A server with users, and what an attacker knows of it.
    private struct Target: Sendable {
        let folder: TemporaryFolder
        let server: Tool.Server

        init(_ arguments: [String] = []) async throws {
            folder = try TemporaryFolder()
            try folder.write("", to: "release/.keep")
            server = try await Tool.Server(
                [
                    "--release", folder.path + "/release", "--data", folder.path + "/users",
                ] + arguments)
        }

        func connect() throws -> RawSocket { try RawSocket(port: server.port) }

        /// One request on a connection of its own.
        func request(
            _ line: String, _ fields: String = "", body: [UInt8] = []
        ) throws -> RawSocket.Reply? {
            let socket = try connect()
            socket.send("\(line) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(fields)")
            socket.send("Content-Length: \(body.count)\r\n\r\n")
            socket.send(body)
            return socket.reply(within: 60)
        }

        /// A new account's id and its field `Authorization`.
        func account() throws -> (user: String, field: String) {
            let reply = try request("POST /api/accounts/v1/anonymous")
            let tokens = try AccountBody.Tokens(try #require(reply).body)
            return (tokens.user, "Authorization: Bearer \(tokens.accessToken)\r\n")
        }

        func isAlive() throws -> Bool { try request("GET /health/live")?.status == 200 }

        /// The most memory that the server ever had, in bytes.
        func memoryMax() throws -> Int {
            let path = "/proc/\(server.processIdentifier)/status"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let kilobytes = try #require(text.firstMatch(of: /VmHWM:\s+(\d+) kB/)?.1)
            return (Int(kilobytes) ?? .max) * 1024
        }
    }

    /// What went wrong on a thread that belongs to no test.
    private final class Findings: Sendable {
        private let list = Mutex<[(String, SourceLocation)]>([])

        var all: [(String, SourceLocation)] { list.withLock { $0 } }

        func expect(
            _ isTrue: Bool, _ what: @autoclosure () -> String = "",
            at place: SourceLocation = #_sourceLocation
        ) {
            guard !isTrue else { return }
            let text = what()
            list.withLock { $0.append((text, place)) }
        }

        /// Holds the most memory that a server ever had against a bound.
        func expectMemory(
            of target: Target, below bytesMax: Int, at place: SourceLocation = #_sourceLocation
        ) throws {
            let most = try target.memoryMax()
            let text = "the server had \(most / AttackTests.mebibyte) MiB"
            print("attack in line \(place.line): \(text)")
            expect(most < bytesMax, text, at: place)
        }
    }

    private func blocking(_ body: @escaping @Sendable (Findings) throws -> Void) async throws {
        let found = try await Tool.blocking {
            let findings = Findings()
            try body(findings)
            return findings.all
        }
        for (text, place) in found {
            Issue.record("not as expected \(text)", sourceLocation: place)
        }
    }

    private static let exchange = "POST \(UserDataRoutes.exchange)"
    private static let mebibyte = 1024 * 1024

    // MARK: Bodies

    @Test func aBodyThatExpandsOrIsDeepOrWideIsRefusedInBoundedMemory() async throws {
        let target = try await Target()
        try await blocking { findings in
            let (_, field) = try target.account()
            let bomb = try #require(
                Gzip.packed([UInt8](repeating: 0x20, count: 200 * Self.mebibyte)))
            let deep = [UInt8](repeating: UInt8(ascii: "["), count: 2 * Self.mebibyte)
            let wide = Array(("[" + String(repeating: "1,", count: 1_000_000) + "1]").utf8)
            let ones = Array((#"{"x":"# + String(repeating: "[[],", count: 200_000)).utf8)
            let gzip = "Content-Encoding: gzip\r\n"
            for (body, more, status) in [
                (bomb, gzip, 413), (deep, "", 400), (wide, "", 413), (ones, "", 400),
            ] {
                for _ in 0..<5 {
                    let reply = try target.request(Self.exchange, field + more, body: body)
                    findings.expect(reply?.status == status)
                }
            }
            findings.expect(try target.isAlive())
            try findings.expectMemory(of: target, below: 400 * Self.mebibyte)
        }
    }

    @Test func aStrangersBodyIsNotReadBeforeTheStrangerIsKnown() async throws {
        let target = try await Target()
        try await blocking { findings in
            // The body is announced and never sent: the reply must not wait for it.
            for (line, fields, status) in [
                (Self.exchange, "Content-Length: 2000000\r\n", 401),
                (Self.exchange, "Transfer-Encoding: chunked\r\n", 401),
                ("PUT /api/v1/collections/favourites/a", "Content-Length: 2000000\r\n", 401),
                ("POST /api/accounts/v1/sign-in", "Content-Length: 16385\r\n", 413),
                (
                    "POST /api/accounts/v1/sign-in",
                    "Content-Length: 100\r\nContent-Encoding: gzip\r\n", 415
                ),
                (Self.exchange, "Content-Length: 2097153\r\n", 413),
            ] {
                let socket = try target.connect()
                socket.send("\(line) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
                let reply = socket.reply()
                findings.expect(reply?.status == status, "\(line) \(fields)")
                let head = reply?.head.lowercased() ?? ""
                findings.expect(head.contains("x-content-type-options: nosniff"))
            }
            findings.expect(try target.isAlive())
        }
    }

    @Test func aBodyWithoutEndIsCutOff() async throws {
        let target = try await Target()
        try await blocking { findings in
            let (_, field) = try target.account()
            let socket = try target.connect()
            socket.send("\(Self.exchange) HTTP/1.1\r\nHost: a\r\n\(field)")
            socket.send("Transfer-Encoding: chunked\r\n\r\n")
            let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 32, count: 65_536) + [13, 10]
            var chunks = 0
            while chunks < 1000, socket.send(chunk) { chunks += 1 }
            findings.expect(chunks < 1000, "the server read 64 MB")
            findings.expect(try target.isAlive())
            try findings.expectMemory(of: target, below: 200 * Self.mebibyte)
        }
    }

    /// Other requests are answered while all that parses is busy.
    @Test func healthIsAnsweredWhileBodiesAreParsed() async throws {
        let target = try await Target()
        let (user, field) = try await Tool.blocking { try target.account() }
        let numbers = String(repeating: "1,", count: 120_000) + "1"
        let text = #"{"version":1,"user":"\#(user)","client":"d","request":1,"x":[\#(numbers)]}"#
        let body = try #require(Gzip.packed(Array(text.utf8)))
        let bodies = 24
        let done = Counter()
        let health = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<bodies {
                group.addTask {
                    try await Tool.blocking {
                        let gzip = field + "Content-Encoding: gzip\r\n"
                        let reply = try target.request(Self.exchange, gzip, body: body)
                        done.add()
                        return reply?.status == 200 ? 0 : -1_000_000
                    }
                }
            }
            group.addTask {
                try await Tool.blocking {
                    var count = 0
                    while done.value < bodies / 2 {
                        if try target.isAlive() { count += 1 }
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(health >= 5, "only \(health) replies while half of the bodies were parsed")
        try await blocking {
            try $0.expectMemory(of: target, below: 400 * Self.mebibyte)
        }
    }

    // MARK: Connections

    /// Heads, bodies and replies that take for ever, all at the same time.
    @Test func connectionsThatNeverEndAreEnded() async throws {
        let target = try await Target()
        try await blocking { findings in
            let (_, field) = try target.account()
            let heads = try (0..<40).map { _ in try target.connect() }
            let silent = try (0..<10).map { _ in try target.connect() }
            let bodies = try (0..<10).map { _ in
                let socket = try target.connect()
                socket.send("\(Self.exchange) HTTP/1.1\r\nHost: a\r\n\(field)")
                socket.send("Content-Length: 1000\r\n\r\n")
                return socket
            }
            let deaf = try target.connect()
            let unread = "GET \(UserDataRoutes.description) HTTP/1.1\r\nHost: a\r\n\r\n"
            while deaf.send(Array(String(repeating: unread, count: 100).utf8), within: 1) {}
            for socket in heads { socket.send("GET / HTTP/1.1\r\nHost: a\r\nX: ") }
            let start = ContinuousClock.now
            var headsEnded: Duration?
            while ContinuousClock.now - start < .seconds(60) {
                for socket in heads + bodies where !socket.isEnded { socket.send("x") }
                for socket in heads + bodies + silent { socket.read(within: 0) }
                findings.expect(try target.isAlive())
                if (heads + silent).allSatisfy(\.isEnded) {
                    headsEnded = headsEnded ?? ContinuousClock.now - start
                    if bodies.allSatisfy(\.isEnded), deaf.isReset { break }
                }
                usleep(300_000)
            }
            findings.expect(try #require(headsEnded) < .seconds(20))
            findings.expect(bodies.allSatisfy { $0.isEnded })
            findings.expect(deaf.isReset, "a reply that nobody reads")
        }
    }

    @Test func aClientThatReadsNothingIsNotAnsweredWithoutEnd() async throws {
        let target = try await Target()
        try await blocking { findings in
            let socket = try target.connect()
            let request = "GET \(UserDataRoutes.description) HTTP/1.1\r\nHost: a\r\n\r\n"
            let many = Array(String(repeating: request, count: 1000).utf8)
            var rounds = 0
            while rounds < 500, socket.send(many, within: 2) { rounds += 1 }
            findings.expect(
                rounds < 500, "the server took 500,000 requests whose replies nobody read")
            findings.expect(try target.isAlive())
            try findings.expectMemory(of: target, below: 250 * Self.mebibyte)
        }
    }

    @Test func oneAddressHasSoManyConnections() async throws {
        let target = try await Target(["--connections-per-address", "8"])
        try await blocking { findings in
            let first = try (0..<8).map { _ in try target.connect() }
            // Each was accepted once it is answered.
            for socket in first {
                socket.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n")
                findings.expect(socket.reply()?.status == 200)
            }
            for _ in 0..<20 {
                let socket = try target.connect()
                findings.expect(socket.readToEnd(within: 5) == "")
                findings.expect(socket.isEnded)
            }
            for socket in first {
                socket.send("GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                findings.expect(socket.readToEnd(within: 5).hasPrefix("HTTP/1.1 200"))
            }
            // Those have left; there is room again as soon as the server has seen it.
            let end = ContinuousClock.now + .seconds(5)
            var isAlive = false
            while !isAlive, ContinuousClock.now < end { isAlive = try target.isAlive() }
            findings.expect(isAlive)
        }
    }

    @Test func aServerThatRunsOutOfFilesGoesOn() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "release/.keep")
        let server = try await Tool.Server(
            ["--release", folder.path + "/release", "--data", folder.path + "/users"],
            openFilesMax: 160)
        try await blocking { findings in
            let health = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"
            // Some have been answered and keep their connections, some say nothing at all.
            let idle = try (0..<30).map { _ in try RawSocket(port: server.port) }
            for socket in idle {
                socket.send(health)
                findings.expect(socket.reply()?.status == 200)
            }
            let crowd = try (0..<200).map { _ in try RawSocket(port: server.port) }
            let newcomer = try RawSocket(port: server.port)
            newcomer.send(health)
            for socket in crowd { socket.finish() }
            findings.expect(newcomer.reply(within: 30)?.status == 200)
            findings.expect(idle.count + crowd.count == 230)
            let socket = try RawSocket(port: server.port)
            socket.send("POST /api/accounts/v1/anonymous HTTP/1.1\r\nHost: a\r\n")
            socket.send("Content-Length: 0\r\n\r\n")
            findings.expect(socket.reply()?.status == 201)
        }
    }

    // MARK: Requests

    @Test func aRequestHasOneMeaning() async throws {
        let target = try await Target()
        try await blocking { findings in
            let second = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"
            for fields in [
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                "Content-Length: 5\r\nContent-Length: 6\r\n", "Host: b\r\n", "X: y\r\n z\r\n",
                "X : y\r\n", "X: y\nZ: w\r\n",
            ] {
                let socket = try target.connect()
                socket.send("POST /health/live HTTP/1.1\r\nHost: a\r\n\(fields)\r\n" + second)
                let text = socket.readToEnd()
                findings.expect(text.hasPrefix("HTTP/1.1 400 "), "\(fields)")
                findings.expect(text.ranges(of: "HTTP/1.1 ").count == 1, "\(fields)")
                findings.expect(socket.isEnded)
            }
        }
    }

    @Test func aClientIsToldToSendItsBodyWhenItWillBeRead() async throws {
        let target = try await Target()
        try await blocking { findings in
            let (user, field) = try target.account()
            let body = #"{"version":1,"user":"\#(user)","client":"d","request":1}"#
            let head =
                "\(Self.exchange) HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                + "Content-Length: \(body.utf8.count)\r\n"
            let known = try target.connect()
            known.send(head + field + "\r\n")
            findings.expect(known.reply()?.status == 100)
            known.send(body)
            findings.expect(known.reply()?.status == 200)
            let stranger = try target.connect()
            stranger.send(head + "\r\n")
            findings.expect(stranger.reply()?.status == 401)
            findings.expect(stranger.readToEnd() == "" && stranger.isEnded)
        }
    }

    @Test func theDevelopmentServerAnswersOnlyHostsThatItWasTold() async throws {
        let folder = try TemporaryFolder()
        try folder.writeContent(["es"])
        let server = try await Tool.Server(
            [
                "--content", folder.path + "/content", "--release", folder.path + "/dev",
                "--allow-host", "mymac.local",
            ], command: ["dev"])
        try await blocking { findings in
            for (host, status) in [
                ("127.0.0.1:\(server.port)", 200), ("localhost", 200), ("mymac.local", 200),
                ("rebound.example:\(server.port)", 421), ("127.0.0.1.example", 421),
            ] {
                let socket = try RawSocket(port: server.port)
                socket.send("GET /health/live HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                findings.expect(socket.reply()?.status == status, "\(host)")
            }
        }
    }

    // MARK: Rates

    @Test func anAddressMakesSoManyAccounts() async throws {
        let target = try await Target(["--trusted-proxy", "127.0.0.1"])
        try await blocking { findings in
            func status(_ client: String) throws -> Int? {
                try target.request(
                    "POST /api/accounts/v1/anonymous", "X-Forwarded-For: \(client)\r\n")?.status
            }
            var made = 0
            for number in 0..<(2 * ServiceLimits.signInsPerMinute) {
                // Another address of one network each time, and a lie before it.
                let code = try status("10.1.1.\(number), 2001:db8:1:2::\(number)")
                if code == 201 { made += 1 } else { findings.expect(code == 429) }
            }
            // What flows in again while the test runs is a few.
            findings.expect(
                (ServiceLimits.signInsPerMinute...(ServiceLimits.signInsPerMinute + 15))
                    .contains(made))
            findings.expect(try status("2001:db8:1:3::1") == 201)
            findings.expect(try status("192.0.2.1") == 201)
        }
    }

    @Test func everyRouteOfAUserHasARate() async throws {
        let target = try await Target()
        try await blocking { findings in
            let (_, field) = try target.account()
            for (line, limit) in [
                ("GET /api/accounts/v1/export", ServiceLimits.exportsPerMinute),
                ("GET \(UserDataRoutes.progress)", ServiceLimits.progressRequestsPerMinute),
                ("GET /api/v1/collections/favourites", ServiceLimits.recordRequestsPerMinute),
            ] {
                var isLimited = false
                for _ in 0..<(limit * 3) where !isLimited {
                    isLimited = try target.request(line, field)?.status == 429
                }
                findings.expect(isLimited, "\(line)")
            }
        }
    }

    // MARK: The disk

    @Test func aServerWithAFullDiskIsNotReady() async throws {
        let fleet = try Fleet(["es"])
        let users = fleet.folder.path + "/users"
        let server = try await Tool.Server(["--release", fleet.release, "--data", users])
        // Writing to the probe's file says "no space left on device".
        try FileManager.default.createSymbolicLink(
            atPath: users + "/.ready-probe", withDestinationPath: "/dev/full")
        try await blocking { findings in
            let socket = try RawSocket(port: server.port)
            socket.send("GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n")
            let reply = try #require(socket.reply())
            findings.expect(reply.status == 503)
            let text = String(decoding: reply.body, as: UTF8.self)
            findings.expect(text.contains("cannot be written"))
            socket.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n")
            findings.expect(socket.reply()?.status == 200)
        }
    }
}

/// Counts across threads.
private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}
