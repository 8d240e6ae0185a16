public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
    public static let urlSession: AssetTransport = {
        let delegate = BoundedDownloads()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.timeoutIntervalForRequest = 30
        configuration.timeoutIntervalForResource = 60
        let session = URLSession(
            configuration: configuration, delegate: delegate, delegateQueue: nil)
        return AssetTransport { request in
            var urlRequest = URLRequest(url: request.url)
            for (name, value) in request.headers {
                urlRequest.setValue(value, forHTTPHeaderField: name)
            }
            return try await delegate.run(session.dataTask(with: urlRequest), request.bytesMax)
        }
    }()
}

/// Collects the bodies of several tasks, each up to its bound.
private final class BoundedDownloads: NSObject, URLSessionDataDelegate, Sendable {
    private struct Download {
        let continuation: CheckedContinuation<AssetResponse, any Error>
        let bytesMax: Int
        var body = Data()
        var isTooLong = false
    }

    private let downloads = Mutex<[Int: Download]>([:])

    func run(_ task: URLSessionDataTask, _ bytesMax: Int) async throws -> AssetResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                downloads.withLock {
                    $0[task.taskIdentifier] = Download(
                        continuation: continuation, bytesMax: bytesMax)
                }
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = downloads.withLock { downloads in
            let id = dataTask.taskIdentifier
            downloads[id]?.body.append(data)
            guard let download = downloads[id], download.body.count > download.bytesMax else {
                return false
            }
            downloads[id]?.isTooLong = true
            return true
        }
        if isTooLong { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        guard let download = downloads.withLock({ $0.removeValue(forKey: task.taskIdentifier) })
        else { return }
        if download.isTooLong {
            download.continuation.resume(throwing: AssetError.tooLong(download.bytesMax))
        } else if let response = task.response as? HTTPURLResponse, error == nil {
            var headers: [String: String] = [:]
            for (name, value) in response.allHeaderFields {
                headers["\(name)".lowercased()] = "\(value)"
            }
            download.continuation.resume(
                returning: AssetResponse(
                    status: response.statusCode, headers: headers, body: download.body))
        } else {
            let isCancelled = (error as? URLError)?.code == .cancelled
            download.continuation.resume(
                throwing: isCancelled
                    ? AssetError(.cancelled, "It was cancelled.")
                    : AssetError(.offline, "There was no complete answer."))
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // A redirect may lead to another host, but never to a less secure connection.
        let isDowngrade =
            task.originalRequest?.url?.scheme == "https" && request.url?.scheme != "https"
        completionHandler(isDowngrade ? nil : request)
    }
}
