import DatabaseTestSupport
import Foundation
import PostgresDriver
import TestSupport
import Testing

/// The servers of the tests leave nothing behind.
@Suite struct ServerSupportTests {
    @Test func serversEndWithTheProcessThatStartedThem() async throws {
        let note = try TemporaryFolder()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = note.path as String] in
            let server = try PostgresServer()
            let pooler = try PgBouncerServer(server)
            try await withPool(PoolSettings(pooler.address())) { try await $0.query("SELECT 1") }
            let folder = server.socketAddress().hosts[0].name
            try Data("\(server.port) \(pooler.port) \(folder)".utf8).write(
                to: URL(fileURLWithPath: path + "/note"))
            kill(getpid(), SIGKILL)
        }
        let fields = try note.text("note").split(separator: " ")
        for port in fields.prefix(2) {
            let address = try PostgresAddress("postgres://postgres@127.0.0.1:\(port)/postgres")
            try await eventually("nobody listens on port \(port)") {
                let error = await failure {
                    try await withPool(PoolSettings(address)) { try await $0.query("SELECT 1") }
                }
                return error?.code == .cannotConnect
            }
        }
        try await eventually("its folder is removed") {
            !FileManager.default.fileExists(atPath: String(fields[2]))
        }
    }
}
