public import Foundation
import WebTransfer

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The network of a device: URLSession on Apple platforms, libcurl on Linux.
///
/// It caches nothing, stores no cookies, and does not follow a redirect to another origin. Bodies are bounded in length
/// and memory: when the reader pauses, the server waits.
///
/// ```swift
/// let transport = HTTPTransport(userAgent: "cards/3")
/// let store = try OfflineStore(folder: URL.temporaryDirectory.appending(path: "content"))
/// let address = try URL(address: "https://host.example/api/content/v2")
/// let sync = ContentSync(store: store, transport: transport, releaseURL: address)
/// print(await sync.sync().outcome)
/// ```
public struct HTTPTransport: Transport {
    private let session: TransferSession
    private let networkPolicy: NetworkPolicy

    /// Creates a transport with a session of its own.
    ///
    /// - Parameters:
    ///   - userAgent: The app's name in the `User-Agent` field; short, since each poll sends it.
    ///   - idleTimeout: The maximum idle time of a connection, in seconds; `nil` for the configuration's
    ///     `timeoutIntervalForRequest`, or 30 without one.
    ///   - allowsInsecureHTTP: True to allow plain HTTP to other devices too. By default only https and this device
    ///     itself are allowed, since others on the network could read the user's tokens and change the content.
    ///   - headerFields: Fields of each request, in addition to those of the SDK.
    ///   - networkPolicy: The purposes that may use metered networks; ignored on Linux.
    ///   - configuration: The app's own settings, which are copied. Cache, cookies and `httpAdditionalHeaders` are
    ///     always off, and an identifier of a background session is not supported. Linux ignores everything but
    ///     `timeoutIntervalForRequest`: proxies come from the environment (`https_proxy`), and the number of
    ///     connections is fixed.
    public init(
        userAgent: String = "underway", idleTimeout: TimeInterval? = nil,
        allowsInsecureHTTP: Bool = false, headerFields: ExtraHeaderFields = ExtraHeaderFields(),
        networkPolicy: NetworkPolicy = NetworkPolicy(),
        configuration: URLSessionConfiguration? = nil
    ) {
        self.networkPolicy = networkPolicy
        session = TransferSession(
            userAgent: userAgent,
            idleTimeout: idleTimeout ?? configuration?.timeoutIntervalForRequest ?? 30,
            allowsInsecureHTTP: allowsInsecureHTTP, headers: headerFields.values,
            configuration: configuration)
    }

    /// Ends all requests and closes the session; call it when the transport is no longer needed.
    public func close() { session.close() }

    /// Sends a request; see ``Transport/send(_:)``.
    ///
    /// - Throws: `TransportError`.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        do {
            let response = try await session.send(transfer(request))
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

    /// Converts a request, with the networks that its purpose may use.
    func transfer(_ request: TransportRequest) -> TransferRequest {
        var transfer = TransferRequest(
            request.method, url: request.url.absoluteString, headers: request.headers,
            body: request.body, bodyBytesMax: request.bodyBytesMax)
        transfer.allowsExpensiveNetwork = networkPolicy.allowsExpensiveNetworkAccess(
            for: request.purpose)
        transfer.allowsConstrainedNetwork = networkPolicy.allowsConstrainedNetworkAccess(
            for: request.purpose)
        return transfer
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
            case .badAddress: .badAddress
            case .badHeaderField: .badHeaderField
            case .networkNotAllowed: .networkNotAllowed
            }
        self.init(code, error.message, cause: error.cause)
    }
}
