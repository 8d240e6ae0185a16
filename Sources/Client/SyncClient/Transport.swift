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
}

/// How requests reach a server: URLSession in apps, the router itself in tests.
public protocol Transport: Sendable {
    /// Sends a request and answers once the head of the response is here.
    ///
    /// A redirect to another origin is not followed but answered as it is. Cancelling the task,
    /// or leaving the body before its end, ends the request.
    /// - Throws: `TransportError`.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}
