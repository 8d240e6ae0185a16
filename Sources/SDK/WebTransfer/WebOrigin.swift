import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The scheme, host and port of an address.
///
/// Two addresses of the same origin lead to the same server, as far as names determine it (RFC 6454).
package struct WebOrigin: Sendable, Hashable, CustomStringConvertible {
    /// `http` or `https`.
    package let scheme: String
    /// The host in lowercase; an IPv6 address in brackets, in its shortest form (RFC 5952).
    package let host: String
    /// The port; that of the scheme if the address has none.
    package let port: Int

    /// Parses an address; `nil` when it is not one of a web server, or names a user.
    package init?(_ address: String) {
        guard let components = URLComponents(string: address) else { return nil }
        self.init(components)
    }

    init?(_ components: URLComponents) {
        guard let scheme = components.scheme?.lowercased(), scheme == "http" || scheme == "https",
            components.user == nil, components.password == nil,
            let named = components.percentEncodedHost?.lowercased(),
            let host = Self.host(named)
        else { return nil }
        let port = components.port ?? (scheme == "https" ? 443 : 80)
        guard (1...65_535).contains(port) else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Normalizes a host; `nil` for one that two parsers could interpret differently.
    private static func host(_ host: String) -> String? {
        if host.hasPrefix("[") {
            guard host.hasSuffix("]") else { return nil }
            return sixthVersion(String(host.dropFirst().dropLast())).map { "[\($0)]" }
        }
        // Some versions of Foundation leave the brackets out.
        if host.contains(":") { return sixthVersion(host).map { "[\($0)]" } }
        return isName(host) ? host : nil
    }

    /// Normalizes an IPv6 address to its shortest form; `nil` for other text, and for one with a zone.
    private static func sixthVersion(_ text: String) -> String? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        var characters = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        return inet_ntop(AF_INET6, &address, &characters, socklen_t(INET6_ADDRSTRLEN))
            .map { String(cString: $0) }
    }

    private static func isName(_ host: String) -> Bool {
        !host.isEmpty
            && host.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// True when requests do not leave this device.
    package var isLoopback: Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
        // An IPv4 address within IPv6 leads to the same place.
        let mapped = host.hasPrefix("[::ffff:") ? String(host.dropFirst(8).dropLast()) : host
        let parts = mapped.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// True when the connection is encrypted.
    package var isEncrypted: Bool { scheme == "https" }

    /// True when no third party on the network can read or change requests.
    package var isSecure: Bool { isEncrypted || isLoopback }

    /// The origin as text, such as `https://host` or `http://127.0.0.1:8080`.
    package var description: String {
        let standardPort = scheme == "https" ? 443 : 80
        return port == standardPort ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}

/// An address to which requests can be sent.
struct WebAddress: Sendable, Hashable {
    let origin: WebOrigin
    /// The path and the query, percent-encoded.
    let target: String

    /// Parses an absolute address, or one relative to another.
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

    /// The address, rebuilt so that no other parser can find another host in it.
    var text: String { origin.description + target }
}
