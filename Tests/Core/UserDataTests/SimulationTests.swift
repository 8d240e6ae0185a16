import Foundation
import TestSupport
import Testing

@testable import UserData

@Suite struct SimulationTests {
    static let seeds =
        ProcessInfo.processInfo.environment["UNDERWAY_SEEDS"].flatMap { Int($0) } ?? 2_000

    private func failures(_ seed: UInt64, _ mistake: Mistake? = nil) -> [String] {
        var simulation = Simulation(seed: seed, mistake: mistake)
        simulation.run()
        var oracle = simulation.oracle
        oracle.judge(simulation.devices, simulation.server)
        return oracle.failures
    }

    @Test func nothingIsLostInBadTimes() {
        for seed in 0..<UInt64(Self.seeds) {
            let found = failures(seed)
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

    @Test(arguments: Mistake.allCases)
    func mistakesAreFound(mistake: Mistake) {
        let limit: UInt64 = 200
        let first = (0..<limit).first { !failures($0, mistake).isEmpty }
        #expect(first != nil, "\(mistake) was not found in \(limit) seeds")
        if let first { print("\(mistake): found by seed \(first)") }
    }
}
