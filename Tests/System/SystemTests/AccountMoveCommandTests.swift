import Foundation
import GRDB
import TestSupport
import Testing

/// Accounts that are joined by typed commands, on a server that runs.
@Suite struct AccountMoveCommandTests {
    private let devices: CommandDevices

    init() async throws { devices = try await CommandDevices() }

    private func path(_ name: String) -> String { devices.fleet.folder.path + "/" + name }

    private func upgrade(_ email: String, on device: String) async throws {
        let result = try await devices.account(
            ["upgrade", email], on: device, input: "correct horse\n")
        #expect(result.status == 0, "\(result.errors)")
    }

    private func signIn(_ email: String, on device: String) async throws -> Tool.Result {
        let result = try await devices.account(
            ["sign-in", email, "--bring", "everything"], on: device, input: "correct horse\n")
        #expect(result.status == 0, "\(result.errors)")
        return result
    }

    private func others(on device: String) async throws -> String {
        try await devices.run(["account", "others"], on: device).output
    }

    private func reservations(on device: String) async throws -> String {
        try await devices.run(["reserve"], on: device).output
    }

    /// Returns the rows of the server's database that have one of these texts.
    private func rows(_ texts: [String]) throws -> [String] {
        try StoredRows.naming(texts, in: path("users/users.sqlite"))
    }

    @Test func signingInAndDeletingLeavesNothing() async throws {
        defer { try? devices.server.kill() }
        try await upgrade("ada@example.org", on: "laptop")
        try await devices.reserve("int/swift", "2026-12-24", on: "phone")
        try await devices.sync("phone")
        #expect(try !rows(["int/swift"]).isEmpty)
        _ = try await signIn("ada@example.org", on: "phone")
        try await devices.sync("phone")
        try await devices.sync("laptop")
        let shown = try await reservations(on: "laptop")
        #expect(shown.contains("int/swift"))
        #expect(try await others(on: "phone").contains("no data"))
        let deleted = try await devices.account(["delete", "--yes"], on: "phone")
        #expect(deleted.status == 0, "\(deleted.errors)")
        #expect(try rows(["int/swift", "ada@example.org"]) == [])
    }

    @Test func anotherDeviceIsToldWhereItsAccountWent() async throws {
        defer { try? devices.server.kill() }
        try await upgrade("ada@example.org", on: "laptop")
        try await devices.reserve("int/swift", "2026-12-24", on: "phone")
        try await devices.sync("phone")
        try FileManager.default.copyItem(atPath: path("phone"), toPath: path("copy"))
        try await devices.reserve("int/kotlin", "2027-01-15", on: "copy")
        _ = try await signIn("ada@example.org", on: "phone")
        let told = try await devices.run(
            ["sync", devices.address + "/api/content/v2"], on: "copy")
        let words = "This account was joined with another one. Sign in to that one; 1 change"
        #expect((told.output + told.errors).contains(words), "\(told.output)\(told.errors)")
        _ = try await signIn("ada@example.org", on: "copy")
        for device in ["copy", "phone"] { try await devices.sync(device) }
        for device in ["copy", "phone"] {
            let shown = try await reservations(on: device)
            #expect(shown.contains("int/swift") && shown.contains("int/kotlin"), "\(device)")
        }
    }

    @Test func anAccountWithAPasswordOfItsOwnIsJoinedByIt() async throws {
        defer { try? devices.server.kill() }
        try await upgrade("ada@example.org", on: "laptop")
        try await devices.reserve("int/swift", "2026-12-24", on: "phone")
        try await upgrade("eve@example.org", on: "phone")
        try await devices.sync("phone")
        let result = try await signIn("ada@example.org", on: "phone")
        #expect(result.errors.contains("was not joined with another one"), "\(result.errors)")
        let listed = try await others(on: "phone")
        #expect(listed.contains("`underway account join`"), "\(listed)")
        #expect(try await reservations(on: "phone") == "No exam is reserved.\n")
        let joined = try await devices.account(
            ["join", "eve@example.org"], on: "phone", input: "correct horse\n")
        #expect(joined.status == 0, "\(joined.errors)")
        for device in ["phone", "laptop"] {
            try await devices.sync(device)
            #expect(try await reservations(on: device).contains("int/swift"))
        }
        #expect(try rows(["eve@example.org"]) == [])
    }

    @Test func anotherUsersAccountIsBroughtByTheServer() async throws {
        defer { try? devices.server.kill() }
        try await upgrade("ada@example.org", on: "laptop")
        try await devices.reserve("int/swift", "2026-12-24", on: "phone")
        try await devices.sync("phone")
        let signedIn = try await devices.account(
            ["sign-in", "ada@example.org", "--bring", "nothing"], on: "phone",
            input: "correct horse\n")
        #expect(signedIn.status == 0, "\(signedIn.errors)")
        let listed = try await others(on: "phone")
        let user = try #require(listed.split(separator: ":").first.map(String.init))
        let refused = try await devices.run(["account", "others", "--bring", user], on: "phone")
        #expect(refused.status == 64 && refused.errors.contains("--server"))
        let brought = try await devices.account(["others", "--bring", user], on: "phone")
        #expect(brought.status == 0, "\(brought.errors)")
        try await devices.sync("phone")
        #expect(try await reservations(on: "phone").contains("int/swift"))
        #expect(try await others(on: "phone").contains("no data"))
    }
}
