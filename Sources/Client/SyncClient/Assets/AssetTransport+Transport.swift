import Foundation
public import RemoteAssets

extension AssetTransport {
    /// Lets assets use the network of the sync.
    ///
    /// - Parameters:
    ///   - transport: The network.
    ///   - deadline: How long a whole answer may take.
    public init(_ transport: any Transport, deadline: Duration = .seconds(60)) {
        self.init { request in
            do {
                return try await withDeadline(deadline) {
                    try await transport.answer(to: request)
                }
            } catch let error as TransportError {
                throw AssetError(error.code == .tooLong ? .tooLong : .offline, error.message)
            }
        }
    }
}

extension Transport {
    fileprivate func answer(to request: AssetRequest) async throws -> AssetResponse {
        let response = try await send(
            TransportRequest(
                url: request.url.absoluteString, headers: request.headers,
                bodyBytesMax: request.bytesMax))
        var body = Data()
        for try await piece in response.body {
            body += piece
            guard body.count <= request.bytesMax else {
                throw TransportError(
                    .tooLong, "The answer is longer than \(request.bytesMax) bytes.")
            }
        }
        return AssetResponse(status: response.status, headers: response.headers, body: body)
    }
}
