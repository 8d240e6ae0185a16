import Foundation

/// The scheme, host and port of an address.
///
/// Two addresses of the same origin lead to the same server, as far as names can say (RFC 6454).
package struct WebOrigin: Sendable, Hashable, CustomStringConvertible {
    /// `http` or `https`.
    package let scheme: String
    /// The host in lowercase; an IPv6 address in brackets.
    package let host: String
    /// The port, the scheme's own when the address names none.
    package let port: Int

    /// Reads an address; `nil` when it is not one of a web server, or names a user.
    package init?(_ address: String) {
        guard let components = URLComponents(string: address) else { return nil }
        self.init(components)
    }

    init?(_ components: URLComponents) {
        guard let scheme = components.scheme?.lowercased(), scheme == "http" || scheme == "https",
            components.user == nil, components.password == nil,
            let host = components.percentEncodedHost?.lowercased(), Self.isHost(host)
        else { return nil }
        let port = components.port ?? (scheme == "https" ? 443 : 80)
        guard (1...65_535).contains(port) else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// True for names and addresses that every parser of addresses reads in the same way.
    private static func isHost(_ host: String) -> Bool {
        if host.hasPrefix("[") {
            return host.hasSuffix("]")
                && host.dropFirst().dropLast().allSatisfy {
                    $0.isHexDigit || $0 == ":" || $0 == "."
                }
        }
        return !host.isEmpty
            && host.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// True when what is sent stays on this device.
    package var isLoopback: Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// True when nobody on the way can read or change what is sent.
    package var isSecure: Bool { scheme == "https" || isLoopback }

    /// Such as `https://host` or `http://127.0.0.1:8080`.
    package var description: String {
        let standardPort = scheme == "https" ? 443 : 80
        return port == standardPort ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}

/// An address that can be asked.
struct WebAddress: Sendable, Hashable {
    let origin: WebOrigin
    /// The path and the query, percent-encoded.
    let target: String

    /// Reads an absolute address, or one relative to another.
    init?(_ address: String, relativeTo base: WebAddress? = nil) {
        let baseURL = base.flatMap { URL(string: $0.text) }
        guard let url = URL(string: address, relativeTo: baseURL),
            let components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let origin = WebOrigin(components)
        else { return nil }
        self.origin = origin
        let path = components.percentEncodedPath
        let query = components.percentEncodedQuery.map { "?" + $0 } ?? ""
        target = (path.hasPrefix("/") ? path : "/" + path) + query
    }

    /// The address, put together anew, so that no other parser can read another host in it.
    var text: String { origin.description + target }
}
