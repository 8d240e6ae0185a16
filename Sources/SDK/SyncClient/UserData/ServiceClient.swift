import ContentModel
import Foundation
import OfflineStorage
import ServiceAPI
import WebTransfer

/// The client of the server's routes: JSON out, JSON in, refusals as errors.
struct ServiceClient: Sendable {
    let transport: any Transport
    /// Scheme, host and port, without a slash at its end.
    let baseURL: String
    let deadline: Duration

    /// Creates a client.
    init(transport: any Transport, serverURL: URL, deadline: Duration) {
        self.transport = transport
        baseURL = serverURL.absoluteString.asBaseAddress
        self.deadline = deadline
    }

    private init(_ other: ServiceClient, deadline: Duration) {
        transport = other.transport
        baseURL = other.baseURL
        self.deadline = deadline
    }

    /// Returns a client with a shorter time limit.
    func within(_ deadline: Duration) -> ServiceClient {
        ServiceClient(self, deadline: min(deadline, self.deadline))
    }

    /// The body of a reply, with facts about the exchange.
    struct Reply: Sendable {
        var body: [UInt8]
        /// The bytes of the request as they crossed the network.
        var sentBytes: Int
        /// The server's time, by the field `Date`; `nil` for none.
        var date: Date?
    }

    /// Sends a request whose reply is JSON.
    ///
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - path: The path from the root.
    ///   - json: The body; compressed if it is large enough.
    ///   - token: The access token.
    ///   - fields: Further fields of the head.
    /// - Returns: The body of a 2xx reply, which begins an object.
    /// - Throws: `ServiceError`, or `CancellationError` when the task was cancelled.
    func send(
        _ method: String, _ path: String, _ json: JSONValue? = nil, token: String? = nil,
        fields: [String: String] = [:]
    ) async throws -> Reply {
        let (_, reply) = try await reply(method, path, json, token, fields)
        guard reply.body.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") else {
            throw foreign(reply.body)
        }
        return reply
    }

    /// Sends a request whose reply has no body.
    ///
    /// Some networks reply to everything with a page of their own and 200, which is no success.
    /// - Throws: As `send`.
    func perform(
        _ method: String, _ path: String, _ json: JSONValue? = nil, token: String? = nil
    ) async throws {
        let (status, reply) = try await reply(method, path, json, token)
        guard [202, 204].contains(status), reply.body.isEmpty else { throw foreign(reply.body) }
    }

    /// Opens a stream of server-sent events.
    ///
    /// - Parameters:
    ///   - path: The path from the root.
    ///   - token: The access token.
    ///   - lastID: The id of the last event that was received; empty for none.
    ///   - bytesMax: The maximum number of bytes of the stream.
    /// - Returns: The body as it arrives; the deadline is that of its head.
    /// - Throws: `ServiceError`, or `CancellationError` when the task was cancelled.
    func stream(
        _ path: String, token: String, lastID: String, bytesMax: Int
    ) async throws -> AsyncThrowingStream<[UInt8], any Error> {
        var headers = ["Accept": "text/event-stream", "Authorization": "Bearer " + token]
        if !lastID.isEmpty { headers["Last-Event-ID"] = lastID }
        let response = try await translating {
            let request = TransportRequest(
                url: try URL(joined: baseURL + path), headers: headers, bodyBytesMax: bytesMax,
                purpose: .userData)
            return try await withDeadline(deadline) { [transport] in
                try await transport.send(request)
            }
        }
        guard response.status == 200 else {
            let bytes = try await translating {
                try await response.collect(ServiceLimits.accountBodyBytesMax)
            }
            throw refusal(response.status, response.headers, bytes)
        }
        return response.body
    }

    private func reply(
        _ method: String, _ path: String, _ json: JSONValue?, _ token: String?,
        _ fields: [String: String] = [:]
    ) async throws -> (status: Int, Reply) {
        var headers = fields
        var body = json?.canonicalBytes
        if let plain = body {
            headers["Content-Type"] = "application/json"
            // The server reads the short bodies of account routes before it knows the sender: never
            // compressed.
            if plain.count >= ServiceLimits.packedBodyBytesMin,
                !path.hasPrefix(UserDataRoutes.accounts),
                let packed = Gzip.packed(plain, level: ServiceLimits.packingLevel)
            {
                body = packed
                headers["Content-Encoding"] = "gzip"
            }
        }
        if let token { headers["Authorization"] = "Bearer " + token }
        let (status, fields, bytes) = try await exchange(method, path, headers, body)
        guard (200..<300).contains(status) else { throw refusal(status, fields, bytes) }
        let reply = Reply(
            body: bytes, sentBytes: body?.count ?? 0, date: fields["date"].flatMap(HTTPDate.parse))
        return (status, reply)
    }

    /// The error of a reply that is not the server's: a network's own page, or another host's.
    private func foreign(_ bytes: [UInt8]) -> ServiceError {
        guard WebPage.begins(bytes) else {
            return ServiceError.unreadable(WireError("", "not the expected body"))
        }
        return ServiceError(
            .captivePortal,
            "This network wants you to sign in first, or the address is not that of the server: \(baseURL)"
                + " answered with a web page. Sign in to the network, or correct the address.")
    }

    private func exchange(
        _ method: String, _ path: String, _ headers: [String: String], _ body: [UInt8]?
    ) async throws -> (Int, [String: String], [UInt8]) {
        try await translating {
            let request = TransportRequest(
                method, url: try URL(joined: baseURL + path), headers: headers, body: body,
                bodyBytesMax: ServiceLimits.unpackedBodyBytesMax, purpose: .userData)
            return try await withDeadline(deadline) { [transport] in
                let response = try await transport.send(request)
                let bytes = try await response.collect(request.bodyBytesMax)
                return (response.status, response.headers, bytes)
            }
        }
    }

    /// Translates failures of the network.
    private func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as TransportError {
            if error.code == .cancelled { throw CancellationError() }
            throw ServiceError(error)
        }
    }

    private func refusal(
        _ status: Int, _ headers: [String: String], _ bytes: [UInt8]
    ) -> ServiceError {
        // A body that is no problem document leaves the status alone to say what happened.
        let node = try? JSONParser.parse(bytes)
        var code = ServiceError.Code.unspecified
        if case .string(let text)? = node?.member("code")?.value.content {
            code = ServiceError.Code(rawValue: text)
        }
        if code == .unspecified, status == 503 { code = .busy }
        if code == .unspecified, status == 429 { code = .tooManyRequests }
        let remedy = status < 500 ? "Is the address right?" : "Try again later."
        var message = "The server answered \(status). \(remedy)"
        if status == 400, baseURL.hasPrefix("http://") { message += PlainHTTP.hint }
        if case .string(let text)? = node?.member("detail")?.value.content { message = text }
        return ServiceError(
            code, message, status: status,
            retryAfter: RetryAfter.wait(in: headers, now: Date()).map {
                .seconds(min(Int($0.seconds), ServiceLimits.retryAfterSecondsMax))
            })
    }
}

extension ServiceError {
    /// Converts a failure of the network.
    fileprivate init(_ error: TransportError) {
        let code: Code =
            switch error.code {
            case .offline: .offline
            case .timedOut: .timedOut
            case .tooLong: .tooLong
            case .insecureAddress: .insecureAddress
            case .badAddress: .badAddress
            default: .transport
            }
        // A reply that is too long is asked for in smaller pieces.
        self.init(
            code, error.message, status: code == .tooLong ? 413 : 0, cause: error)
    }

    /// Creates the error of an unreadable reply.
    static func unreadable(_ failure: WireError) -> ServiceError {
        ServiceError(
            .unreadableReply,
            "The server's reply cannot be read: \(failure). Is the address right? If it is, update the app, or"
                + " the server.",
            status: 200, cause: failure)
    }

    /// Reads a reply's body.
    static func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let failure as WireError {
            throw unreadable(failure)
        }
    }

    /// Creates an error of the device's store.
    init(store error: StoreError) { self.init(.storage, error.message, cause: error) }

    /// Creates an error of a keychain, or of the app's own parts.
    init(other error: any Error) {
        let known = (error as? any LocalizedError)?.errorDescription
        self.init(
            .unexpected, known ?? "An unexpected error occurred: \(error). Please report it.",
            cause: error)
    }

    /// The text for a report: one word if there is no network.
    var summary: String { code == .offline ? "offline" : message }
}
