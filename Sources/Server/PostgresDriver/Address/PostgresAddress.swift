/// The address of a database, with the parameters of its connection.
///
/// ```swift
/// let address = try PostgresAddress("postgres://app:s3cret@db.example/underway?sslmode=verify-full")
/// print(address)  // postgres://app@db.example/underway?sslmode=verify-full
/// ```
public struct PostgresAddress: Sendable, Hashable, CustomStringConvertible {
    /// A server by name, IP address or folder of its Unix socket (with a leading slash).
    public struct Host: Sendable, Hashable {
        /// The name, IP address or folder.
        public var name: String
        /// The TCP port, or the number in the socket's name.
        public var port: Int

        /// Creates a host.
        public init(_ name: String, port: Int = 5432) {
            self.name = name
            self.port = port
        }
    }

    /// The protection of the connection, as `sslmode` of libpq.
    public enum TLSMode: String, Sendable, Hashable, CaseIterable {
        /// Never encrypted.
        case disable
        /// Encrypted only if the server insists.
        case allow
        /// Encrypted if the server supports it.
        case prefer
        /// Encrypted; the server is not authenticated.
        case require
        /// Encrypted, with a certificate of a trusted authority.
        case verifyAuthority = "verify-ca"
        /// Encrypted, with a certificate of a trusted authority for this host's name.
        case verifyFull = "verify-full"
    }

    /// The kind of server to accept among several hosts, as `target_session_attrs` of libpq.
    public enum SessionAttributes: String, Sendable, Hashable, CaseIterable {
        /// Any server.
        case any
        /// A server whose sessions can write.
        case readWrite = "read-write"
        /// A server whose sessions cannot write.
        case readOnly = "read-only"
        /// A server that is not a standby.
        case primary
        /// A standby.
        case standby
        /// A standby, or any server if there is none.
        case preferStandby = "prefer-standby"
    }

    /// The servers, in the order of attempts.
    public var hosts: [Host]
    /// The user; `nil` for the system's user.
    public var user: String?
    /// The password; `nil` for that of the user's password file (`~/.pgpass`).
    public var password: HiddenText?
    /// The database; `nil` for the user's name.
    public var database: String?
    /// The protection of the connection: by default `verifyFull`, and `prefer` if all hosts are this machine.
    public var tlsMode: TLSMode {
        get { chosenMode ?? (hosts.allSatisfy(\.isLocal) ? .prefer : .verifyFull) }
        set { chosenMode = newValue }
    }
    private var chosenMode: TLSMode?
    /// The file of the trusted authorities' certificates; `nil` for `~/.postgresql/root.crt`.
    public var rootCertificate: String?
    /// The file of this client's certificate.
    public var clientCertificate: String?
    /// The file of the private key of this client's certificate.
    public var clientKey: String?
    /// The kind of server to accept.
    public var sessionAttributes = SessionAttributes.any
    /// The time limit for each host.
    public var connectTimeout = Duration.seconds(5)
    /// The program's name in the server's list of sessions.
    public var applicationName: String?

    /// Creates an address.
    public init(
        hosts: [Host], user: String? = nil, password: HiddenText? = nil, database: String? = nil
    ) {
        precondition(!hosts.isEmpty, "An address has at least one host.")
        self.hosts = hosts
        self.user = user
        self.password = password
        self.database = database
    }

    /// The address without the password.
    public var description: String {
        let user = user.map { PercentText.encode($0) + "@" } ?? ""
        let hosts = hosts.map(\.authority).joined(separator: ",")
        let database = database.map { "/" + PercentText.encode($0) } ?? ""
        return "postgres://\(user)\(hosts)\(database)?sslmode=\(tlsMode.rawValue)"
    }
}

extension PostgresAddress: CustomDebugStringConvertible, CustomReflectable {
    /// The address without the password.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PostgresAddress.Host {
    /// True for this machine: the folder of a socket, `localhost`, or an address of the loopback.
    var isLocal: Bool {
        if name.hasPrefix("/") || name.lowercased() == "localhost" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let isLoopback =
            parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        return isLoopback || name == "::1"
    }

    var authority: String {
        let name =
            self.name.contains(":") ? "[\(self.name)]" : PercentText.encode(self.name)
        return port == 5432 ? name : "\(name):\(port)"
    }
}

/// An invalid address; the description names the invalid part and never quotes it.
///
/// ```swift
/// do {
///     _ = try PostgresAddress("postgres://app@db.example/underway?sslmode=on")
/// } catch {
///     print(error)  // The address of the database has a wrong value of sslmode. …
/// }
/// ```
public struct PostgresAddressError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The invalid part.
    public var part: String

    /// The invalid part and the expected form.
    public var description: String {
        "The address of the database has a wrong \(part). Expected is"
            + " postgres://user:password@host:port/database?sslmode=verify-full,"
            + " with other characters than letters and digits percent-encoded."
    }
}
