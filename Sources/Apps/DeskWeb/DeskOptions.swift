import Foundation

/// The configuration of the desk.
public struct DeskOptions: Sendable {
    /// The content folder, which authors edit.
    public var content: String
    /// The release directory, to which they publish.
    public var release: String
    /// The address under which browsers see the desk.
    public var origin: DeskOrigin
    /// True when a release needs the approval of a second person.
    public var needsApproval = false
    /// The folder of the keys that sign what is published, where devices want it signed.
    public var keys: String?

    /// Creates a configuration.
    public init(content: String, release: String, origin: DeskOrigin) {
        self.content = content
        self.release = release
        self.origin = origin
    }
}

/// The scheme, host and port of the desk, as browsers name them: `https://desk.example.org`.
///
/// Without TLS it must be this machine, because a cookie on the way would open the desk to everybody who listens.
public struct DeskOrigin: Sendable, Hashable {
    /// The origin as browsers send it.
    public let text: String
    /// The host, with its port unless that is the scheme's own.
    let host: String
    /// True for TLS.
    let isSecure: Bool

    /// Parses an origin.
    ///
    /// `nil` for anything else, as an address with a path.
    ///
    /// - Parameter text: `https://HOST[:PORT]`, or `http://` with this machine's own name or address.
    public init?(_ text: String) {
        let text = text.lowercased()
        guard
            let match = text.wholeMatch(
                of: /(https?):\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?\/?/)
        else { return nil }
        let (scheme, name) = (String(match.1), String(match.2))
        let port = match.3.map(String.init)
        isSecure = scheme == "https"
        guard isSecure || Self.isLocal(name) else { return nil }
        host = name + (port == (isSecure ? ":443" : ":80") ? "" : port ?? "")
        self.text = "\(scheme)://\(host)"
    }

    /// Returns the origin with the port in place of 0, which stands for any that is free.
    func at(port: Int) -> DeskOrigin {
        guard host.hasSuffix(":0") else { return self }
        return DeskOrigin(String(text.dropLast(1)) + String(port)) ?? self
    }

    private static func isLocal(_ name: String) -> Bool {
        ["localhost", "127.0.0.1", "[::1]"].contains(name) || name.hasSuffix(".localhost")
    }
}
