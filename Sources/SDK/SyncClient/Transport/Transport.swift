public import Foundation

/// A request of the SDK to a server.
///
/// ```swift
/// let address = try URL(address: "https://host.example/api/content/v2/manifest.json")
/// let request = TransportRequest(url: address, bodyBytesMax: 1 << 20)
/// print(request.method, request.purpose == .content)  // GET true
/// ```
public struct TransportRequest: Sendable, Hashable {
    /// The HTTP method.
    public var method: String
    /// The absolute address.
    public var url: URL
    /// The header fields in addition to those that the transport adds.
    public var headers: [String: String]
    /// The body; `nil` for none.
    public var body: [UInt8]?
    /// The maximum length of the decoded body, in bytes; a transport ends a longer one.
    public var bodyBytesMax: Int
    /// The purpose, by which a transport may choose networks.
    public var purpose: TransferPurpose

    /// Creates a request, by default a GET for content.
    public init(
        _ method: String = "GET", url: URL, headers: [String: String] = [:],
        body: [UInt8]? = nil, bodyBytesMax: Int, purpose: TransferPurpose = .content
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.bodyBytesMax = bodyBytesMax
        self.purpose = purpose
    }
}

extension URL {
    /// Parses an address that was joined from an address and a path.
    ///
    /// - Throws: `TransportError` `badAddress`.
    init(joined address: String) throws(TransportError) {
        guard let url = URL(string: address) else {
            throw TransportError(
                .badAddress, "\"\(address)\" is not an address. Use one that begins with https://.")
        }
        self = url
    }
}

/// The head of a response, and its body as it arrives.
///
/// ```swift
/// let body = AsyncThrowingStream<[UInt8], any Error> { continuation in
///     continuation.yield(Array("{}".utf8))
///     continuation.finish()
/// }
/// let response = TransportResponse(status: 200, headers: ["etag": "\"1\""], body: body)
/// print(response.status)
/// ```
public struct TransportResponse: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The header fields by lowercase name.
    public var headers: [String: String]
    /// The body in chunks, with content encodings removed.
    public var body: AsyncThrowingStream<[UInt8], any Error>

    /// Creates a response.
    public init(
        status: Int, headers: [String: String], body: AsyncThrowingStream<[UInt8], any Error>
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Reads the complete body.
    ///
    /// - Parameter bytesMax: The maximum length of the body, in bytes.
    /// - Returns: The bytes.
    /// - Throws: `TransportError`; `tooLong` above the maximum, `cancelled` when the task was.
    func collect(_ bytesMax: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in body {
            bytes += piece
            guard bytes.count <= bytesMax else {
                throw TransportError(
                    .tooLong, "The reply is longer than \(bytesMax) bytes. Is the address right?")
            }
        }
        try Self.checkEnd()
        return bytes
    }

    /// Checks that a body was read to its end.
    ///
    /// A stream ends without an error in a task that is cancelled.
    /// - Throws: `TransportError` `cancelled`.
    static func checkEnd() throws {
        if Task.isCancelled { throw TransportError.cancelled }
    }
}

/// A network that carries requests: ``HTTPTransport`` in apps, the router itself in tests.
///
/// ```swift
/// struct Logged: Transport {
///     let inner = HTTPTransport()
///     func send(_ request: TransportRequest) async throws -> TransportResponse {
///         let response = try await inner.send(request)
///         print(request.method, response.status)
///         return response
///     }
/// }
/// Logged().inner.close()
/// ```
public protocol Transport: Sendable {
    /// Sends a request and returns when the head of the response has arrived.
    ///
    /// It does not follow a redirect to another origin, but returns it. Cancelling the task, or abandoning the body
    /// before its end, ends the request, and a waiting reader gets `cancelled` at once.
    /// - Throws: `TransportError`.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}
