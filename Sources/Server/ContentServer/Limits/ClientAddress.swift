#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An IP address of a client or a proxy.
///
/// An IPv4 address inside IPv6 (`::ffff:1.2.3.4`) is the IPv4 address.
package struct ClientAddress: Hashable, Sendable {
    /// The 4 or 16 bytes of the address.
    let bytes: [UInt8]

    /// Parses an address, with or without brackets, port and zone.
    package init?(_ text: String) {
        var host = Substring(text.filter { $0 != " " })
        if host.first == "[" {
            guard let end = host.firstIndex(of: "]") else { return nil }
            host = host[host.index(after: host.startIndex)..<end]
        } else if host.count(where: { $0 == ":" }) == 1 {
            host = host.prefix { $0 != ":" }
        }
        host = host.prefix { $0 != "%" }
        if let bytes = Self.packed(String(host), AF_INET, 4) {
            self.bytes = bytes
        } else if let bytes = Self.packed(String(host), AF_INET6, 16) {
            let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11] == [255, 255]
            self.bytes = isMapped ? Array(bytes[12...]) : bytes
        } else {
            return nil
        }
    }

    private static func packed(_ text: String, _ family: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    /// The network for rate limits: an IPv4 address, or the first 64 bits of an IPv6 address, the smallest network of a
    /// customer.
    package var network: String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 8, by: 2).map {
            String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16)
        }
        return groups.joined(separator: ":") + "/64"
    }

    /// True for `127.0.0.0/8` and `::1`.
    var isLoopback: Bool {
        bytes.count == 4
            ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }
}

/// The proxies whose `X-Forwarded-For` is trusted.
package enum ProxyTrust: Sendable {
    /// No proxy: the connection's address is the client's.
    case nobody
    /// Every peer, for a server that only its own proxy can reach.
    case everybody
    /// Proxies at these addresses.
    case addresses([String])

    /// Returns true if a text is an IP address.
    package static func isAddress(_ text: String) -> Bool { ClientAddress(text) != nil }

    /// Returns whether a peer's address is that of a trusted proxy.
    func trusts(_ address: ClientAddress) -> Bool {
        switch self {
        case .nobody: false
        case .everybody: true
        case .addresses(let texts): texts.contains { ClientAddress($0) == address }
        }
    }

    /// Returns the address of the client behind a connection.
    ///
    /// - Parameters:
    ///   - connected: The connection's own address.
    ///   - forwarded: `X-Forwarded-For`. Each proxy appends the address of its peer, so invented entries come first
    ///     and are never reached.
    /// - Returns: The last address that is not a trusted proxy's.
    package func client(_ connected: ClientAddress, forwarded: String?) -> ClientAddress {
        guard trusts(connected), let forwarded else { return connected }
        var client = connected
        for entry in forwarded.split(separator: ",").reversed() {
            guard let address = ClientAddress(String(entry)) else { return client }
            client = address
            guard case .addresses = self, trusts(address) else { return client }
        }
        return client
    }
}
