import Testing

/// `account` on devices with and without an account.
@Suite struct AccountCommandTests {
    private let devices: CommandDevices

    init() async throws { devices = try await CommandDevices() }

    @Test func nobodyIsSignedOutWhereNobodyIsSignedIn() async throws {
        defer { try? devices.server.kill() }
        try await devices.sync("phone")
        for words in [
            ["sign-out"], ["sign-out", "--erase"], ["devices"], ["delete", "--yes"],
            ["sign-in-methods"],
        ] {
            let result = try await devices.account(words, on: "phone")
            #expect(result.status == 4, "\(words): \(result.output)")
            #expect(result.errors.contains("Nobody is signed in on this device"), "\(words)")
        }
    }

    @Test func dataThatNeverHadAnAccountCanBeErased() async throws {
        defer { try? devices.server.kill() }
        try await devices.reserve("int/swift", "2026-12-24", on: "phone")
        let kept = try await devices.account(["sign-out"], on: "phone")
        #expect(kept.status == 4, "\(kept.output)")
        let asked = try await devices.account(["sign-out", "--erase"], on: "phone")
        #expect(asked.status == 7, "\(asked.output)")
        let erased = try await devices.account(
            ["sign-out", "--erase", "--lose-unsent"], on: "phone")
        #expect(erased.output == "Nobody was signed in; the data on this device is erased.\n")
        let left = try await devices.run(["reserve"], on: "phone").output
        #expect(left == "No exam is reserved.\n")
    }

    /// An account without an email is left for good, which is said; nothing of it is lost on the device.
    @Test func leavingAnAccountThatNobodyCanOpenIsSaid() async throws {
        defer { try? devices.server.kill() }
        try await devices.reserve("int/swift", "2026-12-24", on: "phone")
        try await devices.sync("phone")
        let left = try await devices.account(["sign-out"], on: "phone")
        #expect(left.output.hasPrefix("Signed out.\n"), "\(left.output) \(left.errors)")
        #expect(left.errors.contains("nobody can open it again"), "\(left.errors)")
        let others = try await devices.run(["account", "others"], on: "phone")
        #expect(others.output.contains("1 record"), "\(others.output)")
        try await devices.shareAccount("tablet", "desk")
        let named = try await devices.account(["sign-out"], on: "tablet")
        #expect(named.status == 0 && !named.errors.contains("nobody"), "\(named.errors)")
    }

    @Test func theAddressOfTheReleaseIsThatOfItsServer() async throws {
        defer { try? devices.server.kill() }
        try await devices.shareAccount("phone", "tablet")
        for end in ["", "/", "/api/content/v2", "/api/content/v2/manifest.json"] {
            let server = ["--server", devices.address + end]
            let result = try await devices.run(["account", "devices"] + server, on: "phone")
            #expect(result.status == 0, "\(end): \(result.errors)")
        }
    }

    @Test func theMethodsOfAnAccountAreShown() async throws {
        defer { try? devices.server.kill() }
        try await devices.shareAccount("phone", "tablet")
        let shown = try await devices.account(["sign-in-methods"], on: "phone")
        #expect(shown.output.contains("email  ada@example.org  (not verified)"))
        let list = try await Tool.run(["account", "--help"]).output
        for name in ["sign-in-methods", "verify-email", "remove-device", "reset-password"] {
            #expect(list.contains("  \(name) "), "\(list)")
        }
    }
}
