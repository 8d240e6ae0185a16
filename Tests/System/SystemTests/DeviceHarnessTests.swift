import Foundation
import TestSupport
import Testing

/// The code around the machine, as it ships, in bad times; mistakes in it are found.
@Suite struct DeviceHarnessTests {
    /// `UNDERWAY_STORY_SEEDS` plays more of them.
    @Test(arguments: 0..<TestRun.count("UNDERWAY_STORY_SEEDS", orElse: UInt64(6)))
    func nothingIsLostOrAskedTooEarly(seed: UInt64) async throws {
        let found = try await DeviceHarness.failures(seed: seed)
        #expect(found.isEmpty, "seed \(seed): \(found.prefix(3))")
    }

    @Test(arguments: DeviceHarness.Mistake.allCases)
    func plantedMistakesAreFound(mistake: DeviceHarness.Mistake) async throws {
        var found: [String] = []
        for seed in 0..<UInt64(12) where found.isEmpty {
            found = try await DeviceHarness.failures(seed: seed, mistake: mistake)
        }
        #expect(!found.isEmpty, "\(mistake) was not found")
    }
}
