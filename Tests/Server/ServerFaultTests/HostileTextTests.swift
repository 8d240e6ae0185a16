import ContentModel
import Foundation
import HTTPTypes
import PostgresDriver
import ServerTestSupport
import ServiceAPI
import Synchronization
import TestSupport
import Testing
import UserData

/// Hostile texts at every door: SQLite and PostgreSQL give the same reply, and none of them fails.
@Suite struct HostileTextTests {
    /// A clock that goes on with each request, so that no limit is reached.
    private final class Clock: Sendable {
        private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        var now: Date { time.withLock { $0 } }
        func advance() { time.withLock { $0 += 10 } }
    }

    /// The number of requests that were accepted.
    private final class Counter: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .sequentiallyConsistent) }
        func add() { count.add(1, ordering: .sequentiallyConsistent) }
    }

    /// The same service on both databases, and one client at each.
    private struct Pair {
        let server: UserDatabaseServer
        let processes: [TestProcess]
        var clients: [TestClient] = []
        private let clock: Clock
        private let accepted = Counter()

        init() async throws {
            let clock = Clock()
            self.clock = clock
            server = try await UserDatabaseServer()
            processes = [
                try await TestProcess(nil, clock: { clock.now }),
                try await TestProcess(server.login, clock: { clock.now }),
            ]
            try await begin()
        }

        /// Begins with new accounts.
        mutating func begin() async throws {
            clients = []
            for process in processes { clients.append(try await process.newClient()) }
            clock.advance()
        }

        /// Sends a request to both and compares the replies.
        @discardableResult
        func send(
            _ method: String, _ path: String, _ body: [UInt8] = [],
            _ headers: [HTTPField.Name: String] = [:],
            at place: SourceLocation = #_sourceLocation
        ) async throws -> TestClient.Reply {
            var replies: [TestClient.Reply] = []
            let request =
                "\(method) \(path.prefix(200)) \(String(decoding: body.prefix(300), as: UTF8.self))"
            for client in clients {
                var fields: HTTPFields = [
                    .contentType: "application/json",
                    .authorization: "Bearer " + (client.tokens?.accessToken ?? ""),
                ]
                for (name, value) in headers { fields[name] = value }
                replies.append(
                    try await client.router.send(
                        try #require(HTTPRequest.Method(method)), path, fields,
                        body: Self.replacing(body, client.tokens?.user ?? "")))
            }
            clock.advance()
            let (one, other) = (replies[0], replies[1])
            #expect(one.status == other.status, "\(request)\n\(other.text)", sourceLocation: place)
            #expect(one.status.code < 500, "\(request)\n\(one.text)", sourceLocation: place)
            #expect(other.status.code < 500, "\(request)\n\(other.text)", sourceLocation: place)
            #expect(one.headers[.eTag] == other.headers[.eTag], "\(request)", sourceLocation: place)
            if other.isSuccess, !body.isEmpty { accepted.add() }
            let bodies = zip(replies, clients).map { Self.comparable($0, $1) }
            #expect(bodies[0] == bodies[1], "\(request)", sourceLocation: place)
            return other
        }

        private static func replacing(_ body: [UInt8], _ user: String) -> [UInt8] {
            guard let range = body.firstRange(of: Array("USER".utf8)) else { return body }
            var body = body
            body.replaceSubrange(range, with: Array(user.utf8))
            return body
        }

        /// A body without what differs between two servers.
        private static func comparable(_ reply: TestClient.Reply, _ client: TestClient) -> String {
            let text = reply.text.replacing(client.tokens?.user ?? "-", with: "USER")
            guard reply.status == .ok || reply.status == .created,
                case .object(var members)? = try? JSONParser.parse(Array(text.utf8)).value
            else { return text }
            for name in ["access_token", "refresh_token", "user", "epoch", "head"] {
                members[name] = nil
            }
            return String(decoding: JSONValue.object(members).canonicalBytes, as: UTF8.self)
        }

        /// Expects that the requests themselves are right: some of them wrote something.
        func expectAccepted() { #expect(accepted.value > 0) }

        /// Expects that both have the same data, and all tables, and that no request failed.
        func expectUnharmed() async throws {
            try await send("GET", UserDataRoutes.accounts + "/export")
            try await send("GET", UserDataRoutes.collections + "/stars?limit=500")
            try await send("GET", UserDataRoutes.devices)
            let tables = try await server.number(
                "SELECT count(*) AS n FROM pg_tables WHERE schemaname = 'underway'")
            #expect(tables > 15)
            for process in processes { #expect(process.log.text == "") }
        }
    }

    private static func filled(_ body: String, _ value: [UInt8]) -> [UInt8] {
        let parts = body.split(separator: "§", omittingEmptySubsequences: false)
        return Array(parts[0].utf8) + value + Array((parts.count > 1 ? parts[1] : "").utf8)
    }

    // MARK: Addresses and fields

    @Test func addressesAreJudgedAlike() async throws {
        var pair = try await Pair()
        for text in HostileTexts.all {
            try await pair.begin()
            let part = HostileTexts.encoded(text)
            let body = Array(#"{"fields":{"n":1}}"#.utf8)
            for path in [
                "/collections/stars/\(part)", "/collections/\(part)/a", "/collections/\(part)",
                "/collections/stars?after=\(part)", "/collections/stars?limit=\(part)",
                "/exams/\(part)/x/changes", "/exams/de/\(part)/questions",
                "/exams/de/x/changes?since=\(part)&limit=\(part)",
                "/exams/de/x/questions?difficulty=\(part)", "/exams/de/x/questions?after=\(part)",
            ] { try await pair.send("GET", "/api/v1" + path) }
            try await pair.send("PUT", "/api/v1/collections/stars/\(part)", body)
            try await pair.send("GET", "/api/v1/collections/stars/\(part)")
            try await pair.send(
                "DELETE", "/api/v1/collections/stars/\(part)", [], [.ifMatch: "\"1\""])
            try await pair.send("PUT", "/api/v1/collections/\(part)/a", body)
            try await pair.send("DELETE", UserDataRoutes.devices + "/\(part)")
            try await pair.send("POST", UserDataRoutes.accounts + "/\(part)")
        }
        try await pair.expectUnharmed()
        pair.expectAccepted()
    }

    @Test func fieldsOfHeadersAreJudgedAlike() async throws {
        var pair = try await Pair()
        let body = Array(#"{"fields":{"n":1}}"#.utf8)
        for text in HostileTexts.all {
            try await pair.begin()
            let path = "/api/v1/collections/stars/a"
            for value in [text, "\"\(text)\"", "W/\"\(text)\"", "\"1\", \"\(text)\""] {
                try await pair.send("PUT", path, body, [.ifMatch: value])
            }
            for name in [
                HTTPField.Name.authorization, .contentType, .contentEncoding, .acceptEncoding,
                .contentLength,
            ] {
                try await pair.send("PUT", path, body, [name: text])
            }
            try await pair.send("GET", path, [], [.authorization: "Bearer \(text)"])
            try await pair.send("GET", path, [], [.authorization: "Bearer a.\(text).b"])
        }
        try await pair.expectUnharmed()
        pair.expectAccepted()
    }

    // MARK: Bodies

    @Test func textsInBodiesAreJudgedAlike() async throws {
        var pair = try await Pair()
        for text in HostileTexts.all {
            let value = JSONValue.string(text).canonicalBytes
            try await pair.begin()
            for (method, path, body) in HostileTexts.members {
                try await pair.send(method, path, Self.filled(body, value))
            }
            try await pair.expectUnharmed()
        }
        pair.expectAccepted()
    }

    @Test func valuesInBodiesAreJudgedAlike() async throws {
        var pair = try await Pair()
        for value in HostileTexts.values {
            try await pair.begin()
            for (method, path, body) in HostileTexts.members {
                try await pair.send(method, path, Self.filled(body, value))
            }
            try await pair.expectUnharmed()
        }
        for body in HostileTexts.bodies {
            try await pair.begin()
            for (method, path, _) in HostileTexts.members {
                try await pair.send(method, path, body)
            }
            try await pair.expectUnharmed()
        }
        pair.expectAccepted()
    }

    /// Answers have texts in many places, which no constraint may stop.
    @Test func textsOfAnswersAreJudgedAlike() async throws {
        var pair = try await Pair()
        for (number, text) in HostileTexts.all.enumerated() {
            if number.isMultiple(of: 20) { try await pair.begin() }
            let span = AnswerSpan(client: ClientID("a\(number)"), first: 1, count: 2)
            let row = AnswerRow(
                bank: text, session: text, question: text, options: [text, "a"], isCorrect: true,
                takenMilliseconds: 1, exposuresBefore: 0, mode: text, milliseconds: 5)
            var request = ExchangeRequest(
                number: 1, user: "USER", client: span.client, epoch: nil, cursor: 0,
                operations: [], knownAnswers: AnswerVector([span.client: 2]))
            request.answers = [span]
            let call = ExchangeCall(
                request: request, answers: [AnswerColumns(span: span, rows: [row, row])])
            try await pair.send("POST", UserDataRoutes.exchange, call.json.canonicalBytes)
            try await pair.send("GET", UserDataRoutes.progress)
            if number % 20 == 19 { try await pair.expectUnharmed() }
        }
        try await pair.expectUnharmed()
        pair.expectAccepted()
    }

    /// Bodies of requests that were right, with some bytes changed.
    @Test(arguments: [UInt64(1), 2]) func changedBytesAreJudgedAlike(seed: UInt64) async throws {
        var pair = try await Pair()
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("{}[]\",:\\u0dD8e9-.'\u{0} ".utf8)
        for round in 0..<250 {
            if round.isMultiple(of: 40) { try await pair.begin() }
            let (method, path, body) = try #require(
                HostileTexts.members.randomElement(using: &random))
            var bytes = Self.filled(body, Array(#""x""#.utf8))
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.remove(at: index)
                case 1: bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: index)
                default: bytes[index] = UInt8.random(in: 0...255, using: &random)
                }
            }
            try await pair.send(method, path, bytes)
        }
        print("hostile bytes, seed \(seed)")
        try await pair.expectUnharmed()
        pair.expectAccepted()
    }
}
