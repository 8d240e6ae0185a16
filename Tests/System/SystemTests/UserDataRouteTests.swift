import ContentModel
import Foundation
import HTTPTypes
import OfflineStorage
import ServerTestSupport
import ServiceAPI
import SyncClient
import Synchronization
import TestSupport
import Testing
import UserData

/// The routes of user data as a stranger would call them.
@Suite struct UserDataRouteTests {
    private let folder: TemporaryFolder
    private let router: InProcessRouter
    private let tokens: AccountBody.Tokens

    init() async throws {
        folder = try TemporaryFolder()
        let users = try await Story.users(folder, StoryClock())
        router = InProcessRouter(release: folder.path + "/none", users: users)
        let answer = try await router.send(.post, UserDataRoutes.accounts + "/anonymous")
        #expect(answer.status == .created)
        tokens = try AccountBody.Tokens(answer.body)
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "",
        _ more: HTTPFields = [:], token: String? = nil
    ) async throws -> InProcessRouter.Answer {
        var headers: HTTPFields = [
            .authorization: "Bearer " + (token ?? tokens.accessToken),
            .contentType: "application/json",
        ]
        for field in more { headers[field.name] = field.value }
        return try await router.send(method, path, headers, body: Array(body.utf8))
    }

    /// The code of a problem document, whose status fits it.
    private func code(_ answer: InProcessRouter.Answer) throws -> String? {
        #expect(answer.headers[.contentType] == "application/problem+json")
        let node = try JSONParser.parse(answer.body)
        guard case .string(let text)? = node.member("code")?.value.content else { return nil }
        #expect(ProblemCode(rawValue: text)?.status == answer.status.code)
        return text
    }

    private func exchange(_ members: String) -> String {
        #"{"version":1,"user":"\#(tokens.user)","client":"d","request":1\#(members)}"#
    }

    // MARK: Plain resources

    private let exam = "/api/v1/collections/exams/swift"

    @Test func aRecordIsMadeReadChangedAndDeletedByItsRevision() async throws {
        #expect(try code(try await send(.get, exam)) == "notFound")
        let made = try await send(.put, exam, #"{"fields":{"day":"monday"}}"#)
        #expect(made.status == .created)
        let tag = try #require(made.headers[.eTag])
        #expect(try await send(.get, exam).body == made.body)
        let changed = try await send(
            .put, exam, #"{"fields":{"day":"friday"}}"#, [.ifMatch: tag])
        #expect(changed.status == .ok && changed.headers[.eTag] != tag)
        // What a stale request is told is what it needs to try again.
        let stale = try await send(.put, exam, #"{"fields":{"day":"sunday"}}"#, [.ifMatch: tag])
        #expect(try code(stale) == "conflict")
        #expect(stale.headers[.eTag] == changed.headers[.eTag])
        let text = String(decoding: stale.body, as: UTF8.self)
        #expect(text.contains(#""fields":{"day":"friday"}"#))
        let blind = try await send(.put, exam, #"{"fields":{"day":"sunday"}}"#)
        #expect(try code(blind) == "needsRevision")
        let current = try #require(changed.headers[.eTag])
        #expect(try await send(.delete, exam, "", [.ifMatch: current]).status == .noContent)
        #expect(try code(try await send(.delete, exam, "", [.ifMatch: current])) == "notFound")
        #expect(try await send(.put, exam, #"{"fields":{"day":"monday"}}"#).status == .created)
    }

    @Test func aCollectionComesInPages() async throws {
        for number in 1...5 {
            _ = try await send(
                .put, "/api/v1/collections/exams/e\(number)", #"{"fields":{"n":1}}"#)
        }
        let first = try await send(.get, "/api/v1/collections/exams?limit=3")
        #expect(String(decoding: first.body, as: UTF8.self).contains(#""next":"e3""#))
        let second = try await send(.get, "/api/v1/collections/exams?limit=3&after=e3")
        let text = String(decoding: second.body, as: UTF8.self)
        #expect(text.contains(#""id":"e5""#) && !text.contains("next"))
        for query in ["limit=0", "limit=501", "limit=x", "after=%20"] {
            let answer = try await send(.get, "/api/v1/collections/exams?\(query)")
            #expect(try code(answer) == "invalidRequest", "\(query)")
        }
        #expect(try code(try await send(.get, "/api/v1/collections/nonsense")) == "notFound")
    }

    /// Twenty writers, each of which tries again with what the 409 tells it, lose no step.
    @Test func aStormOfConflictsLosesNothing() async throws {
        let path = "/api/v1/collections/exams/counter"
        _ = try await send(.put, path, #"{"fields":{"n":0}}"#)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    var answer = try await send(.get, path)
                    while true {
                        let text = String(decoding: answer.body, as: UTF8.self)
                        let number = try #require(text.firstMatch(of: /"n":(\d+)/)?.1)
                        let body = #"{"fields":{"n":\#((Int(number) ?? 0) + 1)}}"#
                        answer = try await send(
                            .put, path, body, [.ifMatch: answer.headers[.eTag] ?? ""])
                        if answer.status == .ok { return }
                        #expect(answer.status == .conflict)
                    }
                }
            }
            try await group.waitForAll()
        }
        let last = try await send(.get, path)
        #expect(String(decoding: last.body, as: UTF8.self).contains(#""n":20"#))
    }

    // MARK: What is not right

    @Test func theTokenAndTheUserMustFit() async throws {
        let body = #"{"version":1,"user":"somebody","client":"d","request":1}"#
        #expect(try code(try await send(.post, UserDataRoutes.exchange, body)) == "wrongUser")
        let none = try await send(.post, UserDataRoutes.exchange, exchange(""), token: "x")
        #expect(try code(none) == "unauthorized")
        #expect(none.headers[.wwwAuthenticate] == "Bearer")
    }

    @Test func oneBadRowLeavesTheRestUnharmed() async throws {
        let answer = try await send(
            .post, UserDataRoutes.exchange,
            exchange(
                #"""
                ,"operations":[
                {"n":1,"collection":"exams","id":"a","put":{"x":{}},"time":[1,0]},
                {"n":2,"collection":"nowhere","id":"a","put":{"x":1},"time":[1,0]},
                {"n":3,"collection":"exams","id":"b","put":{"x":1},"time":[1,0]}]
                """#))
        #expect(answer.status == .ok)
        let reply = try ExchangeReply(answer.body, client: ClientID("d"))
        let results = reply.response.results.sorted { $0.key < $1.key }.map(\.value)
        #expect(results[0] == .refused(.badField) && results[1] == .refused(.unknownCollection))
        guard case .accepted(let record) = results[2] else {
            Issue.record("the good row was not taken")
            return
        }
        #expect(record.key.id == "b")
    }

    @Test(arguments: ["", "{", "[]", "null", "\u{0}", "{\"version\":1}", "{\"version\":9}"])
    func bodiesThatAreNoneAreRefused(body: String) async throws {
        #expect(
            try code(try await send(.post, UserDataRoutes.exchange, body)) == "invalidRequest")
    }

    @Test func lengthAndEncodingAreBounded() async throws {
        let path = UserDataRoutes.exchange
        let long = String(repeating: " ", count: ServiceLimits.bodyBytesMax + 1)
        #expect(try code(try await send(.post, path, long)) == "tooLong")
        let bomb = try #require(
            Gzip.packed(
                [UInt8](repeating: 32, count: ServiceLimits.unpackedRequestBytesMax + 1)))
        let headers: HTTPFields = [
            .authorization: "Bearer " + tokens.accessToken, .contentEncoding: "gzip",
        ]
        #expect(try code(try await router.send(.post, path, headers, body: bomb)) == "tooLong")
        let damaged = Array(bomb.dropLast(20))
        #expect(
            try code(try await router.send(.post, path, headers, body: damaged))
                == "invalidRequest")
        #expect(
            try code(try await send(.post, path, "{}", [.contentEncoding: "br"]))
                == "unsupportedMediaType")
        #expect(
            try code(try await send(.post, path, "{}", [.contentType: "text/plain"]))
                == "unsupportedMediaType")
    }

    /// Account routes take no packed body, so that the SDK must not send one, however long.
    @Test func theSDKSendsPlainBodiesToAccountRoutes() async throws {
        let account = Account(
            store: try UserStore(folder: folder.url.appending(path: "device")),
            secrets: try FileSecretStore(folder: folder.url.appending(path: "secrets")),
            transport: InProcessTransport(router), serverURL: "http://server")
        let email = String(repeating: "a", count: 2 * ServiceLimits.packedBodyBytesMin)
        let problem = await #expect(throws: ServiceError.self) {
            try await account.upgrade(email: email + "@example.org", password: "correct horse")
        }
        #expect(problem?.code == .invalidRequest)
    }

    @Test func theDescriptionNamesEveryRoute() async throws {
        let answer = try await router.get(UserDataRoutes.description)
        let node = try JSONParser.parse(answer.body)
        guard case .object(let paths)? = node.member("paths")?.value.content else {
            Issue.record("no paths")
            return
        }
        for path in paths {
            guard case .object(let methods) = path.value.content else { continue }
            for method in methods where method.key != "parameters" {
                let real = path.key.replacing("{collection}", with: "exams")
                    .replacing("{id}", with: "x").replacing("{region}", with: "de")
                    .replacing("{exam}", with: "x")
                let verb = try #require(HTTPRequest.Method(method.key.uppercased()))
                let found = try await send(verb, real, token: "none")
                if real.hasPrefix(ContentRoutes.exams) {
                    // Known, but nothing is published.
                    let text = String(decoding: found.body, as: UTF8.self)
                    #expect(found.status == .notFound && text.contains("no exam de/x"))
                    continue
                }
                // Known routes ask for a token or a body; unknown ones are not there.
                #expect(found.status != .notFound, "\(method.key) \(path.key)")
                #expect(found.status != .methodNotAllowed, "\(method.key) \(path.key)")
            }
        }
        #expect(paths.count >= 15)
    }

    // MARK: A network that repeats and forgets

    /// Sends each request twice, as some proxies do, and loses one reply in three.
    private struct BadProxy: Transport {
        let inner: InProcessTransport
        let state: Box

        final class Box: Sendable {
            let random = Mutex(SeededGenerator(seed: 7))
        }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let first = try await inner.send(request)
            guard request.url.path().hasSuffix(UserDataRoutes.exchange) else { return first }
            let second = try await inner.send(request)
            let roll = state.random.withLock { Int.random(in: 0..<3, using: &$0) }
            if roll == 0 { throw TransportError(.offline, "the reply was lost") }
            return roll == 1 ? first : second
        }
    }

    @Test func aProxyThatRepeatsAndForgetsDoublesNothing() async throws {
        let world = try TemporaryFolder()
        let clock = StoryClock()
        let users = try await Story.users(world, clock)
        let story = Story(folder: world, clock: clock, users: users)
        let proxy = BadProxy(
            inner: InProcessTransport(
                InProcessRouter(release: world.path + "/none", users: users)),
            state: .init())
        try await story.begin(transport: proxy, serverURL: "http://server")
        let points = RecordKey("points", "all")
        for number in 0..<40 {
            let device = number % 2 == 0 ? "phone" : "tablet"
            try await story.write(device, points, .count(field: "n", by: 1))
            try await story.write(
                device, RecordKey("notes", "n\(number)"), .put(["n": .integer(Int64(number))]))
            await story.tryToSync(device)
        }
        for device in ["phone", "tablet", "phone"] {
            while await !story.tryToSync(device) {}
        }
        for device in ["phone", "tablet"] {
            #expect(try await story.shows(device, points) == ["n": 40])
            for number in 0..<40 {
                let shown = try await story.shows(device, RecordKey("notes", "n\(number)"))
                #expect(shown == ["n": .integer(Int64(number))])
            }
        }
    }
}
