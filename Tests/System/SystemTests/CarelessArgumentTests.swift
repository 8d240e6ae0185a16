import Foundation
import TestSupport
import Testing

/// Arguments that a script gives by mistake: an unset variable, a number that makes no sense.
@Suite struct CarelessArgumentTests {
    private let fleet: Fleet
    private var content: String { fleet.folder.path + "/content" }

    init() throws { fleet = try Fleet(["es"]) }

    @Test(arguments: ["0", "-5"])
    func aPruneThatWouldKeepNothingIsRefused(number: String) async throws {
        try fleet.edit(key: 1)
        let result = try await Tool.run([
            "prune", "--keep=\(number)", "--content", content, "--release", fleet.release,
        ])
        #expect(result.status == 64, "\(result.output) \(result.errors)")
        #expect(result.errors.contains("--keep"))
        #expect(fleet.folder.exists("release/releases/1/manifest.json"))
    }
}
