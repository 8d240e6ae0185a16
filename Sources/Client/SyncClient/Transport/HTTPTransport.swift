public import Foundation
import WebTransfer

/// The network of a device: URLSession on Apple platforms, libcurl on Linux.
///
/// Nothing is cached, no cookie is kept, and a redirect to another origin is not followed. Bodies are
/// bounded in length and memory: the server waits while nobody reads.
///
/// ```swift
/// let transport = HTTPTransport(userAgent: "cards/3")
/// let sync = ContentSync(store: store, transport: transport, baseURL: "https://host/api/content/v2")
/// ```
public struct HTTPTransport: Transport {
    private let session: TransferSession

    /// Opens a session.
    ///
    /// - Parameters:
    ///   - userAgent: What the app calls itself; keep it short, each poll sends it.
    ///   - idleTimeout: How long a connection may be silent, in seconds.
    ///   - allowsInsecureHTTP: True to speak plain HTTP with other devices too. Without it only
    ///     https and this device itself are allowed, since others on the way could read the user's
    ///     tokens and change the content.
    public init(
        userAgent: String = "underway", idleTimeout: TimeInterval = 30,
        allowsInsecureHTTP: Bool = false
    ) {
        session = TransferSession(
            userAgent: userAgent, idleTimeout: idleTimeout, allowsInsecureHTTP: allowsInsecureHTTP)
    }

    /// Ends all requests and frees the session; call it when the transport is no longer needed.
    public func close() { session.close() }

    /// Sends a request; see `Transport.send`.
    ///
    /// - Throws: `TransportError`.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        do {
            let response = try await session.send(
                TransferRequest(
                    request.method, url: request.url, headers: request.headers, body: request.body,
                    bodyBytesMax: request.bodyBytesMax))
            let body = response.body
            return TransportResponse(
                status: response.head.status, headers: response.head.headers,
                body: AsyncThrowingStream {
                    do {
                        return try await body.next()
                    } catch let error as TransferError {
                        throw TransportError(error)
                    }
                })
        } catch let error as TransferError {
            throw TransportError(error)
        }
    }
}

extension TransportError {
    fileprivate init(_ error: TransferError) {
        let code: Code =
            switch error.code {
            case .offline: .offline
            case .timedOut: .timedOut
            case .tooLong: .tooLong
            case .cancelled: .cancelled
            case .insecureAddress: .insecureAddress
            }
        self.init(code, error.message)
    }
}
