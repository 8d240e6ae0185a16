import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceAPI
import UserService

/// The kinds of a user's requests, each with a rate limit of its own.
enum RequestKind: String {
    case exchange, record, progress, export, board, event, operation

    fileprivate var limit: RateLimit {
        let perMinute =
            switch self {
            case .exchange: ServiceLimits.exchangesPerMinute
            case .record: ServiceLimits.recordRequestsPerMinute
            case .progress: ServiceLimits.progressRequestsPerMinute
            case .export: ServiceLimits.exportsPerMinute
            case .board: ServiceLimits.boardRequestsPerMinute
            case .event: ServiceLimits.eventRequestsPerMinute
            case .operation: ServiceLimits.operationRequestsPerMinute
            }
        return RateLimit("requests: \(rawValue)", perMinute: perMinute)
    }
}

/// The rate limits on requests, applied before a body is read.
struct RequestLimits: Sendable {
    private static let accounts = RateLimit(
        "requests of an address", perMinute: ServiceLimits.accountRequestsPerMinute)

    private static let content = RateLimit(
        "content requests of an address", perMinute: ServiceLimits.contentRequestsPerMinute)

    private let counters: any RateLimiting
    private let clock: @Sendable () -> Date

    /// Creates limits over counters.
    ///
    /// - Parameters:
    ///   - counters: The counters, which other servers may share.
    ///   - clock: The wall clock, which may jump.
    init(_ counters: any RateLimiting, clock: @escaping @Sendable () -> Date) {
        self.counters = counters
        self.clock = clock
    }

    /// Counts a request of a user.
    ///
    /// - Throws: `UserServiceError` `tooManyRequests`.
    func admit(_ kind: RequestKind, user: String) async throws {
        try await admit(kind.limit, user)
    }

    /// Counts a request for an account route.
    ///
    /// - Throws: `UserServiceError` `tooManyRequests`.
    func admit(address: String) async throws { try await admit(Self.accounts, address) }

    /// Counts a request for published questions.
    ///
    /// - Throws: `UserServiceError` `tooManyRequests`.
    func admit(reader address: String) async throws { try await admit(Self.content, address) }

    private func admit(_ limit: RateLimit, _ name: String) async throws {
        let now = Int64(clock().timeIntervalSince1970 * 1000)
        guard let seconds = await counters.consume(limit, of: name, now: now) else { return }
        var error = UserServiceError(
            code: .tooManyRequests, message: "Too many requests. Try again in \(seconds) s.")
        error.retryAfterSeconds = seconds
        throw error
    }
}

/// Middleware that applies the rate limit of account routes by address.
struct AccountLimitMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    let caller: RequestAuthenticator

    @concurrent func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        if request.uri.path.hasPrefix(UserDataRoutes.accounts) {
            try await caller.limits.admit(address: caller.address(request, context))
        }
        return try await next(request, context)
    }
}

/// Middleware that forbids browsers to guess media types (`X-Content-Type-Options: nosniff`).
struct SniffingMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    @concurrent func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }
}

/// Middleware that requests the body of a request with `Expect: 100-continue` once a handler reads
/// it.
struct ExpectationMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    private struct WantedBody: AsyncSequence, Sendable {
        typealias Element = ByteBuffer

        let base: RequestBody
        let channel: any Channel

        func makeAsyncIterator() -> RequestBody.AsyncIterator {
            channel.triggerUserOutboundEvent(BodyRequested(), promise: nil)
            return base.makeAsyncIterator()
        }
    }

    @concurrent func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.headers[.expect] != nil else { return try await next(request, context) }
        var request = request
        request.body = RequestBody(
            asyncSequence: WantedBody(base: request.body, channel: context.channel))
        return try await next(request, context)
    }
}
