import Testing

/// The text of `conflicts` for the ways in which two devices can disagree.
@Suite struct ConflictCommandTests {
    private let devices: CommandDevices
    private let record = "reservations/int/swift"

    init() async throws {
        devices = try await CommandDevices()
        try await devices.shareAccount("phone", "tablet")
    }

    /// Gives both devices one reservation.
    private func agree() async throws {
        try await devices.reserve("int/swift", "2026-12-24", on: "phone")
        try await devices.sync("phone")
        try await devices.sync("tablet")
    }

    private func remove(on device: String) async throws {
        #expect(try await devices.run(["reserve", "remove", "int/swift"], on: device).status == 0)
    }

    private func conflicts(_ words: [String] = []) async throws -> String {
        try await devices.run(["conflicts"] + words, on: "phone").output
    }

    @Test func aRecordOfBothThatIsNewHasNothingBefore() async throws {
        defer { try? devices.server.kill() }
        try await devices.reserve("int/swift", "2026-12-25", on: "tablet")
        try await devices.reserve("int/swift", "2026-12-26", on: "phone")
        try await devices.sync("tablet")
        try await devices.sync("phone")
        let text = try await conflicts()
        #expect(text.contains("it did not exist before."), "\(text)")
        #expect(!text.contains("before:") && !text.contains("nothing"), "\(text)")
        let shown = try await conflicts(["show", record])
        #expect(shown.contains("before: did not exist\n"), "\(shown)")
    }

    @Test func aDeletionHereIsNamed() async throws {
        defer { try? devices.server.kill() }
        try await agree()
        try await devices.reserve("int/swift", "2026-12-25", on: "tablet")
        try await devices.sync("tablet")
        try await remove(on: "phone")
        try await devices.sync("phone")
        let text = try await conflicts()
        #expect(text.contains("This device deleted it, and another device changed it"), "\(text)")
        #expect(text.contains("  before: date: 2026-12-24, "), "\(text)")
        #expect(text.contains("  mine:   deleted  (this device, "), "\(text)")
        let shown = try await conflicts(["show", record])
        #expect(shown.contains("mine:   deleted  ("), "\(shown)")
    }

    @Test func aDeletionElsewhereIsNamed() async throws {
        defer { try? devices.server.kill() }
        try await agree()
        try await remove(on: "tablet")
        try await devices.sync("tablet")
        try await devices.reserve("int/swift", "2026-12-25", on: "phone")
        try await devices.sync("phone")
        let text = try await conflicts()
        #expect(text.contains("This device changed it, and another device deleted it"), "\(text)")
        #expect(text.contains("  server: deleted  (another device, "), "\(text)")
        let used = try await conflicts(["use-server", record])
        #expect(used == "Resolved; the server's version is shown now.\n")
        #expect(try await conflicts() == "There are no conflicts.\n")
    }

    @Test func aSyncCountsConflictsInJSONToo() async throws {
        defer { try? devices.server.kill() }
        try await agree()
        try await devices.reserve("int/swift", "2026-12-25", on: "tablet")
        try await devices.reserve("int/swift", "2026-12-26", on: "phone")
        try await devices.sync("tablet")
        let first = try await devices.sync("phone", ["--json"]).output
        #expect(first.contains("\"conflicts\": 1") && first.contains("\"waiting\": 0"), "\(first)")
        let status = try await devices.run(["outbox"], on: "phone").output
        #expect(status.contains("1 conflict to resolve"), "\(status)")
        let kept = try await conflicts(["keep-mine", record])
        #expect(kept == "Resolved; the next sync sends this device's change.\n")
        let second = try await devices.sync("phone", ["--json"]).output
        #expect(second.contains("\"conflicts\": 0"), "\(second)")
    }
}
