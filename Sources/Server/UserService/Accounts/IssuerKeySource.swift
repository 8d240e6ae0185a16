import Foundation
import ServiceAPI
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The place of an issuer's keys: a file, or an https address.
struct IssuerKeySource: Sendable {
    private let url: URL
    private let isAllowed: Bool

    init(_ issuer: ExternalIssuer) {
        url = issuer.keys
        isAllowed = Self.isAllowed(issuer.keys, plainLoopback: issuer.allowsPlainLoopback)
    }

    /// Plain http could be changed on its way by anybody, who then signs as the issuer.
    private static func isAllowed(_ url: URL, plainLoopback: Bool) -> Bool {
        switch url.scheme?.lowercased() {
        case "file", "https": true
        case "http": plainLoopback && ["127.0.0.1", "::1", "localhost"].contains(url.host() ?? "")
        default: false
        }
    }

    /// Reads the keys; `nil` when that fails in any way or takes longer than ten seconds.
    func read() async -> Data? {
        guard isAllowed else { return nil }
        guard !url.isFileURL else { return readFile() }
        let fetch = KeyFetch(origin: url)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForResource = 10
        let session = URLSession(
            configuration: configuration, delegate: fetch, delegateQueue: nil)
        // A session keeps its delegate until it is told to end.
        defer { session.invalidateAndCancel() }
        var request = URLRequest(url: url)
        request.timeoutInterval = 10
        // Packed bytes could unpack to more than the bound before anybody counts them.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        return await fetch.run(session.dataTask(with: request))
    }

    private func readFile() -> Data? {
        // A file that cannot be read is a failure like any other.
        guard let data = try? Data(contentsOf: url),
            data.count <= ServiceLimits.issuerKeysBytesMax
        else { return nil }
        return data
    }
}

/// One download, whose bytes are counted as they come.
private final class KeyFetch: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var bytes = Data()
        var isRefused = false
        var continuation: CheckedContinuation<Data?, Never>?
    }

    private let origin: URL
    private let state = Mutex(State())

    init(origin: URL) { self.origin = origin }

    func run(_ task: URLSessionDataTask) async -> Data? {
        await withCheckedContinuation { continuation in
            state.withLock { $0.continuation = continuation }
            task.resume()
        }
    }

    private func finish(_ data: Data?) {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let isSame =
            request.url?.scheme == origin.scheme && request.url?.host() == origin.host()
            && request.url?.port == origin.port
        completionHandler(isSame ? request : nil)
        if !isSame { refuse(task) }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let answer = response as? HTTPURLResponse
        let encoding = answer?.value(forHTTPHeaderField: "Content-Encoding") ?? "identity"
        let isGood =
            answer?.statusCode == 200 && encoding.lowercased() == "identity"
            && response.expectedContentLength <= Int64(ServiceLimits.issuerKeysBytesMax)
        completionHandler(isGood ? .allow : .cancel)
        if !isGood { refuse(dataTask) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = state.withLock { state in
            guard !state.isRefused else { return false }
            state.bytes.append(data)
            return state.bytes.count > ServiceLimits.issuerKeysBytesMax
        }
        if isTooLong { refuse(dataTask) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let data = state.withLock { $0.isRefused || error != nil ? nil : $0.bytes }
        finish(data)
    }

    private func refuse(_ task: URLSessionTask) {
        state.withLock {
            $0.isRefused = true
            $0.bytes = Data()
        }
        task.cancel()
        finish(nil)
    }
}
