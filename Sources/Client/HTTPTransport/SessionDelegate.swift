import Foundation
import SyncClient
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Hands what a session receives to the request that waits for it.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct Exchange {
        var head: CheckedContinuation<TransportResponse, any Error>?
        var body: AsyncThrowingStream<[UInt8], any Error>.Continuation?
        var bodyBytesMax: Int
        var received = 0
        /// Why this side ended the exchange.
        var failure: TransportError?
    }

    private let exchanges = Mutex<[Int: Exchange]>([:])

    /// Starts a task and answers once the head of its response is here.
    func start(_ task: URLSessionDataTask, bodyBytesMax: Int) async throws -> TransportResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.withLock {
                    $0[task.taskIdentifier] = Exchange(
                        head: continuation, bodyBytesMax: bodyBytesMax)
                }
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
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
        let (body, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
        continuation.onTermination = { termination in
            if case .cancelled = termination { dataTask.cancel() }
        }
        let head = exchanges.withLock { exchanges in
            let head = exchanges[dataTask.taskIdentifier]?.head
            exchanges[dataTask.taskIdentifier]?.head = nil
            exchanges[dataTask.taskIdentifier]?.body = continuation
            return head
        }
        head?.resume(
            returning: TransportResponse(
                status: response?.statusCode ?? 0, headers: headers, body: body))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isWelcome = exchanges.withLock { exchanges in
            guard var exchange = exchanges[dataTask.taskIdentifier] else { return false }
            exchange.received += data.count
            let fits = exchange.received <= exchange.bodyBytesMax
            if fits {
                exchange.body?.yield([UInt8](data))
            } else {
                exchange.failure = TransportError(
                    .tooLong, "The answer is longer than \(exchange.bodyBytesMax) bytes.")
            }
            exchanges[dataTask.taskIdentifier] = exchange
            return fits
        }
        if !isWelcome { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        let failure = exchange?.failure ?? error.map(Self.failure)
        if let head = exchange?.head {
            head.resume(throwing: failure ?? TransportError(.offline, "There was no answer."))
        }
        if let failure {
            exchange?.body?.finish(throwing: failure)
        } else {
            exchange?.body?.finish()
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // Without a new request, the redirect itself becomes the answer.
        let isSameOrigin = request.url.map(Self.origin) == response.url.map(Self.origin)
        completionHandler(isSameOrigin ? request : nil)
    }

    private static func origin(_ url: URL) -> String {
        let scheme = url.scheme ?? ""
        let standardPort = scheme == "https" ? 443 : 80
        return "\(scheme)://\(url.host ?? ""):\(url.port ?? standardPort)"
    }

    private static func failure(_ error: any Error) -> TransportError {
        let code = (error as? URLError)?.code
        return TransportError(
            code == .timedOut ? .timedOut : .offline,
            "The network failed: \((error as NSError).localizedDescription).")
    }
}
