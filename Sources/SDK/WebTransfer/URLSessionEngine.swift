import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Transfers on URLSession, which decodes bodies itself.
final class URLSessionEngine: TransferEngine {
    let decodesBodies = true
    private let session: URLSession
    private let delegate = SessionDelegate()
    /// The task of each running reply.
    private let tasks = Mutex<[ObjectIdentifier: URLSessionDataTask]>([:])
    #if canImport(Darwin)
    private let allowsExpensiveNetwork: Bool
    private let allowsConstrainedNetwork: Bool
    #endif

    /// Opens a session without cache and cookies.
    ///
    /// - Parameters:
    ///   - idleTimeout: The maximum idle time of a connection, in seconds.
    ///   - own: The app's settings, which are copied.
    init(idleTimeout: TimeInterval, configuration own: URLSessionConfiguration? = nil) {
        let copy = own?.copy() as? URLSessionConfiguration
        let configuration = copy ?? .ephemeral
        configuration.httpAdditionalHeaders = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.timeoutIntervalForRequest = idleTimeout
        if own == nil {
            configuration.httpMaximumConnectionsPerHost = TransferLimits.connectionsPerHostMax
        }
        #if canImport(Darwin)
        allowsExpensiveNetwork = configuration.allowsExpensiveNetworkAccess
        allowsConstrainedNetwork = configuration.allowsConstrainedNetworkAccess
        #endif
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    func close() { session.invalidateAndCancel() }

    func start(_ request: TransferRequest, _ address: WebAddress, _ reply: Reply) {
        guard let url = URL(string: address.text) else {
            reply.ended(.failure(TransferError(.badAddress, "That is not an address.")))
            return
        }
        var urlRequest = URLRequest(url: url)
        for (name, value) in request.headers {
            urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body.map { Data($0) }
        #if canImport(Darwin)
        urlRequest.allowsExpensiveNetworkAccess =
            allowsExpensiveNetwork && request.allowsExpensiveNetwork
        urlRequest.allowsConstrainedNetworkAccess =
            allowsConstrainedNetwork && request.allowsConstrainedNetwork
        #endif
        let task = session.dataTask(with: urlRequest)
        let id = reply.id
        tasks.withLock { $0[id] = task }
        delegate.add(task, reply, isPlain: !address.origin.isEncrypted) { [weak self] in
            _ = self?.tasks.withLock { $0.removeValue(forKey: id) }
        }
        task.resume()
        // A reader that cancelled before the task was known could not stop it.
        if reply.hasEnded { stop(reply) }
    }

    func resume(_ reply: Reply) { tasks.withLock { $0[reply.id] }?.resume() }

    func stop(_ reply: Reply) {
        guard let task = tasks.withLock({ $0.removeValue(forKey: reply.id) }) else { return }
        delegate.remove(task)
        task.cancel()
    }
}

/// The delegate that fills the replies.
private final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct Exchange {
        var reply: Reply
        var isPlain: Bool
        var hasHead = false
        var whenDone: @Sendable () -> Void
    }

    private let exchanges = Mutex<[Int: Exchange]>([:])

    func add(
        _ task: URLSessionTask, _ reply: Reply, isPlain: Bool,
        whenDone: @escaping @Sendable () -> Void
    ) {
        exchanges.withLock {
            $0[task.taskIdentifier] = Exchange(reply: reply, isPlain: isPlain, whenDone: whenDone)
        }
    }

    func remove(_ task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = nil }
    }

    private func reply(_ task: URLSessionTask) -> Reply? {
        exchanges.withLock { $0[task.taskIdentifier]?.reply }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let response = response as? HTTPURLResponse
        var headers: [String: String] = [:]
        for (name, value) in response?.allHeaderFields ?? [:] {
            headers["\(name)".lowercased()] = "\(value)"
        }
        let head = TransferHead(status: response?.statusCode ?? 0, headers: headers)
        exchanges.withLock { $0[dataTask.taskIdentifier]?.hasHead = true }
        reply(dataTask)?.headArrived(head)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let reply = reply(dataTask) else { return }
        // Delivered bytes cannot be refused: they are buffered, and the task waits.
        switch reply.bodyArrived([UInt8](data), mayOverfill: true) {
        case .accepted: break
        case .full:
            dataTask.suspend()
            // The reader may have made room before the task was suspended.
            if !reply.isPaused { dataTask.resume() }
        case .refused: dataTask.cancel()
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) })
        else { return }
        exchange.whenDone()
        let speaksTLS = exchange.isPlain && !exchange.hasHead
        exchange.reply.ended(
            error.map { .failure(Self.failure($0, mayExpectTLS: speaksTLS)) } ?? .success(()))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // The redirect itself becomes the reply; the session decides whether to follow it.
        completionHandler(nil)
    }

    private static func failure(_ error: any Error, mayExpectTLS: Bool) -> TransferError {
        let urlError = error as? URLError
        #if canImport(Darwin)
        if let reason = urlError?.networkUnavailableReason, reason != .cellular {
            return TransferError(
                .networkNotAllowed,
                "This network is metered or in Low Data Mode, which is not allowed for this download."
                    + " Connect to another one, or let the user allow it.", cause: error)
        }
        #endif
        let hints: [URLError.Code] = [
            .badServerResponse, .cannotParseResponse, .networkConnectionLost,
        ]
        let hint = mayExpectTLS && urlError.map { hints.contains($0.code) } == true
        return TransferError(
            urlError?.code == .timedOut ? .timedOut : .offline,
            "The network failed: \((error as NSError).localizedDescription)."
                + (hint ? PlainHTTP.hint : ""), cause: error)
    }
}
