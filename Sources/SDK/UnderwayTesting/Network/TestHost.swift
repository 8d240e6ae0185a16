import Foundation
public import SyncClient

/// A host in memory: ``ScriptedHost``, ``TestReleaseServer``, ``TestSyncServer`` or an app's own.
///
/// Each is also a `Transport`. ``TestNetwork`` combines several, records requests and adds faults.
///
/// ```swift
/// struct EmptyHost: TestHost {
///     func reply(to request: TransportRequest) -> TestReply? { TestReply(204) }
/// }
/// ```
public protocol TestHost: Transport {
    /// Replies to a request.
    ///
    /// - Returns: `nil` for an address of another host.
    func reply(to request: TransportRequest) -> TestReply?
}

extension TestHost {
    /// Sends a request to this host alone; an address of another host gets status 404.
    ///
    /// - Throws: `TransportError`.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try (reply(to: request) ?? .notFound).response(to: request)
    }
}

extension TransportRequest {
    /// The path of the address, with a leading slash and without percent-encoding.
    public var path: String {
        URL(string: "\(url)")?.path(percentEncoded: false) ?? ""
    }
}
