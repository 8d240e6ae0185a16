import DatabaseTestSupport
import Foundation
import PostgresDriver
import SyncClient
import TestSupport
import Testing

/// A release, a PostgreSQL database, and as many processes of the server as a test starts.
final class DatabaseWorld: Sendable {
    let fleet: Fleet
    let postgres: PostgresServer
    /// The database's name.
    let name: String

    /// Creates an empty database, and migrates it unless the test does.
    init(_ postgres: PostgresServer? = nil, isMigrated: Bool = true) async throws {
        let postgres = try postgres ?? PostgresServer.shared()
        self.postgres = postgres
        fleet = try Fleet(["es"])
        name = try #require(try await postgres.newDatabase("program").database)
        if isMigrated { try await migrate() }
    }

    /// The address for a login.
    func address(_ user: String = "underway_server") -> String {
        "postgres://\(user):\(postgres.password)@127.0.0.1:\(postgres.port)/\(name)"
    }

    /// Migrates by the command, and gives the program's login its password.
    func migrate() async throws {
        let result = try await Tool.run(["db", "migrate", "--database", address("postgres")])
        #expect(result.status == 0, "\(result.errors)")
        try await postgres.openLogin(in: name)
    }

    /// Executes statements as superuser.
    func execute(_ script: String) async throws {
        try await postgres.execute(script, in: name)
    }

    /// The arguments of a process with a folder of its own.
    func serveArguments(_ folder: String, database: String? = nil) -> [String] {
        [
            "--release", fleet.release, "--data", fleet.folder.path + "/\(folder)",
            "--database", database ?? address(),
        ]
    }

    /// Starts a process, whose folder gets the key of the others.
    func serve(_ folder: String, _ more: [String] = []) async throws -> Tool.Server {
        let files = FileManager.default
        let key = fleet.folder.path + "/token-key"
        let place = fleet.folder.path + "/\(folder)"
        try files.createDirectory(atPath: place, withIntermediateDirectories: true)
        if files.fileExists(atPath: key), !files.fileExists(atPath: place + "/token-key") {
            try files.copyItem(atPath: key, toPath: place + "/token-key")
        }
        let server = try await Tool.Server(serveArguments(folder) + more)
        if !files.fileExists(atPath: key) {
            try files.copyItem(atPath: place + "/token-key", toPath: key)
        }
        return server
    }

    /// Asks whether a process is ready.
    ///
    /// - Returns: The status, and the reason if it is not.
    func readiness(_ server: Tool.Server) async throws -> (status: Int, reason: String) {
        let transport = HTTPTransport()
        defer { transport.close() }
        let reply = try await transport.send(
            TransportRequest(
                url: URL(address: "http://127.0.0.1:\(server.port)/health/ready"),
                bodyBytesMax: 10_000))
        var bytes: [UInt8] = []
        for try await piece in reply.body { bytes += piece }
        return (reply.status, String(decoding: bytes, as: UTF8.self))
    }
}
