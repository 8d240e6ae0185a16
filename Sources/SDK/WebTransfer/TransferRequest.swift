/// One HTTP request.
package struct TransferRequest: Sendable {
    /// The HTTP method.
    package var method: String
    /// The absolute address.
    package var url: String
    /// The header fields in addition to those that the session adds.
    package var headers: [String: String]
    /// The request's body; `nil` for none.
    package var body: [UInt8]?
    /// The maximum length of the decoded body, in bytes.
    package var bodyBytesMax: Int
    /// The redirects that are followed.
    package var redirects: Redirects
    /// True when a metered network may be used; libcurl does not distinguish networks.
    package var allowsExpensiveNetwork = true
    /// True when a network in Low Data Mode may be used.
    package var allowsConstrainedNetwork = true

    /// The redirects that are followed; all others become the reply.
    package enum Redirects: Sendable {
        /// Those to the same scheme, host and port.
        case sameOrigin
        /// Those to any host, but never from https to http.
        case noDowngrade
    }

    /// Creates a request.
    package init(
        _ method: String = "GET", url: String, headers: [String: String] = [:],
        body: [UInt8]? = nil, bodyBytesMax: Int, redirects: Redirects = .sameOrigin
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.bodyBytesMax = bodyBytesMax
        self.redirects = redirects
    }
}

/// The status and the header fields of a reply.
package struct TransferHead: Sendable, Hashable {
    /// The HTTP status, from 200 to 599.
    package var status: Int
    /// Header fields by lowercase name; values of a repeated field are joined by a comma.
    package var headers: [String: String]

    /// Creates a head.
    package init(status: Int, headers: [String: String]) {
        self.status = status
        self.headers = headers
    }
}

/// The head of a reply, and its body as it is read.
package struct TransferResponse: Sendable {
    /// The status and the header fields.
    package var head: TransferHead
    /// The body, with content encodings removed.
    package var body: TransferBody
}

/// The bounds of a transfer.
package enum TransferLimits {
    /// The maximum length of the heads of one reply, interim ones included, in bytes.
    package static let headBytesMax = 64 << 10
    /// The number of buffered bytes of a body at which the sender pauses.
    package static let bufferBytesMax = 1 << 20
    /// The number of buffered bytes at which the sender resumes.
    package static let bufferBytesLow = 256 << 10
    /// The maximum length of one chunk of a decoded body, in bytes.
    package static let pieceBytesMax = 64 << 10
    /// The number of bytes by which an encoded body may be longer than a decoded one.
    package static let encodingBytesMax = 64 << 10
    /// The maximum number of redirects that one request follows.
    package static let redirectsMax = 5
    /// The maximum number of connections to one host; libcurl's are in `Transfers.c`.
    static let connectionsPerHostMax = 32
    /// The maximum time for which the network's thread waits without an event, in milliseconds.
    static let idleMilliseconds: Int32 = 10_000
}
