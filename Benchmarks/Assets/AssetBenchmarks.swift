import Foundation
import Glibc
import Underway

/// Steps of an app that `Benchmarks/assets.py` times: each prints a line of JSON.
@main
enum AssetBenchmarks {
    static func main() async throws {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "latency" where arguments.count == 7:
            try await latency(
                server: arguments[2], bundle: arguments[3], folder: arguments[4],
                file: arguments[5], count: Int(arguments[6]) ?? 1)
        case "floor" where arguments.count == 4:
            try floor(file: arguments[2], count: Int(arguments[3]) ?? 1)
        case "idle" where arguments.count == 5:
            try await idle(url: arguments[2], folder: arguments[3], count: Int(arguments[4]) ?? 1)
        case "memory" where arguments.count == 5:
            try await memory(
                folder: arguments[2], count: Int(arguments[3]) ?? 1, isLive: arguments[4] == "live")
        default:
            print("usage: AssetBenchmarks latency|floor|idle|memory …, as Benchmarks/assets.py")
            exit(64)
        }
    }

    private struct Features: FeatureConfiguration, Equatable {
        var dailyGoal = 0
    }

    private static func save(_ goal: Int, to file: URL) throws {
        try Data("{ \"dailyGoal\": \(goal) }".utf8).write(to: file)
    }

    private static func say(_ fields: [String: Any]) throws {
        let line = try JSONSerialization.data(withJSONObject: fields, options: .sortedKeys)
        // At once, also into a pipe.
        FileHandle.standardOutput.write(line + Data("\n".utf8))
    }

    private static func milliseconds(since start: ContinuousClock.Instant) -> Double {
        (ContinuousClock.now - start) / .milliseconds(1)
    }

    /// From a save to the value in an app that follows `underway dev`.
    private static func latency(
        server: String, bundle: String, folder: String, file: String, count: Int
    ) async throws {
        let folder = URL(fileURLWithPath: folder)
        let file = URL(fileURLWithPath: file)
        let transport = HTTPTransport()
        let store = try OfflineStore(folder: folder)
        let bundle = ContentBundle(folder: URL(fileURLWithPath: bundle))
        try store.installBundle(bundle, now: Date())
        let sync = ContentSync(
            store: store, transport: transport,
            releaseURL: try URL(address: server + "/api/content/v2"))
        let channel = DevelopmentChannel(
            sync: sync, transport: transport, serverURL: try URL(address: server))
        let assets = AssetRepository(sync: sync, bundle: bundle, folder: folder, appVersion: "1")
        let features = try assets.asset("features.json", .features(Features.self))
        let news = channel.news()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await channel.run() }
            group.addTask { await assets.run() }
            for await event in news { if case .synced = event { break } }
            var samples: [Double] = []
            for goal in 1...count {
                let start = ContinuousClock.now
                try save(goal + 4, to: file)
                _ = await features.values().first { $0.dailyGoal == goal + 4 }
                samples.append(milliseconds(since: start))
            }
            group.cancelAll()
            try say(["milliseconds": samples])
        }
        transport.close()
    }

    /// What is left without a server: one event of the kernel, one read and one decoding in the
    /// same process.
    private static func floor(file: String, count: Int) throws {
        let file = URL(fileURLWithPath: file)
        let watcher = inotify_init1(Int32(IN_CLOEXEC))
        let folder = file.deletingLastPathComponent().path
        guard watcher >= 0, inotify_add_watch(watcher, folder, UInt32(IN_CLOSE_WRITE)) >= 0 else {
            exit(1)
        }
        var events = [UInt8](repeating: 0, count: 4_096)
        var samples: [Double] = []
        for goal in 1...count {
            let start = ContinuousClock.now
            try save(goal, to: file)
            guard Glibc.read(watcher, &events, events.count) > 0, try read(file).dailyGoal == goal
            else { exit(1) }
            samples.append(milliseconds(since: start))
        }
        try say(["milliseconds": samples])
    }

    private static func read(_ file: URL) throws -> Features {
        try JSONDecoder().decode(Features.self, from: Data(contentsOf: file))
    }

    /// Refreshes that find nothing new.
    private static func idle(url: String, folder: String, count: Int) async throws {
        guard let url = URL(string: url) else { exit(64) }
        let asset = try RemoteAsset(
            "idle", folder: URL(fileURLWithPath: folder), appVersion: "1", bundled: { Data() },
            materializer: .data, provider: .http(url))
        guard await asset.refresh() == .replaced else { exit(1) }
        // The start of the counting: only what follows is of interest.
        try say(["ready": true])
        _ = readLine()
        var samples: [Double] = []
        for _ in 0..<count {
            let start = ContinuousClock.now
            guard await asset.refresh() == .unchanged else { exit(1) }
            samples.append(milliseconds(since: start))
        }
        try say(["milliseconds": samples])
    }

    /// What many assets of 1 kB take: live ones, or only their values.
    private static func memory(folder: String, count: Int, isLive: Bool) async throws {
        let folder = URL(fileURLWithPath: folder)
        let before = resident()
        @Sendable func bytes(_ number: Int) -> Data {
            Data("[\((0..<250).map { "\(number % 10 + $0 % 900)" }.joined(separator: ","))]".utf8)
        }
        if !isLive {
            let values = try (0..<count).map {
                try JSONDecoder().decode([Int].self, from: bytes($0))
            }
            try say(["kilobytes": resident() - before, "count": values.count])
            return
        }
        let repository = AssetRepository(
            folder: folder, appVersion: "1", bundled: { bytes(Int($0) ?? 0) },
            release: { _ in
                DataProvider { _ in .unchanged }.autoRefresh(every: .seconds(3600))
            })
        let assets = try (0..<count).map { try repository.asset("\($0)", .json([Int].self)) }
        let running = Task { await repository.run() }
        let following = assets.map { asset in
            Task { for await value in asset.values() where value.isEmpty { break } }
        }
        // Each has looked once and waits for its next moment.
        for asset in assets { await asset.refresh() }
        try say(["kilobytes": resident() - before, "count": assets.count])
        running.cancel()
        for task in following { task.cancel() }
    }

    /// The memory of this process that is in use, in kB.
    private static func resident() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return status.firstMatch(of: /VmRSS:\s+(\d+)/).flatMap { Int($0.1) } ?? 0
    }
}
