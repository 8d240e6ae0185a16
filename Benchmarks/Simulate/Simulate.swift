import Foundation
import SimulationSupport

/// `Simulate FROM TO`: runs the seeds from FROM up to TO, says what failed, and exits 1 if any did.
@main
enum Simulate {
    static func main() {
        let bounds = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        guard bounds.count == 2, bounds[0] < bounds[1] else {
            print("usage: Simulate FROM TO")
            exit(64)
        }
        var failed = 0
        for seed in bounds[0]..<bounds[1] {
            let found = Simulation.failures(seed: seed)
            guard !found.isEmpty else { continue }
            failed += 1
            print("seed \(seed): \(found.prefix(3))")
        }
        print("seeds \(bounds[0])..<\(bounds[1]): \(failed) failed")
        exit(failed == 0 ? 0 : 1)
    }
}
