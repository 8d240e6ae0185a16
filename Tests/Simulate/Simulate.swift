import Foundation
import SimulationSupport

/// The command `Simulate FROM TO [MISTAKE]`: runs the seeds from FROM up to TO, with a planted
/// mistake if one is named, prints the failures, and exits 1 if there are any.
@main
enum Simulate {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let bounds = arguments.prefix(2).compactMap { UInt64($0) }
        let mistake = arguments.dropFirst(2).first.map { Mistake(rawValue: $0) }
        guard bounds.count == 2, bounds[0] < bounds[1], mistake != .some(nil) else {
            print("usage: Simulate FROM TO [MISTAKE]")
            exit(64)
        }
        var failed = 0
        for seed in bounds[0]..<bounds[1] {
            let found = Simulation.failures(seed: seed, mistake: mistake ?? nil)
            guard !found.isEmpty else { continue }
            failed += 1
            print("seed \(seed): \(found.prefix(3))")
        }
        print("seeds \(bounds[0])..<\(bounds[1]): \(failed) failed")
        exit(failed == 0 ? 0 : 1)
    }
}
