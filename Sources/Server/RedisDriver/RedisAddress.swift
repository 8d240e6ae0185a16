import Foundation

/// The URL of a Redis server, such as `redis://user:password@host:6379/0`; `rediss` for TLS.
///
/// ```swift
/// let address = try RedisAddress("rediss://underway:secret@cache.internal/1")
/// print(address)  // rediss://underway@cache.internal:6379/1
/// ```
public struct RedisAddress: Sendable, Hashable, CustomStringConvertible {
    /// The host name or IP address.
    public var host: String
    /// The port.
    public var port: Int
    /// The number of the database.
    public var database: Int
    /// The user; `nil` for the default one.
    public var user: String?
    /// The password; `nil` for none.
    public var password: String?
    /// True when the connection is encrypted and the certificate is verified.
    public private(set) var usesTLS: Bool
    /// The file of trusted certificates, instead of the system's.
    public var certificateFile: String?

    /// Parses a URL.
    ///
    /// - Throws: `RedisError` `serverError`, whose message does not quote the URL; also for `rediss` in a build
    ///   without the trait `RedisTLS`.
    public init(_ text: String) throws(RedisError) {
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            parts.scheme == "redis" || parts.scheme == "rediss", parts.fragment == nil
        else { throw Self.mistake }
        #if !RedisTLS
        guard parts.scheme == "redis" else { throw Self.tlsIsMissing }
        #endif
        let path = parts.path.drop { $0 == "/" }
        guard let database = path.isEmpty ? 0 : Int(path), (0...1_000_000).contains(database),
            (1...65_535).contains(parts.port ?? 6379)
        else { throw Self.mistake }
        for item in parts.queryItems ?? [] where item.name != "cafile" { throw Self.mistake }
        self.host = host.trimmingCharacters(in: ["[", "]"])
        port = parts.port ?? 6379
        self.database = database
        user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        password = parts.password
        usesTLS = parts.scheme == "rediss"
        certificateFile = parts.queryItems?.first?.value
    }

    private static let mistake = RedisError(
        .serverError,
        "The address of Redis is not as redis://user:password@host:6379/0 (rediss for TLS, ?cafile=FILE for its"
            + " certificate). A password is percent-encoded.")

    #if !RedisTLS
    private static let tlsIsMissing = RedisError(
        .serverError,
        "This build of underway has no TLS for Redis, so it refuses rediss://. Build it with `--traits RedisTLS`."
    )
    #endif

    /// The address without the password.
    public var description: String {
        // What stands alone before the @ is often a password whose colon was forgotten.
        (usesTLS ? "rediss://" : "redis://") + (password == nil ? "" : user.map { "\($0)@" } ?? "")
            + "\(host):\(port)/\(database)"
    }

    /// The commands that a new connection begins with.
    var greeting: [RedisCommand] {
        let secret = password.map { ["AUTH", user ?? "default", $0] } ?? []
        let select = database > 0 ? [RedisCommand(["SELECT", String(database)])] : []
        return [RedisCommand(["HELLO", "3"] + secret)] + select
    }
}
