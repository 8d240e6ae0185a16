public import Foundation
import WebTransfer

/// A GET request for an asset.
///
/// ```swift
/// let url = try URL(address: "https://host.example/policy.json")
/// let request = AssetRequest(url: url, headers: ["If-None-Match": "\"v1\""], bytesMax: 4096)
/// print(request.bytesMax)
/// ```
public struct AssetRequest: Sendable, Hashable {
    /// The address.
    public var url: URL
    /// The header fields.
    public var headers: [String: String]
    /// The maximum length of the body, in bytes; a transport ends a longer reply.
    public var bytesMax: Int

    /// Creates a request.
    public init(url: URL, headers: [String: String] = [:], bytesMax: Int) {
        self.url = url
        self.headers = headers
        self.bytesMax = bytesMax
    }
}

/// A complete reply.
///
/// ```swift
/// let response = AssetResponse(status: 200, body: Data("{}".utf8))
/// print(response.body.count)
/// ```
public struct AssetResponse: Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// The header fields by lowercase name.
    public var headers: [String: String]
    /// The body, with content encodings removed.
    public var body: Data

    /// Creates a reply.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The network of assets.
///
/// ```swift
/// let preview = AssetTransport { request in
///     AssetResponse(status: 200, body: Data("{}".utf8))
/// }
/// let url = try URL(address: "https://host.example/policy.json")
/// print(try await preview(AssetRequest(url: url, bytesMax: 100)).status)
/// ```
public struct AssetTransport: Sendable {
    private let send: @Sendable (AssetRequest) async throws -> AssetResponse

    /// Creates a network of the app's own code.
    ///
    /// - Parameter send: Sends a request; throws `AssetError` `offline` without a complete reply, and `tooLong` above
    ///   its maximum.
    public init(_ send: @escaping @Sendable (AssetRequest) async throws -> AssetResponse) {
        self.send = send
    }

    /// Sends a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The complete reply.
    /// - Throws: `AssetError`.
    public func callAsFunction(_ request: AssetRequest) async throws -> AssetResponse {
        try await send(request)
    }

    /// The session that all assets share, without cache and cookies; a reply may take up to a minute.
    ///
    /// On Linux it is a session of libcurl. Plain HTTP to other devices is not allowed; see
    /// ``network(allowsInsecureHTTP:)``.
    public static let urlSession = network()

    /// Opens a separate session without cache and cookies; a reply may take up to a minute.
    ///
    /// - Parameter allowsInsecureHTTP: True to allow plain HTTP to other devices too; others on the network could
    ///   change the content.
    /// - Returns: The session, which closes with its last reference.
    public static func network(allowsInsecureHTTP: Bool = false) -> AssetTransport {
        let session = TransferSession(
            userAgent: "underway", idleTimeout: idleSeconds,
            allowsInsecureHTTP: allowsInsecureHTTP)
        return AssetTransport { request in
            do {
                return try await withThrowingTaskGroup(of: AssetResponse.self) { group in
                    group.addTask { try await session.reply(to: request) }
                    group.addTask {
                        try await Task.sleep(for: replyTime)
                        throw AssetError(
                            .offline,
                            "There was no complete answer within \(replyTime). Try again later.")
                    }
                    defer { group.cancelAll() }
                    guard let response = try await group.next() else { throw CancellationError() }
                    return response
                }
            } catch is CancellationError {
                throw AssetError(.cancelled, "It was cancelled. Try again.")
            }
        }
    }

    /// The maximum idle time of a connection, in seconds.
    private static let idleSeconds: TimeInterval = 30
    /// The time limit of a reply.
    private static let replyTime = Duration.seconds(60)
}

extension TransferSession {
    fileprivate func reply(to request: AssetRequest) async throws -> AssetResponse {
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
            case .offline, .timedOut, .badHeaderField: .offline
            case .tooLong: .tooLong
            case .cancelled: .cancelled
            case .insecureAddress: .insecureAddress
            case .badAddress: .badAddress
            case .networkNotAllowed: .networkNotAllowed
            }
        self.init(code, error.message, cause: error)
    }
}
