import Foundation
public import RemoteAssets

extension AssetTransport {
    /// Creates a network of assets from the network of a sync.
    ///
    /// - Parameters:
    ///   - transport: The network.
    ///   - deadline: The time limit of a complete reply.
    public init(_ transport: any Transport, deadline: Duration = .seconds(60)) {
        self.init { request in
            do {
                return try await withDeadline(deadline) {
                    try await transport.reply(to: request)
                }
            } catch let error as TransportError {
                throw AssetError(error)
            }
        }
    }
}

extension Transport {
    fileprivate func reply(to request: AssetRequest) async throws -> AssetResponse {
        let response = try await send(
            TransportRequest(
                url: request.url, headers: request.headers, bodyBytesMax: request.bytesMax,
                purpose: .asset))
        let body = Data(try await response.collect(request.bytesMax))
        return AssetResponse(status: response.status, headers: response.headers, body: body)
    }
}

extension AssetError {
    fileprivate init(_ error: TransportError) {
        let code: Code =
            switch error.code {
            case .tooLong: .tooLong
            case .cancelled: .cancelled
            case .insecureAddress: .insecureAddress
            case .badAddress: .badAddress
            case .networkNotAllowed: .networkNotAllowed
            default: .offline
            }
        self.init(code, error.message, cause: error)
    }
}
