import ContentModel
import Foundation
public import ServiceAPI
import WebTransfer

/// What the service answers when it does not do what was asked.
public struct ServiceProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The HTTP status; 0 when there was no answer at all.
    public var status: Int
    /// The reason; `nil` for one that this version does not know, or no answer.
    public var code: ProblemCode?
    /// What happened, without user data.
    public var message: String
    /// How long the server asked to wait, in seconds.
    public var retryAfterSeconds: Int?

    /// The message.
    public var description: String { message }
}

/// Speaks with the server's routes: JSON out, JSON in, problems as errors.
struct ServiceClient: Sendable {
    let transport: any Transport
    /// Scheme, host and port, without a slash at its end.
    let baseURL: String
    let deadline: Duration

    struct Answer: Sendable {
        var body: [UInt8]
        var sentBytes: Int
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - path: From the root.
    ///   - json: The body; packed when that is worth it.
    ///   - token: The access token.
    /// - Returns: The body of a 2xx answer.
    /// - Throws: `ServiceProblem`, or `CancellationError` when the task was cancelled.
    func send(
        _ method: String, _ path: String, _ json: JSONValue? = nil, token: String? = nil
    ) async throws -> Answer {
        var headers: [String: String] = [:]
        var body = json?.canonicalBytes
        if let plain = body {
            headers["Content-Type"] = "application/json"
            // The short bodies of account routes are read before anybody is known, so never packed.
            if plain.count >= ServiceLimits.packedBodyBytesMin,
                !path.hasPrefix(UserDataRoutes.accounts),
                let packed = Gzip.packed(plain, level: ServiceLimits.packingLevel)
            {
                body = packed
                headers["Content-Encoding"] = "gzip"
            }
        }
        if let token { headers["Authorization"] = "Bearer " + token }
        let request = TransportRequest(
            method, url: baseURL + path, headers: headers, body: body,
            bodyBytesMax: ServiceLimits.unpackedBodyBytesMax)
        let (status, fields, bytes) = try await answer(request)
        guard (200..<300).contains(status) else { throw problem(status, fields, bytes) }
        return Answer(body: bytes, sentBytes: body?.count ?? 0)
    }

    private func answer(
        _ request: TransportRequest
    ) async throws -> (Int, [String: String], [UInt8]) {
        do {
            return try await withDeadline(deadline) { [transport] in
                let response = try await transport.send(request)
                let bytes = try await response.collect(request.bodyBytesMax)
                return (response.status, response.headers, bytes)
            }
        } catch let error as TransportError {
            if error.code == .cancelled { throw CancellationError() }
            throw ServiceProblem(
                // A reply that is too long is asked for in smaller pieces.
                status: error.code == .tooLong ? 413 : 0, code: nil,
                message: error.code == .offline ? "offline" : error.message)
        }
    }

    private func problem(
        _ status: Int, _ headers: [String: String], _ bytes: [UInt8]
    ) -> ServiceProblem {
        let node = try? JSONParser.parse(bytes)
        var code: ProblemCode?
        if case .string(let text)? = node?.member("code")?.value.content {
            code = ProblemCode(rawValue: text)
        }
        var message = "The server answered \(status)."
        if case .string(let text)? = node?.member("detail")?.value.content { message = text }
        return ServiceProblem(
            status: status, code: code, message: message,
            retryAfterSeconds: RetryAfter.wait(in: headers, now: Date()).map {
                min(Int($0.seconds), ServiceLimits.retryAfterSecondsMax)
            })
    }
}
