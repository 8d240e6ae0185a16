import DatabaseTestSupport
import Foundation
import PostgresDriver
import TestSupport
import Testing

/// Backup and restore as an operator does them, with devices that saw more than the backup has.
@Suite struct DatabaseRestoreTests {
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case sqlite
        case postgres

        var testDescription: String { rawValue }
    }

    /// A server's users, their backup, and the server after the restore.
    private struct World {
        let fleet: Fleet
        let database: DatabaseWorld?

        init(_ kind: Kind) async throws {
            database = kind == .postgres ? try await DatabaseWorld() : nil
            fleet = try database?.fleet ?? Fleet(["es"])
        }

        private var folder: String { fleet.folder.path + "/one" }

        /// The arguments that name the users to commands.
        var place: [String] {
            database.map { ["--database", $0.address()] } ?? ["--data", folder]
        }

        func serve() async throws -> Tool.Server {
            if let database { return try await database.serve("one") }
            return try await Tool.Server(["--release", fleet.release, "--data", folder])
        }

        /// Makes a backup while the server runs.
        func backUp() async throws -> String {
            if let database { return try database.postgres.backUp(database.name) }
            let copy = fleet.folder.path + "/backup.sqlite"
            try await shell("sqlite3 '\(folder)/users.sqlite' \".backup '\(copy)'\"")
            return copy
        }

        func restore(_ backup: String) async throws {
            if let database {
                let pool = PostgresPool(PoolSettings(database.postgres.address()))
                try await pool.query("DROP DATABASE \(identifier: database.name) WITH (FORCE)")
                try await pool.query("CREATE DATABASE \(identifier: database.name)")
                await pool.close()
                try await database.postgres.revokeTemporaryTables(in: database.name)
                return try database.postgres.restore(backup, to: database.name)
            }
            try await shell(
                """
                rm -f '\(folder)/users.sqlite-wal' '\(folder)/users.sqlite-shm'
                cp '\(backup)' '\(folder)/users.sqlite'
                """)
        }

        private func shell(_ script: String) async throws {
            let result = try await Tool.run(
                ["--version"], inShell: "set -e\n\(script)\nexec \"$@\"")
            #expect(result.status == 0, "\(result.errors)")
        }

        func check() async throws -> Tool.Result { try await Tool.run(["db", "check"] + place) }
    }

    /// Whatever a device was told before the restore is there afterwards, as far as a device has it.
    @Test(arguments: Kind.allCases)
    func devicesSendWhatTheBackupLacks(kind: Kind) async throws {
        let world = try await World(kind)
        let server = try await world.serve()
        defer { try? server.kill() }
        let devices = CommandDevices(fleet: world.fleet, server: server)
        try await devices.shareAccount("phone", "tablet")
        try await devices.reserve("int/early", "2027-12-24", on: "phone")
        try await devices.sync("phone")
        let backup = try await world.backUp()
        try await devices.reserve("int/late", "2027-12-25", on: "phone")
        try await devices.sync("phone")
        try await devices.sync("tablet")
        try await devices.reserve("int/later", "2027-12-26", on: "tablet")
        try await devices.sync("tablet")
        #expect(try await server.end() == 0)

        try await world.restore(backup)
        let declared = try await Tool.run(["db", "restored", "--json"] + world.place)
        #expect(declared.status == 0, "\(declared.errors)")
        #expect(declared.output.contains("\"generation\""))
        #expect(declared.output.contains("\"contentEpoch\"") == (kind == .postgres))
        let check = try await world.check()
        #expect(check.status == 0 && check.output.contains("1 account"), "\(check.output)")

        try await server.start()
        // Once to see another generation, and once more for what the other device sent.
        for device in ["phone", "tablet", "phone", "tablet"] { try await devices.sync(device) }
        let signedIn = try await devices.account(
            ["sign-in", "ada@example.org"], on: "fresh", input: "correct horse\n")
        #expect(signedIn.status == 0, "\(signedIn.errors)")
        try await devices.sync("fresh")
        let reserved = try await devices.run(["reserve"], on: "fresh").output
        for day in ["2027-12-24", "2027-12-25", "2027-12-26"] {
            #expect(reserved.contains(day), "\(reserved)")
        }
        let whole = try await world.check()
        #expect(whole.status == 0, "\(whole.output)")
    }
}
