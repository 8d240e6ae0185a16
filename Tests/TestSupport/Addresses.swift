public import Foundation
public import SyncClient

/// A literal in a test is an address; one that is none ends the test.
extension URL: @retroactive ExpressibleByUnicodeScalarLiteral {}
extension URL: @retroactive ExpressibleByExtendedGraphemeClusterLiteral {}
extension URL: @retroactive ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        guard let url = URL(string: value) else { preconditionFailure("\(value) is no address") }
        self = url
    }
}

extension TransportRequest {
    /// Describes a request to an address that a test made as text.
    public init(
        _ method: String = "GET", url text: String, headers: [String: String] = [:],
        body: [UInt8]? = nil, bodyBytesMax: Int
    ) {
        self.init(
            method, url: URL(stringLiteral: text), headers: headers, body: body,
            bodyBytesMax: bodyBytesMax)
    }
}
