import Foundation
import SyncClient
import Synchronization

/// A shared cache between a device and its host, as networks of hosts and proxies have them.
///
/// It answers with what it stored once, however old that is, unless a request says `no-cache`.
final class EdgeCache: Transport {
    private struct Stored {
        var headers: [String: String]
        var bytes: [UInt8]
    }

    private let origin: any Transport
    private let stored = Mutex<[URL: Stored]>([:])

    init(_ origin: any Transport) { self.origin = origin }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        if request.headers["Cache-Control"] != "no-cache",
            let known = stored.withLock({ $0[request.url] })
        {
            return Self.response(known)
        }
        let response = try await origin.send(request)
        guard response.status == 200 else { return response }
        var bytes: [UInt8] = []
        for try await piece in response.body { bytes += piece }
        let fresh = Stored(headers: response.headers, bytes: bytes)
        stored.withLock { $0[request.url] = fresh }
        return Self.response(fresh)
    }

    private static func response(_ stored: Stored) -> TransportResponse {
        let body = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield(stored.bytes)
            continuation.finish()
        }
        return TransportResponse(status: 200, headers: stored.headers, body: body)
    }
}
