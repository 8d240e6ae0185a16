import Foundation
import OfflineStorage
import TestSupport
import Testing

/// `account devices`, `account remove-device` and `db restored`, as one types them.
@Suite struct DeviceCommandTests {
    @Test func devicesAreListedAndRemovedAndARestoreIsNoticed() async throws {
        let fleet = try Fleet(["es"])
        let users = fleet.folder.path + "/users"
        let store = ["--store", fleet.folder.path + "/phone"]
        let server = try await Tool.Server(["--release", fleet.release, "--data", users])
        defer { try? server.kill() }
        let address = "http://127.0.0.1:\(server.port)"
        let sync = ["sync", address + "/api/content/v2"] + store
        // A device without anything of its user has no account yet.
        try UserStore(folder: fleet.folder.url.appending(path: "phone"))
            .put(Reservation(exam: "int/swift", date: "2026-12-24"), id: "swift", now: Date())
        #expect(try await Tool.run(sync).status == 0)
        let list = try await Tool.run(["account", "devices", "--server", address] + store)
        let line = try #require(list.output.split(separator: "\n").first)
        #expect(line.hasSuffix(", 0 answers"))
        let device = String(try #require(line.split(separator: " ").first))
        let remove = ["account", "remove-device", device, "--server", address] + store
        let removed = try await Tool.run(remove)
        #expect(removed.status == 0 && removed.output == "Removed.\n")
        #expect(try await Tool.run(remove).status == 4)
        let restored = try await Tool.run(["db", "restored", "--data", users])
        #expect(restored.status == 0 && restored.output.contains("Generation"))
        #expect(try await Tool.run(sync).status == 0)
        let nowhere = try await Tool.run(["db", "restored", "--data", fleet.folder.path + "/no"])
        #expect(nowhere.status == 6)
    }
}
