import Foundation
import TestSupport
import Testing

/// Devices whose user types commands, and a server of content and user data.
struct CommandDevices {
    let fleet: Fleet
    let server: Tool.Server

    /// Types commands for a server that runs.
    init(fleet: Fleet, server: Tool.Server) {
        self.fleet = fleet
        self.server = server
    }

    init() async throws {
        fleet = try Fleet(["es"])
        server = try await Tool.Server([
            "--release", fleet.release, "--data", fleet.folder.path + "/users",
        ])
    }

    var address: String { "http://127.0.0.1:\(server.port)" }

    /// Runs a command on the store of a device.
    func run(
        _ words: [String], on device: String, input: String = ""
    ) async throws -> Tool.Result {
        try await Tool.run(words + ["--store", fleet.folder.path + "/\(device)"], input: input)
    }

    /// Runs a command about the account of a device's user.
    func account(
        _ words: [String], on device: String, input: String = ""
    ) async throws -> Tool.Result {
        try await run(["account"] + words + ["--server", address], on: device, input: input)
    }

    @discardableResult
    func sync(_ device: String, _ words: [String] = []) async throws -> Tool.Result {
        let result = try await run(["sync", address + "/api/content/v2"] + words, on: device)
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        return result
    }

    func reserve(_ exam: String, _ day: String, on device: String) async throws {
        let result = try await run(["reserve", "add", exam, day], on: device)
        #expect(result.status == 0, "\(result.errors)")
    }

    /// Gives two devices one account, without any record.
    func shareAccount(_ first: String, _ second: String) async throws {
        for (verb, device) in [("upgrade", first), ("sign-in", second)] {
            let result = try await account(
                [verb, "ada@example.org"], on: device, input: "correct horse\n")
            #expect(result.status == 0, "\(result.errors)")
        }
    }
}
