package import ContentServer
package import Hummingbird
import ServiceAPI

/// Request bodies, bounded before they are read.
extension RequestAuthenticator {
    /// Reads the short, uncompressed body of an account route.
    ///
    /// - Throws: `HTTPError` 413, `RequestError` `unsupportedMediaType`.
    package func body(_ request: Request) async throws -> [UInt8] {
        guard try Self.coding(request) == .identity else {
            throw RequestError.unsupported("The body of an account route must be plain.")
        }
        return try await collect(request, upTo: ServiceLimits.accountBodyBytesMax) { _ in }
    }

    /// Reads, decompresses and parses a body of user data on the parsing threads.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: Its connection.
    ///   - parse: A function from the bytes to a value.
    /// - Returns: The parsed value.
    /// - Throws: `HTTPError` 413, `RequestError` `unsupportedMediaType` and `busy`, or the
    ///   error of `parse`.
    package func read<Value: Sendable>(
        _ request: Request, _ context: ServerContext,
        _ parse: @escaping @Sendable ([UInt8]) throws -> Value
    ) async throws -> Value {
        let coding = try Self.coding(request)
        let address = address(request, context)
        var taken = 0
        defer { budget.release(taken, of: address) }
        let bytes = try await collect(request, upTo: ServiceLimits.bodyBytesMax) { count in
            try budget.reserve(count, for: address)
            taken += count
        }
        return try await gate.run { try parse(coding == .gzip ? Self.unpacked(bytes) : bytes) }
    }

    private static func coding(_ request: Request) throws -> ContentCoding {
        let type = request.headers[.contentType] ?? "application/json"
        guard type.lowercased().hasPrefix("application/json") else {
            throw RequestError.unsupported("The body must be application/json.")
        }
        switch request.headers[.contentEncoding]?.lowercased() ?? "identity" {
        case "identity": return .identity
        case "gzip": return .gzip
        default: throw RequestError.unsupported("The body must be plain or gzip.")
        }
    }

    /// Collects the bytes of a body; a declared length above the limit is rejected before reading.
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
        do throws(GzipError) {
            return try Gzip.unpacked(bytes, bytesMax: ServiceLimits.unpackedRequestBytesMax)
        } catch .tooLong {
            throw HTTPError(.contentTooLarge)
        } catch {
            throw WireError("", "the body is not gzip, or damaged")
        }
    }
}
