import ContentServer
package import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceAPI

/// The kinds of a user's requests, each with a rate limit of its own.
package enum RequestKind: String {
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
package struct RequestLimits: Sendable {
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
    package init(_ counters: any RateLimiting, clock: @escaping @Sendable () -> Date) {
        self.counters = counters
        self.clock = clock
    }

    /// Counts a request of a user.
    ///
    /// - Throws: `RequestError` `tooManyRequests`.
    func check(_ kind: RequestKind, user: String) async throws {
        try await check(kind.limit, user)
    }

    /// Counts a request for an account route.
    ///
    /// - Throws: `RequestError` `tooManyRequests`.
    func check(address: String) async throws { try await check(Self.accounts, address) }

    /// Counts a request for published questions.
    ///
    /// - Throws: `RequestError` `tooManyRequests`.
    package func check(reader address: String) async throws {
        try await check(Self.content, address)
    }

    private func check(_ limit: RateLimit, _ name: String) async throws {
        let now = Int64(clock().timeIntervalSince1970 * 1000)
        if let seconds = await counters.consume(limit, of: name, now: now) {
            throw RequestError.tooMany(seconds)
        }
    }
}

/// Middleware that applies the rate limit of account routes by address.
package struct AccountLimitMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    let caller: RequestAuthenticator

    package init(caller: RequestAuthenticator) {
        self.caller = caller
    }

    @concurrent func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        if request.uri.path.hasPrefix(UserDataRoutes.accounts) {
            try await caller.limits.check(address: caller.address(request, context))
        }
        return try await next(request, context)
    }
}
