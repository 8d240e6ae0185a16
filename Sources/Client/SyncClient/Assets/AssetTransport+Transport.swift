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
                throw AssetError(error)
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
        let body = Data(try await response.collect(request.bytesMax))
        return AssetResponse(status: response.status, headers: response.headers, body: body)
    }
}

extension AssetError {
    fileprivate init(_ error: TransportError) {
        let code: Code =
            switch error.code {
            case .offline, .timedOut: .offline
            case .tooLong: .tooLong
            case .cancelled: .cancelled
            case .insecureAddress: .insecureAddress
            }
        self.init(code, error.message)
    }
}
