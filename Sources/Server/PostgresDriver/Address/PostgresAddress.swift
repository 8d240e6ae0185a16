/// The address of a database and the manner of connecting to it.
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

        /// Names a server.
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
        /// Encrypted if the server can.
        case prefer
        /// Encrypted; the server is not authenticated.
        case require
        /// Encrypted, with a certificate of a trusted authority.
        case verifyAuthority = "verify-ca"
        /// Encrypted, with a certificate of a trusted authority for this host's name.
        case verifyFull = "verify-full"
    }

    /// The kind of server that is accepted among several hosts, as `target_session_attrs` of libpq.
    public enum SessionAttributes: String, Sendable, Hashable, CaseIterable {
        /// Every server.
        case any
        /// One whose sessions can write.
        case readWrite = "read-write"
        /// One whose sessions cannot write.
        case readOnly = "read-only"
        /// One that is no standby.
        case primary
        /// A standby.
        case standby
        /// A standby, or any server when there is none.
        case preferStandby = "prefer-standby"
    }

    /// The servers in the order in which they are tried.
    public var hosts: [Host]
    /// The user; the system's user when it is `nil`.
    public var user: String?
    /// The password; that of the user's password file (`~/.pgpass`) when it is `nil`.
    public var password: HiddenText?
    /// The database; the user's name when it is `nil`.
    public var database: String?
    /// The protection of the connection: unless it is said, `verifyFull`, and `prefer` where all hosts are this machine.
    public var tlsMode: TLSMode {
        get { chosenMode ?? (hosts.allSatisfy(\.isLocal) ? .prefer : .verifyFull) }
        set { chosenMode = newValue }
    }
    private var chosenMode: TLSMode?
    /// The file of the trusted authorities' certificates; `~/.postgresql/root.crt` when it is `nil`.
    public var rootCertificate: String?
    /// The file of this client's certificate.
    public var clientCertificate: String?
    /// The file of the private key of this client's certificate.
    public var clientKey: String?
    /// The kind of server that is accepted.
    public var sessionAttributes = SessionAttributes.any
    /// The time limit for each host.
    public var connectTimeout = Duration.seconds(5)
    /// The program's name in the server's list of sessions.
    public var applicationName: String?

    /// Names a database.
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
    /// Whether it is this machine: the folder of a socket, `localhost`, or an address of the loopback.
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

/// An address that cannot be read; the description names the part and never quotes it.
///
/// ```swift
/// do {
///     _ = try PostgresAddress("postgres://app@db.example/underway?sslmode=on")
/// } catch {
///     print(error)  // The address of the database has a wrong value of sslmode. …
/// }
/// ```
public struct PostgresAddressError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The part that is wrong.
    public var part: String

    /// The part and the form that is expected.
    public var description: String {
        "The address of the database has a wrong \(part). Expected is"
            + " postgres://user:password@host:port/database?sslmode=verify-full,"
            + " with other characters than letters and digits percent-encoded."
    }
}
