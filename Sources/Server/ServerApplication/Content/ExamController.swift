import Accounts
import ContentDatabase
import ContentModel
import ContentServer
import Foundation
import HTTPTypes
import Hummingbird
import Ledger
import ServiceAPI

/// The controller of published questions, which reads the content tables or, without a database, the
/// release.
///
/// Anybody may ask, so requests are counted by network.
struct ExamController {
    private let source: any QuestionSource
    private let limits: RequestLimits
    private let proxies: ProxyTrust

    init(options: ServerOptions) {
        if let tables = options.tables {
            source = tables
        } else {
            source = ReleaseQuestions(root: options.release)
        }
        let counters: any RateLimiting
        if let users = options.users {
            counters = users.rateLimits
        } else {
            counters = MemoryRateLimits()
        }
        limits = RequestLimits(counters, clock: options.clock)
        proxies = options.proxies
    }

    func addRoutes(to router: Router<ServerContext>) {
        let exam = ContentRoutes.exams + "/:region/:exam"
        router.add(exam + "/changes", [.get: changes])
        router.add(exam + "/questions", [.get: questions])
    }

    @Sendable private func changes(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let exam = try await open(request, context)
        let wanted = try ChangesRequest(
            exam: exam, since: request.parameter("since"), limit: request.parameter("limit"))
        guard let page = try await Self.answering({ try await source.changes(wanted) }) else {
            throw Self.unknown(exam)
        }
        return RequestAuthenticator.response(page.bytes, request)
    }

    @Sendable private func questions(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let exam = try await open(request, context)
        let wanted = try QuestionsRequest(
            exam: exam, difficulty: request.parameter("difficulty"),
            after: request.parameter("after"), limit: request.parameter("limit"))
        guard let page = try await Self.answering({ try await source.questions(wanted) }) else {
            throw Self.unknown(exam)
        }
        return RequestAuthenticator.response(page.bytes, request)
    }

    /// Counts the request, and names the exam that it is about.
    private func open(
        _ request: Request, _ context: ServerContext
    ) async throws -> ExamKey {
        try await limits.check(reader: proxies.network(of: request, context))
        let region = context.parameters.get("region")?.removingPercentEncoding ?? ""
        let name = context.parameters.get("exam")?.removingPercentEncoding ?? ""
        guard let exam = ExamKey("\(region)/\(name)") else {
            throw RequestError(.notFound, "There is no such exam.")
        }
        return exam
    }

    private static func unknown(_ exam: ExamKey) -> RequestError {
        RequestError(
            .notFound, "There is no exam \(exam) in the published content.")
    }

    /// Maps failures of the database to codes of the protocol.
    private static func answering<Page>(
        _ read: () async throws -> Page?
    ) async throws -> Page? {
        do {
            return try await read()
        } catch let error as ContentDatabaseError {
            throw RequestError(error)
        }
    }
}

extension Request {
    /// Returns a parameter of the address, decoded.
    fileprivate func parameter(_ name: Substring) -> String? {
        uri.queryParameters[name].map(String.init)
    }
}

extension RequestError {
    /// Says what the content tables cannot do.
    init(_ error: ContentDatabaseError) {
        switch error.code {
        case .busy:
            self.init(.busy, error.message)
            retryAfterSeconds = 2
        case .outdatedSchema:
            self.init(
                .outdatedSchema, "The server is being updated. Try again later.")
        case .forbidden, .refused:
            self.init(
                .serverError,
                "The server cannot do this until its operator has corrected it.")
        default:
            self.init(
                .unavailable,
                "The content database is not available. Try again later.")
            retryAfterSeconds = 60
        }
        cause = error.cause ?? error
    }
}
