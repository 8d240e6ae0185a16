/// One request.
public struct TransportRequest: Sendable, Hashable {
    /// The HTTP method.
    public var method: String
    /// The absolute address.
    public var url: String
    /// Header fields beside those that the transport adds itself.
    public var headers: [String: String]
    /// What is sent; `nil` for nothing.
    public var body: [UInt8]?
    /// The most bytes of body, after decoding, that are of use; a transport stops a longer one.
    public var bodyBytesMax: Int

    /// Describes a request, a GET where nothing else is said.
    public init(
        _ method: String = "GET", url: String, headers: [String: String] = [:],
        body: [UInt8]? = nil, bodyBytesMax: Int
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.bodyBytesMax = bodyBytesMax
    }
}

/// The start of an answer, and its body as it arrives.
public struct TransportResponse: Sendable {
    /// The HTTP status.
    public var status: Int
    /// Header fields by lowercase name.
    public var headers: [String: String]
    /// The body in pieces, content encodings removed.
    public var body: AsyncThrowingStream<[UInt8], any Error>

    /// Describes an answer.
    public init(
        status: Int, headers: [String: String], body: AsyncThrowingStream<[UInt8], any Error>
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Reads the whole body.
    ///
    /// - Parameter bytesMax: The most bytes that are of use.
    /// - Returns: The bytes.
    /// - Throws: `TransportError`; `tooLong` past the bound, `cancelled` when the task was.
    func collect(_ bytesMax: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in body {
            bytes += piece
            guard bytes.count <= bytesMax else {
                throw TransportError(.tooLong, "The reply is longer than \(bytesMax) bytes.")
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

/// What the network failed to do.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is; new ones may come.
    public enum Code: String, Sendable {
        /// No connection, or it broke.
        case offline
        /// The answer took too long.
        case timedOut
        /// The body was longer than its bound.
        case tooLong
        /// The task that asked was cancelled.
        case cancelled
        /// The address is plain HTTP to another device, which is not allowed.
        case insecureAddress
    }

    /// What kind of failure it is.
    public var code: Code
    /// What happened, without user data.
    public var message: String

    /// Describes a failure.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }

    static let cancelled = TransportError(.cancelled, "It was cancelled.")
}

/// How requests reach a server: `HTTPTransport` in apps, the router itself in tests.
public protocol Transport: Sendable {
    /// Sends a request and answers once the head of the response is here.
    ///
    /// A redirect to another origin is not followed but answered as it is. Cancelling the task,
    /// or leaving the body before its end, ends the request, and who waits gets `cancelled` at once.
    /// - Throws: `TransportError`.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}
