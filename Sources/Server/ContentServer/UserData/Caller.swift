import ContentModel
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceAPI
import UserService

/// Reads what every request about users has: who asks, from where, and a bounded body.
struct Caller {
    let users: UserDesk
    let proxies: ProxyTrust
    let limits = RequestLimits()
    private let gate = ParseGate()
    private let budget = BodyBudget()

    init(users: UserDesk, proxies: ProxyTrust = .nobody) {
        self.users = users
        self.proxies = proxies
    }

    /// The account of the access token, whose request is counted.
    ///
    /// - Throws: `UserServiceError` `unauthorized`, `tooManyRequests`.
    func user(_ request: Request, _ kind: RequestKind = .record) async throws -> String {
        let user = try await users.user(request.headers[.authorization])
        try limits.admit(kind, user: user)
        return user
    }

    /// The account of the access token, where there is one.
    func optionalUser(_ request: Request) async throws -> String? {
        request.headers[.authorization] == nil ? nil : try await user(request)
    }

    /// The network for limits: of the connection, or of whom a proxy that we trust names.
    func address(_ request: Request, _ context: ServerContext) -> String {
        guard let text = context.remoteAddress, let connected = ClientAddress(text),
            let name = HTTPField.Name("x-forwarded-for")
        else { return "local" }
        return proxies.client(connected, forwarded: request.headers[name]).network
    }

    /// The short, plain body of an account route.
    ///
    /// - Throws: `HTTPError` 413, `UserServiceError` `unsupportedMediaType`.
    func body(_ request: Request) async throws -> [UInt8] {
        guard try Self.coding(request) == .identity else {
            throw UserServiceError.unsupported("The body of an account route must be plain.")
        }
        return try await collect(request, upTo: ServiceLimits.accountBodyBytesMax) { _ in }
    }

    /// Reads, unpacks and parses a body of user data, when it is its turn.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: Its connection.
    ///   - parse: Makes something of the bytes, on a thread of its own.
    /// - Returns: What `parse` made.
    /// - Throws: `HTTPError` 413, `UserServiceError` `unsupportedMediaType` and `busy`, or what
    ///   `parse` throws.
    func read<Value: Sendable>(
        _ request: Request, _ context: ServerContext,
        _ parse: @escaping @Sendable ([UInt8]) throws -> Value
    ) async throws -> Value {
        let coding = try Self.coding(request)
        let address = address(request, context)
        var taken = 0
        defer { budget.release(taken, of: address) }
        let bytes = try await collect(request, upTo: ServiceLimits.bodyBytesMax) { count in
            try budget.take(count, for: address)
            taken += count
        }
        return try await gate.run { try parse(coding == .gzip ? Self.unpacked(bytes) : bytes) }
    }

    private static func coding(_ request: Request) throws -> ContentCoding {
        let type = request.headers[.contentType] ?? "application/json"
        guard type.lowercased().hasPrefix("application/json") else {
            throw UserServiceError.unsupported("The body must be application/json.")
        }
        switch request.headers[.contentEncoding]?.lowercased() ?? "identity" {
        case "identity": return .identity
        case "gzip": return .gzip
        default: throw UserServiceError.unsupported("The body must be plain or gzip.")
        }
    }

    /// The bytes of a body; one that says that it is too long is not begun.
    private func collect(
        _ request: Request, upTo bytesMax: Int, counting: (Int) throws -> Void
    ) async throws -> [UInt8] {
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        guard length <= bytesMax else { throw HTTPError(.contentTooLarge) }
        var bytes: [UInt8] = []
        for try await part in request.body {
            guard bytes.count + part.readableBytes <= bytesMax else {
                throw HTTPError(.contentTooLarge)
            }
            try counting(part.readableBytes)
            bytes += part.readableBytesView
        }
        return bytes
    }

    private static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
        do throws(Gzip.Failure) {
            return try Gzip.unpacked(bytes, bytesMax: ServiceLimits.unpackedRequestBytesMax)
        } catch .tooLong {
            throw HTTPError(.contentTooLarge)
        } catch {
            throw WireFailure("", "the body is not gzip, or damaged")
        }
    }

    /// A JSON answer, packed where that is wanted and worth it.
    static func answer(
        _ json: JSONValue, _ request: Request, status: HTTPResponse.Status = .ok,
        headers more: HTTPFields = [:]
    ) -> Response {
        answer(json.canonicalBytes, request, status: status, headers: more)
    }

    static func answer(
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

extension UserServiceError {
    static func unsupported(_ message: String) -> UserServiceError {
        UserServiceError(code: .unsupportedMediaType, message: message)
    }

    static let busy = UserServiceError(
        code: .busy, message: "The server could not do this now. Nothing was kept; try again.")
}
