public import Foundation
import WebTransfer

/// One GET request for an asset.
public struct AssetRequest: Sendable, Hashable {
    /// The address.
    public var url: URL
    /// Header fields.
    public var headers: [String: String]
    /// The most bytes of body that are of use; a transport ends a longer answer.
    public var bytesMax: Int

    /// Describes a request.
    public init(url: URL, headers: [String: String] = [:], bytesMax: Int) {
        self.url = url
        self.headers = headers
        self.bytesMax = bytesMax
    }
}

/// A whole answer.
public struct AssetResponse: Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// Header fields by lowercase name.
    public var headers: [String: String]
    /// The body, content encodings removed.
    public var body: Data

    /// Describes an answer.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// How assets reach a web server.
public struct AssetTransport: Sendable {
    private let send: @Sendable (AssetRequest) async throws -> AssetResponse

    /// Uses the app's own network code.
    ///
    /// - Parameter send: Sends a request; throws `AssetError` `offline` when there is no complete
    ///   answer, and `tooLong` when it is longer than it may be.
    public init(_ send: @escaping @Sendable (AssetRequest) async throws -> AssetResponse) {
        self.send = send
    }

    /// Sends a request.
    ///
    /// - Parameter request: What is sent.
    /// - Returns: The whole answer.
    /// - Throws: `AssetError`.
    public func callAsFunction(_ request: AssetRequest) async throws -> AssetResponse {
        try await send(request)
    }

    /// A session without cache and cookies, which all assets share; an answer may take a minute.
    ///
    /// On Linux it is libcurl's. Plain HTTP to other devices is refused; see
    /// ``network(allowsInsecureHTTP:)``.
    public static let urlSession = network()

    /// Opens a session of its own without cache and cookies; an answer may take a minute.
    ///
    /// - Parameter allowsInsecureHTTP: True to speak plain HTTP with other devices too, where others
    ///   on the way could change what arrives.
    /// - Returns: The session, which is closed with its last reference.
    public static func network(allowsInsecureHTTP: Bool = false) -> AssetTransport {
        let session = TransferSession(
            userAgent: "underway", idleTimeout: idleSeconds,
            allowsInsecureHTTP: allowsInsecureHTTP)
        return AssetTransport { request in
            do {
                return try await withThrowingTaskGroup(of: AssetResponse.self) { group in
                    group.addTask { try await session.answer(to: request) }
                    group.addTask {
                        try await Task.sleep(for: answerTime)
                        throw AssetError(
                            .offline, "There was no complete answer within \(answerTime).")
                    }
                    defer { group.cancelAll() }
                    guard let response = try await group.next() else { throw CancellationError() }
                    return response
                }
            } catch is CancellationError {
                throw AssetError(.cancelled, "It was cancelled.")
            }
        }
    }

    /// How long a connection may be silent, in seconds.
    private static let idleSeconds: TimeInterval = 30
    /// How long an answer may take.
    private static let answerTime = Duration.seconds(60)
}

extension TransferSession {
    fileprivate func answer(to request: AssetRequest) async throws -> AssetResponse {
        do {
            // A redirect may lead to another host, but never to a less secure connection.
            let response = try await send(
                TransferRequest(
                    url: request.url.absoluteString, headers: request.headers,
                    bodyBytesMax: request.bytesMax, redirects: .noDowngrade))
            let body = Data(try await response.body.collect())
            return AssetResponse(
                status: response.head.status, headers: response.head.headers, body: body)
        } catch let error as TransferError {
            throw AssetError(error)
        }
    }
}

extension AssetError {
    fileprivate init(_ error: TransferError) {
        let code: Code =
            switch error.code {
            case .offline, .timedOut: .offline
            case .tooLong: .tooLong
            case .cancelled: .cancelled
            case .insecureAddress: .insecureAddress
            }
        self.init(code, error.message)
    }
}
