package import ContentModel
package import ContentServer
import HTTPTypes
package import Hummingbird
import NIOCore
import ServiceAPI

/// The common parts of every user data request: authentication, client address and a bounded body.
package struct RequestAuthenticator {
    let authentication: Authentication
    let proxies: ProxyTrust
    let limits: RequestLimits
    package let gate = BoundedThreadPool()
    let budget = BodyBudget()

    package init(
        _ authentication: Authentication, rates: any RateLimiting, proxies: ProxyTrust = .nobody
    ) {
        self.authentication = authentication
        self.proxies = proxies
        limits = RequestLimits(rates, clock: authentication.clock)
    }

    /// Returns the account of the access token, and counts the request against the account's rate limit.
    ///
    /// - Throws: `RequestError` `unauthorized`, `tooManyRequests` (the device waits and retries).
    package func user(_ request: Request, _ kind: RequestKind = .record) async throws -> String {
        let user = try await authentication.user(request.headers[.authorization])
        try await limits.check(kind, user: user)
        return user
    }

    /// Returns the account and session of the access token, and counts the request against the account's rate limit.
    ///
    /// - Throws: `RequestError` `unauthorized`, `tooManyRequests`.
    package func authenticatedUser(
        _ request: Request, _ kind: RequestKind = .record
    ) async throws -> AuthenticatedUser {
        let user = try await authentication.authenticatedUser(request.headers[.authorization])
        try await limits.check(kind, user: user.id)
        return user
    }

    /// Returns the client's network, by which rate limits count.
    package func address(_ request: Request, _ context: ServerContext) -> String {
        proxies.network(of: request, context)
    }

    /// Returns a JSON response, compressed if the client accepts that and it saves bytes.
    package static func response(
        _ json: JSONValue, _ request: Request, status: HTTPResponse.Status = .ok,
        headers more: HTTPFields = [:]
    ) -> Response {
        response(json.canonicalBytes, request, status: status, headers: more)
    }

    package static func response(
        _ json: [UInt8], _ request: Request, status: HTTPResponse.Status = .ok,
        headers more: HTTPFields = [:]
    ) -> Response {
        var headers: HTTPFields = [
            .contentType: "application/json", .cacheControl: "no-store",
        ]
        headers.append(contentsOf: more)
        var bytes = json
        let accepts = request.headers[.acceptEncoding]?.lowercased() ?? ""
        if bytes.count >= ServiceLimits.packedBodyBytesMin, accepts.contains("gzip"),
            let packed = Gzip.packed(bytes, level: ServiceLimits.packingLevel)
        {
            bytes = packed
            headers[.contentEncoding] = "gzip"
        }
        return Response(
            status: status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

extension ProxyTrust {
    /// Returns the client's network, by which rate limits count: the peer's, or the one that a trusted proxy reports.
    package func network(of request: Request, _ context: ServerContext) -> String {
        guard let text = context.remoteAddress, let connected = ClientAddress(text),
            let name = HTTPField.Name("x-forwarded-for")
        else { return "local" }
        return client(connected, forwarded: request.headers[name]).network
    }
}
