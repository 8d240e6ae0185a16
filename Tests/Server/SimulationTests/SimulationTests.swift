import Foundation
import SimulationSupport
import TestSupport
import Testing

@Suite struct SimulationTests {
    static let seeds = TestRun.count("UNDERWAY_SEEDS", orElse: 2_000)

    @Test func nothingIsLostInBadTimes() {
        for seed in 0..<UInt64(Self.seeds) {
            let found = Simulation.failures(seed: seed)
            #expect(found.isEmpty, "seed \(seed): \(found.prefix(3))")
        }
    }

    @Test(arguments: 0..<20)
    func aSeedGivesTheSameRun(seed: UInt64) {
        var one = Simulation(seed: seed)
        var two = Simulation(seed: seed)
        one.run()
        two.run()
        #expect(one.trace == two.trace)
    }

    /// Seeds of mistakes that few runs show; a change of the simulation may need others.
    private static let recorded: [Mistake: UInt64] = [
        .randomBranchNames: 2_228, .movedOneOutlivesDeletion: 366,
        .restOfAnswersAlwaysBranches: 292, .stepsNotSettled: 332, .randomStepBranches: 1_101,
        .settledNameGoesOn: 19_744,
    ]

    /// `UNDERWAY_MISTAKE_SEEDS` sets how many seeds are tried.
    @Test(arguments: Mistake.allCases)
    func mistakesAreFound(mistake: Mistake) {
        let limit = TestRun.count("UNDERWAY_MISTAKE_SEEDS", orElse: UInt64(200))
        let seeds = (Self.recorded[mistake].map { [$0] } ?? []) + Array(0..<limit)
        // A seed that fails without the mistake proves nothing.
        let first = seeds.first {
            !Simulation.failures(seed: $0, mistake: mistake).isEmpty
                && Simulation.failures(seed: $0).isEmpty
        }
        #expect(first != nil, "\(mistake) was not found in \(limit) seeds")
        if let first { print("\(mistake): found by seed \(first)") }
    }
}
