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
    /// The task of each reply that runs.
    private let tasks = Mutex<[ObjectIdentifier: URLSessionDataTask]>([:])

    /// Opens a session without cache and cookies.
    init(idleTimeout: TimeInterval) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.timeoutIntervalForRequest = idleTimeout
        configuration.httpMaximumConnectionsPerHost = TransferLimits.connectionsPerHostMax
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    func close() { session.invalidateAndCancel() }

    func start(_ request: TransferRequest, _ address: WebAddress, _ reply: Reply) {
        guard let url = URL(string: address.text) else {
            reply.ended(.failure(TransferError(.offline, "That is not an address.")))
            return
        }
        var urlRequest = URLRequest(url: url)
        for (name, value) in request.headers {
            urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body.map { Data($0) }
        let task = session.dataTask(with: urlRequest)
        let id = reply.id
        tasks.withLock { $0[id] = task }
        delegate.add(task, reply) { [weak self] in
            _ = self?.tasks.withLock { $0.removeValue(forKey: id) }
        }
        task.resume()
        // Whoever left before the task was known could not stop it.
        if reply.hasEnded { stop(reply) }
    }

    func resume(_ reply: Reply) { tasks.withLock { $0[reply.id] }?.resume() }

    func stop(_ reply: Reply) {
        guard let task = tasks.withLock({ $0.removeValue(forKey: reply.id) }) else { return }
        delegate.remove(task)
        task.cancel()
    }
}

/// Hands what a session receives to the replies.
private final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct Exchange {
        var reply: Reply
        var whenDone: @Sendable () -> Void
    }

    private let exchanges = Mutex<[Int: Exchange]>([:])

    func add(_ task: URLSessionTask, _ reply: Reply, whenDone: @escaping @Sendable () -> Void) {
        exchanges.withLock {
            $0[task.taskIdentifier] = Exchange(reply: reply, whenDone: whenDone)
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
        reply(dataTask)?.headArrived(head)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let reply = reply(dataTask) else { return }
        // What was delivered cannot be refused: the buffer takes it, and the task waits.
        switch reply.bodyArrived([UInt8](data), mayOverfill: true) {
        case .taken: break
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
        exchange.reply.ended(error.map { .failure(Self.failure($0)) } ?? .success(()))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // The redirect itself becomes the reply; the session decides whether to follow it.
        completionHandler(nil)
    }

    private static func failure(_ error: any Error) -> TransferError {
        let code = (error as? URLError)?.code
        return TransferError(
            code == .timedOut ? .timedOut : .offline,
            "The network failed: \((error as NSError).localizedDescription).")
    }
}
