public import Foundation
public import SyncClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The network of a device, on URLSession.
///
/// Nothing is cached, no cookie is kept, and a redirect to another origin is not followed.
public struct HTTPTransport: Transport {
    private let session: URLSession
    private let delegate: SessionDelegate
    private let userAgent: String

    /// Opens a session.
    ///
    /// - Parameters:
    ///   - userAgent: What the app calls itself; keep it short, each poll sends it.
    ///   - idleTimeout: How long a connection may be silent, in seconds.
    public init(userAgent: String = "underway", idleTimeout: TimeInterval = 30) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.timeoutIntervalForRequest = idleTimeout
        delegate = SessionDelegate()
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        self.userAgent = userAgent
    }

    /// Ends all requests and frees the session; call it when the transport is no longer needed.
    public func close() { session.invalidateAndCancel() }

    /// Sends a request; see `Transport.send`.
    ///
    /// - Throws: `TransportError`.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let url = URL(string: request.url), url.host != nil else {
            throw TransportError(.offline, "\"\(request.url)\" is not an address.")
        }
        var urlRequest = URLRequest(url: url)
        urlRequest.setValue(userAgent, forHTTPHeaderField: "User-Agent")
        #if os(Linux)
        // Shorter than what is sent otherwise; these bytes are part of every poll.
        urlRequest.setValue("br, gzip", forHTTPHeaderField: "Accept-Encoding")
        urlRequest.setValue("*", forHTTPHeaderField: "Accept-Language")
        #endif
        for (name, value) in request.headers {
            urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body.map { Data($0) }
        let task = session.dataTask(with: urlRequest)
        return try await delegate.start(task, bodyBytesMax: request.bodyBytesMax)
    }
}
