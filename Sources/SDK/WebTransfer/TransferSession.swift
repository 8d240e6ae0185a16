package import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// A session of HTTP requests: bounded in length, time and redirects, and cancellable at every moment.
///
/// Nothing is cached, no cookie is stored. It is closed with its last reference.
package final class TransferSession: Sendable {
    private let engine: any TransferEngine
    private let userAgent: String
    private let allowsInsecureHTTP: Bool
    private let headers: [String: String]

    /// Opens a session; no connection is made before the first request.
    ///
    /// - Parameters:
    ///   - userAgent: The app's name in the `User-Agent` field.
    ///   - idleTimeout: The maximum idle time of a connection, in seconds.
    ///   - allowsInsecureHTTP: True to allow plain HTTP to other devices too.
    ///   - headers: Valid fields of each request, unless the request has one with the same name.
    ///   - configuration: Settings of URLSession; libcurl ignores them.
    package convenience init(
        userAgent: String, idleTimeout: TimeInterval, allowsInsecureHTTP: Bool,
        headers: [String: String] = [:], configuration: URLSessionConfiguration? = nil
    ) {
        #if os(Linux)
        let engine = CurlEngine(idleTimeout: idleTimeout)
        #else
        let engine = URLSessionEngine(idleTimeout: idleTimeout, configuration: configuration)
        #endif
        self.init(
            engine: engine, userAgent: userAgent, allowsInsecureHTTP: allowsInsecureHTTP,
            headers: headers)
    }

    init(
        engine: any TransferEngine, userAgent: String, allowsInsecureHTTP: Bool,
        headers: [String: String] = [:]
    ) {
        self.engine = engine
        self.userAgent = userAgent
        self.allowsInsecureHTTP = allowsInsecureHTTP
        self.headers = headers
    }

    deinit { engine.close() }

    /// Ends all transfers; later requests fail.
    package func close() { engine.close() }

    /// Sends a request and returns when the head of the reply has arrived.
    ///
    /// - Throws: `TransferError`; `cancelled` as soon as the task is cancelled, without waiting for the network.
    package func send(_ request: TransferRequest) async throws -> TransferResponse {
        guard var address = WebAddress(request.url) else {
            throw TransferError(
                .badAddress,
                "\"\(request.url)\" is not an address. Use one that begins with https:// and names no"
                    + " user.")
        }
        var request = request
        for _ in 0..<TransferLimits.redirectsMax {
            let response = try await sendOnce(request, to: address)
            guard let next = target(of: response.head, request, from: address) else {
                return response
            }
            request.followed(response.head.status, leavesOrigin: next.origin != address.origin)
            address = next
        }
        throw TransferError(
            .offline,
            "There are more than \(TransferLimits.redirectsMax) redirects; the last leads to"
                + " \(address.origin). Use that address.")
    }

    private func sendOnce(
        _ request: TransferRequest, to address: WebAddress
    ) async throws -> TransferResponse {
        guard allowsInsecureHTTP || address.origin.isSecure else {
            throw TransferError(
                .insecureAddress,
                "\(address.origin) is not secure: others on the way could read and change what is"
                    + " sent. Use https, or allow it where you trust the network: an app by"
                    + " `allowsInsecureHTTP`, a command by `--insecure-http`.")
        }
        let reply = Reply(
            engine: engine,
            bodyBytesMax: request.bodyBytesMax.addingBounded(TransferLimits.encodingBytesMax))
        let head = try await reply.head(of: try prepared(request), address)
        let encoding = engine.decodesBodies ? nil : head.headers["content-encoding"]
        do {
            try head.checkLength(of: request)
            let body = try TransferBody(
                reply, contentEncoding: encoding, bytesMax: request.bodyBytesMax)
            return TransferResponse(head: head, body: body)
        } catch {
            reply.cancel(error)
            throw error
        }
    }

    private func prepared(_ request: TransferRequest) throws(TransferError) -> TransferRequest {
        var request = request
        var names: Set<String> = []
        for (name, value) in request.headers {
            names.insert(name.lowercased())
            guard !(name + value).utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                throw TransferError(
                    .badHeaderField,
                    "The field \(name) has bytes that cannot be sent. Use visible ASCII.")
            }
        }
        for (name, value) in headers where !names.contains(name.lowercased()) {
            request.headers[name] = value
        }
        if !names.contains("user-agent") { request.headers["User-Agent"] = userAgent }
        if !engine.decodesBodies, !names.contains("accept-encoding") {
            request.headers["Accept-Encoding"] = "br, gzip"
        }
        return request
    }

    private func target(
        of head: TransferHead, _ request: TransferRequest, from address: WebAddress
    ) -> WebAddress? {
        guard [301, 302, 303, 307, 308].contains(head.status),
            let location = head.headers["location"],
            let next = WebAddress(location, relativeTo: address)
        else { return nil }
        switch request.redirects {
        case .sameOrigin: return next.origin == address.origin ? next : nil
        case .noDowngrade:
            let isDowngrade = address.origin.scheme == "https" && next.origin.scheme != "https"
            return isDowngrade ? nil : next
        }
    }
}

extension TransferRequest {
    /// Changes a request for a redirect (RFC 9110, section 15.4).
    fileprivate mutating func followed(_ status: Int, leavesOrigin: Bool) {
        if status == 303 || ((status == 301 || status == 302) && method == "POST"),
            method != "HEAD"
        {
            method = "GET"
            body = nil
            headers = headers.filter { !$0.key.lowercased().hasPrefix("content-") }
        }
        guard leavesOrigin else { return }
        let secret: Set<String> = ["authorization", "cookie", "proxy-authorization"]
        headers = headers.filter { !secret.contains($0.key.lowercased()) }
    }
}

extension TransferHead {
    /// Checks the declared length of a body against its maximum.
    ///
    /// The body of an error is not checked, since its status matters more.
    fileprivate func checkLength(of request: TransferRequest) throws(TransferError) {
        guard let text = headers["content-length"], headers["transfer-encoding"] == nil,
            request.method != "HEAD", status < 300
        else { return }
        let lengths = Set(text.split(separator: ",").map { $0.filter { $0 != " " } })
        guard lengths.count == 1, let length = lengths.first.flatMap({ Int($0) }), length >= 0
        else { throw TransferError(.offline, "The reply's length is not valid.") }
        guard
            length
                <= request.bodyBytesMax.addingBounded(
                    headers["content-encoding"] == nil ? 0 : TransferLimits.encodingBytesMax)
        else {
            throw .tooLong(request.bodyBytesMax)
        }
    }
}

extension Int {
    fileprivate func addingBounded(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
