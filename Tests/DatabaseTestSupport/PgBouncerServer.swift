import Foundation
public import PostgresDriver

/// A real PgBouncer in transaction mode before a `PostgresServer`, which ends with this process.
public final class PgBouncerServer: Sendable {
    public let port: Int
    private let folder: ServerFolder
    private let server: PostgresServer

    /// Starts a pooler.
    ///
    /// - Parameters:
    ///   - server: The server behind it.
    ///   - connectionsMax: The most connections to the server for each database and user.
    ///   - users: Further users with their passwords.
    public init(
        _ server: PostgresServer, connectionsMax: Int = 4, users: [String: String] = [:]
    ) throws {
        self.server = server
        folder = try ServerFolder("bouncer", processFiles: ["pid"])
        port = try freePort()
        let passwords = users.merging(["postgres": server.password]) { $1 }
        try folder.write(
            passwords.map { "\"\($0)\" \"\($1)\"\n" }.sorted().joined(), to: "users")
        try folder.write(
            """
            [databases]
            * = host=127.0.0.1 port=\(server.port)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = scram-sha-256
            auth_file = \(folder.path)/users
            pool_mode = transaction
            default_pool_size = \(connectionsMax)
            max_client_conn = 500
            server_login_retry = 1
            logfile = \(folder.path)/log
            pidfile = \(folder.path)/pid

            """, to: "pgbouncer.ini")
        try start()
    }

    deinit { kill() }

    /// The address of a database through the pooler.
    public func address(
        _ database: String = "postgres", user: String = "postgres", password: String? = nil
    ) -> PostgresAddress {
        PostgresAddress(
            hosts: [PostgresAddress.Host("127.0.0.1", port: port)], user: user,
            password: HiddenText(password ?? server.password), database: database)
    }

    /// Starts the pooler; it listens when this returns.
    public func start() throws {
        try Programs.run(
            try Programs.pgBouncer(), ["--daemon", "\(folder.path)/pgbouncer.ini"],
            folder: folder.path)
        try Loopback.awaitListener(port)
    }

    /// Kills the pooler.
    public func kill() {
        guard let process = folder.process(in: "pid") else { return }
        Foundation.kill(process, SIGKILL)
        let end = ContinuousClock.now + .seconds(20)
        while ProcessTable.isRunning(process), ContinuousClock.now < end { usleep(2_000) }
        try? FileManager.default.removeItem(atPath: "\(folder.path)/pid")
    }

    /// The pooler's log.
    public var log: String {
        let data = FileManager.default.contents(atPath: "\(folder.path)/log") ?? Data()
        return String(decoding: data.suffix(10_000), as: UTF8.self)
    }
}
