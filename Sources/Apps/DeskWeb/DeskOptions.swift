import Foundation

/// The configuration of the desk.
public struct DeskOptions: Sendable {
    /// The content folder that authors edit.
    public var content: String
    /// The release directory for publishing.
    public var release: String
    /// The origin at which browsers open the desk.
    public var origin: DeskOrigin
    /// True when a release needs the approval of a second person.
    public var needsApproval = false
    /// The folder of the signing keys; `nil` for unsigned releases.
    public var keys: String?

    /// Creates a configuration.
    public init(content: String, release: String, origin: DeskOrigin) {
        self.content = content
        self.release = release
        self.origin = origin
    }
}

/// The scheme, host and port of the desk in browsers: `https://desk.example.org`.
///
/// Without TLS it must be this machine, since an eavesdropper could use the cookie.
public struct DeskOrigin: Sendable, Hashable {
    /// The origin in the form that browsers send.
    public let text: String
    /// The host, with its port unless that is the scheme's own.
    let host: String
    /// True for TLS.
    let isSecure: Bool

    /// Parses an origin.
    ///
    /// The result is `nil` for anything else, such as an address with a path.
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
