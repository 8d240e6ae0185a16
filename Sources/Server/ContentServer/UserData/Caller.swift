import ContentModel
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceAPI
import UserService

/// Reads what every request about users has: who asks, from where, and a bounded body.
struct Caller {
    let users: UserDesk
    let trustsProxy: Bool

    /// The account of the access token.
    func user(_ request: Request) async throws -> String {
        try await users.user(request.headers[.authorization])
    }

    /// The account of the access token, where there is one.
    func optionalUser(_ request: Request) async throws -> String? {
        request.headers[.authorization] == nil ? nil : try await user(request)
    }

    /// The address for rate limits: of the connection, or what the proxy before us says.
    func address(_ request: Request, _ context: ServerContext) -> String {
        if trustsProxy, let name = HTTPField.Name("x-forwarded-for"),
            let list = request.headers[name], let last = list.split(separator: ",").last
        {
            // Only the last entry was written by our own proxy.
            return last.trimmingPrefix(" ").description
        }
        return context.remoteAddress ?? "local"
    }

    /// The body, unpacked where it was packed.
    func body(_ request: Request) async throws -> [UInt8] {
        let type = request.headers[.contentType] ?? "application/json"
        guard type.lowercased().hasPrefix("application/json") else {
            throw UserServiceError.unsupported("The body must be application/json.")
        }
        let buffer = try await request.body.collect(upTo: ServiceLimits.bodyBytesMax)
        let bytes = Array(buffer: buffer)
        switch request.headers[.contentEncoding]?.lowercased() ?? "identity" {
        case "identity": return bytes
        case "gzip":
            do throws(Gzip.Failure) {
                return try Gzip.unpacked(bytes, bytesMax: ServiceLimits.unpackedBodyBytesMax)
            } catch .tooLong {
                throw HTTPError(.contentTooLarge)
            } catch {
                throw WireFailure("", "the body is not gzip, or damaged")
            }
        default: throw UserServiceError.unsupported("The body must be plain or gzip.")
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
