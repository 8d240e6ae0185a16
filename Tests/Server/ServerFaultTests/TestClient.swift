import ContentModel
import DatabaseTestSupport
import Foundation
import HTTPTypes
import ServerTestSupport
import ServiceAPI
import Testing
import UserData

/// Whoever sends requests to a process: an app, a page or a stranger.
struct TestClient: Sendable {
    typealias Reply = InProcessRouter.Answer

    var router: InProcessRouter
    var tokens: AccountBody.Tokens?

    init(_ router: InProcessRouter) { self.router = router }

    /// Creates an account.
    mutating func signUp() async throws {
        let reply = try await send(.post, UserDataRoutes.accounts + "/anonymous")
        guard reply.status == .created else { throw reply.failure }
        tokens = try AccountBody.Tokens(reply.body)
    }

    /// The same client at another process.
    func at(_ process: TestProcess) -> TestClient {
        var client = self
        client.router = process.router
        return client
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "",
        ifMatch tag: String? = nil
    ) async throws -> Reply {
        try await send(method, path, Array(body.utf8), ifMatch: tag)
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: [UInt8], ifMatch tag: String? = nil
    ) async throws -> Reply {
        var headers: HTTPFields = [.contentType: "application/json"]
        if let tokens { headers[.authorization] = "Bearer " + tokens.accessToken }
        if let tag { headers[.ifMatch] = tag }
        return try await router.send(method, path, headers, body: body)
    }

    /// Sends a request for an account.
    func account(_ action: String, _ members: [String: JSONValue] = [:]) async throws -> Reply {
        try await send(
            .post, UserDataRoutes.accounts + "/" + action,
            JSONValue.object(members).canonicalBytes)
    }

    /// Writes a record of the collection `stars`.
    func put(
        _ id: String, _ number: Int = 1, ifMatch tag: String? = nil
    ) async throws -> Reply {
        try await send(.put, Self.record(id), #"{"fields":{"n":\#(number)}}"#, ifMatch: tag)
    }

    func get(_ id: String) async throws -> Reply { try await send(.get, Self.record(id)) }

    static func record(_ id: String) -> String { UserDataRoutes.collections + "/stars/" + id }

    /// Sends an operation and an answer as the first request of a device.
    func exchange(_ id: String, client: String = "d") async throws -> Reply {
        let row = AnswerRow(
            bank: "b", session: "s", question: "q", isCorrect: true, takenMilliseconds: 1,
            exposuresBefore: 0, mode: "study", milliseconds: 5)
        let span = AnswerSpan(client: ClientID(client), first: 1, count: 1)
        let operation = ChangeOperation(
            id: OperationID(client: span.client, counter: 1), key: RecordKey("stars", id),
            change: .put(["n": 1]), seenRevision: 0,
            time: HybridTime(milliseconds: 1_800_000_000_000))
        var request = ExchangeRequest(
            number: 1, user: tokens?.user ?? "", client: span.client, epoch: nil, cursor: 0,
            operations: [operation], knownAnswers: AnswerVector([span.client: 1]))
        request.answers = [span]
        let call = ExchangeCall(
            request: request, answers: [AnswerColumns(span: span, rows: [row])])
        return try await send(.post, UserDataRoutes.exchange, call.json.canonicalBytes)
    }
}

extension InProcessRouter.Answer {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The code of a problem document; `nil` for another reply.
    var code: ProblemCode? {
        guard headers[.contentType] == "application/problem+json",
            case .string(let text)? = try? JSONParser.parse(body).member("code")?.value.content
        else { return nil }
        return ProblemCode(rawValue: text)
    }

    var retryAfter: Int? { headers[.retryAfter].flatMap { Int($0) } }

    /// True for what a client is to send again later.
    var isPostponed: Bool {
        status == .serviceUnavailable && code != nil
            && (code == .outdatedSchema || retryAfter != nil)
    }

    var isSuccess: Bool { status.kind == .successful }

    /// The reply as an error of a test.
    var failure: ProgramFailure { ProgramFailure(description: "\(status.code) \(text)") }
}

/// Expects a problem with a code; the seconds of `Retry-After` are those of the code.
func expectProblem(
    _ reply: TestClient.Reply, _ code: ProblemCode, at place: SourceLocation = #_sourceLocation
) {
    #expect(reply.code == code, "\(reply.status) \(reply.text)", sourceLocation: place)
    #expect(reply.status.code == code.status, sourceLocation: place)
    let seconds = [ProblemCode.busy: 2, .unavailable: 60]
    #expect(reply.retryAfter == seconds[code], sourceLocation: place)
}

/// Sends a request again until it is done, as a client does that obeys `Retry-After`, but without the wait.
func persistently(
    _ what: String, _ send: () async throws -> TestClient.Reply
) async throws -> TestClient.Reply {
    var last: TestClient.Reply?
    try await eventually("\(what)") {
        let reply = try await send()
        last = reply
        return !reply.isPostponed
    }
    guard let last else { throw ProgramFailure(description: what) }
    return last
}
