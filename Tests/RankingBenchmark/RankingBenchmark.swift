import Foundation
import LiveEvents
import RedisDriver

/// Updates of a ranking on Redis, for `script/bench boards`: one JSON object on standard output.
///
/// Usage: RankingBenchmark ADDRESS UPDATES MEMBERS TASKS
@main
enum RankingBenchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let updates = Int(arguments[2]),
            let members = Int(arguments[3]), let tasks = Int(arguments[4])
        else {
            print("usage: RankingBenchmark ADDRESS UPDATES MEMBERS TASKS")
            exit(64)
        }
        var limits = RedisLimits()
        limits.timeout = .seconds(30)
        let client = RedisClient(try RedisAddress(arguments[1]), limits: limits)
        let event = RankingKey(id: "benchmark", epoch: 1)
        let ranking = RedisRanking(client)
        _ = try await ranking.build(event) { @Sendable _ in [] }
        let plain = try await rate(updates, tasks) { number in
            try await client.send(
                ["ZADD", "plain", String(number), String(number % members)])
        }
        let single = try await rate(updates, tasks) { number in
            _ = try await ranking.apply([standing(number, members)], to: event)
        }
        let size = 500
        let batched = try await rate(updates / size, 1) { batch in
            let standings = (0..<size).map {
                standing(updates + batch * size + $0, members)
            }
            _ = try await ranking.apply(standings, to: event)
        }
        try await ranking.drop(event)
        await client.close()
        print(
            #"{"plain":\#(Int(plain)),"single":\#(Int(single)),"batched":\#(Int(batched) * size)}"#
        )
    }

    private static func standing(_ number: Int, _ members: Int) -> EventStanding {
        EventStanding(
            member: Int64(number % members) + 1, score: number, second: number % 3_600,
            submissions: number / members + 1)
    }

    /// Runs a number of steps in several tasks, and returns the steps per second.
    private static func rate(
        _ steps: Int, _ tasks: Int, _ step: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> Double {
        let took = try await ContinuousClock().measure {
            try await withThrowingTaskGroup { group in
                for task in 0..<tasks {
                    group.addTask {
                        for number in stride(from: task, to: steps, by: tasks) {
                            try await step(number)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        return Double(steps) / (took / .seconds(1))
    }
}
