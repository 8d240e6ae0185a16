// The part of Apple's Foundation that is a module of its own elsewhere. Apple's classes are Sendable, and
// the completion handlers of their delegates too.
public import Foundation

public struct URLRequest: Sendable, Hashable {
    public init(
        url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy,
        timeoutInterval: TimeInterval = 60
    ) {}

    public enum CachePolicy: UInt, Sendable {
        case useProtocolCachePolicy = 0
        case reloadIgnoringLocalCacheData = 1
    }

    public var url: URL?
    public var httpMethod: String?
    public var httpBody: Data?
    public var httpShouldHandleCookies = true
    public var cachePolicy = CachePolicy.useProtocolCachePolicy
    public var timeoutInterval: TimeInterval = 60
    public var allowsExpensiveNetworkAccess = true
    public var allowsConstrainedNetworkAccess = true
    public var allHTTPHeaderFields: [String: String]?
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
    public func value(forHTTPHeaderField field: String) -> String? { nil }
}

open class URLResponse: NSObject, @unchecked Sendable {
    open var url: URL? { fatalError() }
    open var expectedContentLength: Int64 { fatalError() }
    open var mimeType: String? { fatalError() }
}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    open var statusCode: Int { fatalError() }
    open var allHeaderFields: [AnyHashable: Any] { fatalError() }
    open func value(forHTTPHeaderField field: String) -> String? { nil }
}

open class URLSessionTask: NSObject, @unchecked Sendable {
    public enum State: Int, Sendable {
        case running = 0
        case suspended = 1
        case canceling = 2
        case completed = 3
    }

    open var taskIdentifier: Int { fatalError() }
    open var originalRequest: URLRequest? { fatalError() }
    open var currentRequest: URLRequest? { fatalError() }
    open var response: URLResponse? { fatalError() }
    open var error: (any Error)? { fatalError() }
    open var state: State { fatalError() }
    open var countOfBytesReceived: Int64 { fatalError() }
    open func resume() {}
    open func suspend() {}
    open func cancel() {}
}

open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

open class URLCache: NSObject, @unchecked Sendable {}
open class HTTPCookieStorage: NSObject, @unchecked Sendable {}

extension URLError {
    public enum NetworkUnavailableReason: Int, Sendable {
        case cellular = 0
        case expensive = 1
        case constrained = 2
    }

    public var networkUnavailableReason: NetworkUnavailableReason? { nil }
}

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    open class var ephemeral: URLSessionConfiguration { fatalError() }
    open class var `default`: URLSessionConfiguration { fatalError() }
    open var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    open var urlCache: URLCache?
    open var httpCookieStorage: HTTPCookieStorage?
    open var httpShouldSetCookies = true
    open var httpAdditionalHeaders: [AnyHashable: Any]?
    open var httpMaximumConnectionsPerHost = 6
    open var timeoutIntervalForRequest: TimeInterval = 60
    open var timeoutIntervalForResource: TimeInterval = 604_800
    open var waitsForConnectivity = false
    open var allowsExpensiveNetworkAccess = true
    open var allowsConstrainedNetworkAccess = true
}

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
}

public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

// On Apple platforms these requirements are optional.
extension URLSessionDelegate {
    public func urlSession(
        _ session: URLSession, didBecomeInvalidWithError error: (any Error)?
    ) {}
}

extension URLSessionTaskDelegate {
    public func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {}
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {}
}

extension URLSessionDataDelegate {
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {}
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
    ) {}
}

open class URLSession: NSObject, @unchecked Sendable {
    public enum ResponseDisposition: Int, Sendable {
        case cancel = 0
        case allow = 1
    }

    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)? = nil,
        delegateQueue queue: OperationQueue? = nil
    ) {}

    open class var shared: URLSession { fatalError() }
    open var configuration: URLSessionConfiguration { fatalError() }
    open func dataTask(with request: URLRequest) -> URLSessionDataTask { fatalError() }
    open func data(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { fatalError() }
    open func invalidateAndCancel() {}
    open func finishTasksAndInvalidate() {}
}
