import Dispatch
import Foundation
import OfflineStorage
import QuestionEngine
import Synchronization
import TestSupport
import Testing

/// Four devices of one user give answers and sync while devices and server are killed.
@Suite(.serialized) struct UserDataKillTests {
    /// `script/nightly` kills 200 runs.
    private static let kills = TestRun.count("UNDERWAY_KILLS", orElse: 60)
    private static let devices = ["one", "two", "three", "four"]

    private struct World: Sendable {
        let fleet: Fleet
        let server: Tool.Server

        var address: String { "http://127.0.0.1:\(server.port)" }

        func store(_ device: String) -> String { fleet.folder.path + "/\(device)" }

        /// Questions for everyone, one account for all.
        init() async throws {
            fleet = try Fleet(["es"])
            server = try await Tool.Server([
                "--release", fleet.release, "--data", fleet.folder.path + "/users",
            ])
            for device in UserDataKillTests.devices {
                try await expectDone(["sync", address + "/api/content/v2"], device)
                let verb = device == UserDataKillTests.devices[0] ? "upgrade" : "sign-in"
                try await expectDone(
                    ["account", verb, "ada@example.org", "--server", address], device,
                    input: "correct horse\n")
            }
        }

        func expectDone(_ arguments: [String], _ device: String, input: String = "") async throws {
            let result = try await Tool.run(arguments + ["--store", store(device)], input: input)
            #expect(result.status == 0, "\(device): \(result.errors) \(result.output)")
        }

        func sync(_ device: String) -> [String] {
            ["sync", address + "/api/content/v2"]
        }

        func study(_ device: String) -> [String] {
            ["study", "es", "--fresh"]
        }
    }

    /// What a device said that it had kept, and how often it was killed.
    private struct Counts {
        var said = 0
        var kills = 0
        var runs = 0
    }

    private final class Score: Sendable {
        private let counts = Mutex((devices: Counts(), servers: 0))

        var all: (devices: Counts, servers: Int) { counts.withLock { $0 } }
        var isEnough: Bool { all.devices.kills + all.servers >= UserDataKillTests.kills }

        func add(said: Int, wasKilled: Bool) {
            counts.withLock { counts in
                counts.devices.said += said
                counts.devices.runs += 1
                if wasKilled { counts.devices.kills += 1 }
            }
        }

        func addServer() { counts.withLock { $0.servers += 1 } }
    }

    @Test func nothingThatWasSaidIsLostOrDoubled() async throws {
        let world = try await World()
        let score = Score()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, device) in Self.devices.enumerated() {
                let (study, sync) = (world.study(device), world.sync(device))
                let store = ["--store", world.store(device)]
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(number))
                    while !score.isEnough {
                        let arguments = Bool.random(using: &random) ? study : sync
                        let moment = UInt32.random(in: 20_000...140_000, using: &random)
                        let result = try await Tool.run(
                            arguments + store, input: String(repeating: "1\n", count: 6),
                            killedAfter: moment)
                        // The next question and the result come when the answer is kept.
                        let said = result.output.components(separatedBy: "\n")
                            .count {
                                $0.wholeMatch(of: /(?:.*> )?(?:[2-9]\.  .*|Result: .*)/) != nil
                            }
                        score.add(said: said, wasKilled: result.wasKilled)
                    }
                }
            }
            group.addTask {
                var random = SeededGenerator(seed: 99)
                while !score.isEnough {
                    let moment = UInt32.random(in: 100_000...900_000, using: &random)
                    try await Task.sleep(for: .microseconds(moment))
                    try world.server.kill()
                    try await world.server.start()
                    score.addServer()
                }
            }
            try await group.waitForAll()
        }
        let (devices, servers) = score.all
        print(
            "user data: \(devices.kills) kills of devices in \(devices.runs) runs, \(servers)"
                + " of the server; \(devices.said) answers were said to be kept")
        try await expectEqual(world, said: devices.said, killsMax: devices.kills)
    }

    /// In the end all devices have the same answers: all that were said, none twice.
    private func expectEqual(_ world: World, said: Int, killsMax: Int) async throws {
        for _ in 0..<2 {
            for device in Self.devices {
                try await world.expectDone(
                    world.sync(device), device)
            }
        }
        let bank = QuestionFilter.Bank.placement(language: "es")
        let all = try Self.devices.map { device in
            try UserStore(folder: URL(fileURLWithPath: world.store(device))).answers(of: bank)
        }
        for answers in all { #expect(answers == all[0]) }
        #expect(all[0].count >= said)
        // An answer may be kept and its word to the learner be killed, one a run.
        #expect(all[0].count <= said + killsMax)
        let names = Set(all[0].map { "\($0.sessionID) \($0.questionID)" })
        #expect(names.count == all[0].count)
        for device in Self.devices {
            let store = try UserStore(folder: URL(fileURLWithPath: world.store(device)))
            #expect(try store.status().isSynced, "\(device)")
        }
    }
}
