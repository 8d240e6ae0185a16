import Foundation
public import PostgresDriver
import Synchronization

/// A real PostgreSQL on a free port of the loopback, in a temporary folder, which ends with this process.
///
/// Suites that disturb nobody share one (`shared`), each with a database of its own; one that kills its server has one
/// for itself.
public final class PostgresServer: Sendable {
    /// The choices of a server.
    public struct Settings: Sendable {
        /// True when commits reach the disk before they are acknowledged.
        public var syncsToDisk = false
        /// Further settings of `postgresql.conf`.
        public var parameters: [String: String] = [:]
        /// The size of a file system of the server's own, which a test can fill; only root can make one.
        public var diskMegabytes: Int?
        /// The certificate and the private key, both in PEM.
        public var certificate: (chain: String, key: String)?

        public init() {}
    }

    /// The port, on 127.0.0.1 and in the name of the socket.
    public let port: Int
    /// The superuser's password, which is random.
    public let password: String
    private let folder: ServerFolder
    private let databases = Mutex(0)

    /// Creates a cluster, and starts its server.
    public init(_ settings: Settings = Settings()) throws {
        folder = try ServerFolder("pg", processFiles: ["data/postmaster.pid"])
        port = try freePort()
        password = try Cluster.template.get().password
        if let size = settings.diskMegabytes { try folder.mount("data", megabytes: size) }
        try Cluster.template.get().copy(to: "\(folder.path)/data", folder: folder.path)
        try configure(settings)
        try start()
    }

    deinit { killAll() }

    /// The server that suites share.
    public static func shared() throws -> PostgresServer { try sharedServer.get() }

    private static let sharedServer = Result { try PostgresServer() }

    /// The address over TCP of a database, as superuser unless another user is named.
    public func address(
        _ database: String = "postgres", user: String = "postgres", password: String? = nil
    ) -> PostgresAddress {
        var address = PostgresAddress(
            hosts: [PostgresAddress.Host("127.0.0.1", port: port)], user: user,
            password: HiddenText(password ?? self.password), database: database)
        // A machine that runs many tests at once is slow, and no test is about that.
        address.connectTimeout = .seconds(60)
        return address
    }

    /// The address over the Unix socket of a database.
    public func socketAddress(_ database: String = "postgres") -> PostgresAddress {
        var address = PostgresAddress(
            hosts: [PostgresAddress.Host(folder.path, port: port)], user: "postgres",
            database: database)
        address.connectTimeout = .seconds(60)
        return address
    }

    /// Creates an empty database, and returns its address over TCP.
    public func newDatabase(_ label: String = "test") async throws -> PostgresAddress {
        let number = databases.withLock { count in
            count += 1
            return count
        }
        let name = "\(label)_\(number)"
        let pool = PostgresPool(PoolSettings(socketAddress()))
        try await pool.query("CREATE DATABASE \(identifier: name)")
        await pool.close()
        return address(name)
    }

    /// Creates a database as a copy of another one.
    public func copyDatabase(_ original: String, to name: String) async throws {
        let pool = PostgresPool(PoolSettings(socketAddress()))
        try await pool.query(
            "CREATE DATABASE \(identifier: name) TEMPLATE \(identifier: original)")
        await pool.close()
        try await revokeTemporaryTables(in: name)
    }

    /// Takes from everybody what a migration took of the original: PostgreSQL copies no rights of a database, and
    /// `pg_restore` brings them back with `--create` alone.
    public func revokeTemporaryTables(in database: String) async throws {
        let pool = PostgresPool(PoolSettings(socketAddress()))
        try await pool.query("REVOKE TEMPORARY ON DATABASE \(identifier: database) FROM PUBLIC")
        await pool.close()
    }

    /// Starts the server, and waits until it accepts connections.
    public func start() throws {
        do {
            try Programs.run(
                try Programs.postgres("pg_ctl"),
                [
                    "start", "--wait", "--silent", "--timeout=60",
                    "--pgdata=\(folder.path)/data", "--log=\(folder.path)/log",
                ], folder: folder.path)
        } catch {
            throw ProgramFailure(description: "\(error)\n\(log)")
        }
    }

    /// Stops the server; sessions are ended.
    public func stop() throws {
        try Programs.run(
            try Programs.postgres("pg_ctl"),
            ["stop", "--wait", "--silent", "--mode=fast", "--pgdata=\(folder.path)/data"],
            folder: folder.path)
    }

    /// Kills all processes of the server, as a crash of the machine would.
    public func kill() {
        let processes = killAll()
        // They are gone when their numbers are: a start before that would find their memory.
        let end = ContinuousClock.now + .seconds(20)
        while processes.contains(where: { ProcessTable.isRunning($0) }), ContinuousClock.now < end {
            usleep(2_000)
        }
        // A dead process that nobody has waited for would count as the running server.
        for file in ["data/postmaster.pid", ".s.PGSQL.\(port).lock"] {
            try? FileManager.default.removeItem(atPath: "\(folder.path)/\(file)")
        }
    }

    /// Stops all processes of the server without an end: it accepts connections and says nothing.
    public func freeze() { signalAll(SIGSTOP) }

    /// Lets a frozen server go on.
    public func thaw() { signalAll(SIGCONT) }

    /// Limits the size of files that the server writes: a write beyond it is cut short, as on a full file system.
    ///
    /// Unlike a small file system this needs no right to mount, so that it works in every container.
    /// - Parameter bytes: The limit, of which a part of a page is left over; `nil` for none.
    public func limitFiles(to bytes: Int?) throws {
        guard let process = folder.process(in: "data/postmaster.pid") else { return }
        let limit = "--fsize=\(bytes.map(String.init) ?? "unlimited"):"
        // The server first: sessions that begin later inherit it.
        for process in [process] + ProcessTable.children(of: process) {
            do {
                try Programs.run(
                    "/usr/bin/prlimit", ["--pid", "\(process)", limit], folder: folder.path)
            } catch {
                // A session may end meanwhile.
                guard !ProcessTable.isRunning(process) else { throw error }
            }
        }
    }

    /// Fills the file system of the server, or makes room again.
    ///
    /// Only for a server with `diskMegabytes`.
    public func fillDisk(_ isFull: Bool) throws {
        let path = "\(folder.path)/data/ballast"
        guard isFull else { return try FileManager.default.removeItem(atPath: path) }
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        // By single bytes at the end, so that not even a part of a page is left.
        for size in [1 << 16, 1 << 12, 1] {
            do {
                while true { try file.write(contentsOf: Data(count: size)) }
            } catch {
                // There is no room for more of this size.
            }
        }
        try file.close()
    }

    /// The end of the server's log.
    public var log: String {
        let data = FileManager.default.contents(atPath: "\(folder.path)/log") ?? Data()
        return String(decoding: data.suffix(10_000), as: UTF8.self)
    }

    @discardableResult
    private func killAll() -> [pid_t] { signalAll(SIGKILL) }

    @discardableResult
    private func signalAll(_ signal: Int32) -> [pid_t] {
        guard let process = folder.process(in: "data/postmaster.pid") else { return [] }
        // While it stands still it starts no others.
        Foundation.kill(process, SIGSTOP)
        for _ in 0..<2_000 where !ProcessTable.isStopped(process) { usleep(1_000) }
        let processes = [process] + ProcessTable.children(of: process)
        for process in processes { Foundation.kill(process, signal) }
        return processes
    }

    private func configure(_ settings: Settings) throws {
        var parameters = [
            "listen_addresses": "'127.0.0.1'", "port": "\(port)",
            "unix_socket_directories": "'\(folder.path)'", "max_connections": "300",
            "shared_buffers": "32MB", "timezone": "'UTC'", "max_wal_size": "256MB",
            "fsync": settings.syncsToDisk ? "on" : "off",
            "full_page_writes": settings.syncsToDisk ? "on" : "off",
        ]
        if let certificate = settings.certificate {
            try folder.write(certificate.chain, to: "data/server.crt")
            try folder.write(certificate.key, to: "data/server.key")
            parameters["ssl"] = "on"
        }
        parameters.merge(settings.parameters) { _, chosen in chosen }
        let lines = parameters.map { "\($0) = \($1)" }.sorted()
        try folder.write(lines.joined(separator: "\n") + "\n", to: "data/postgresql.auto.conf")
    }
}
