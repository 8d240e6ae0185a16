import WebTransfer

extension ServeCommand {
    /// Returns a warning for a server that other machines reach, where nothing says that a proxy with TLS stands in front
    /// of it; `nil` otherwise.
    ///
    /// - Parameters:
    ///   - host: The address that it listens on.
    ///   - isProxied: Whether its settings name a proxy.
    /// - Returns: The warning.
    static func exposure(of host: String, isProxied: Bool) -> String? {
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        guard !isProxied, WebOrigin("http://\(name)")?.isLoopback != true else { return nil }
        return "Other machines reach \(host) without TLS: passwords and tokens can be read on the"
            + " way. Put a proxy with TLS in front, and name it by --trusted-proxy ADDRESS."
    }
}
