import Foundation
import HTTPTypes
package import SyncClient

/// Lets the sync client talk to the real router without a socket.
package struct InProcessTransport: Transport {
    private let router: InProcessRouter

    package init(_ router: InProcessRouter) { self.router = router }

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        let path =
            "/"
            + request.url.absoluteString.split(separator: "/").dropFirst(2).joined(separator: "/")
        var fields = HTTPFields()
        for (name, value) in request.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields[name] = value
        }
        guard let method = HTTPRequest.Method(request.method) else {
            throw TransportError(.offline, "not a method")
        }
        let answer = try await router.send(method, path, fields, body: request.body ?? [])
        var headers: [String: String] = [:]
        for field in answer.headers { headers[field.name.canonicalName] = field.value }
        let body = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield(answer.body)
            continuation.finish()
        }
        return TransportResponse(
            status: answer.status.code, headers: headers, body: body)
    }
}
