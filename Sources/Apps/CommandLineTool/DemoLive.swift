import ContentModel
import Foundation
import OfflineStorage
import RemoteAssets
import ServiceAPI
import ServiceLifecycle
import SyncClient

/// The scene of development: each save reaches the app at once.
struct DemoLive {
    private struct Features: FeatureConfiguration {
        var audioSpeeds = [1.0]
        var dailyGoal = 10
        var reminderHour = 18
        var reviews = "off"
        var showsStreak = false
    }

    /// The author's content folder.
    let content: URL
    /// A folder for the development release and the app.
    let root: URL
    /// The bundle of the app.
    let bundle: ContentBundle
    private let transport = HTTPTransport()

    init(content: URL, root: URL, bundle: URL) {
        self.content = content
        self.root = root
        self.bundle = ContentBundle(folder: bundle)
    }

    /// Runs `underway dev` and an app that follows it, and saves four times.
    func play() async throws {
        defer { transport.close() }
        let server = try ContentDevelopment(
            content: content.path, release: root.appending(path: "dev").path)
        let ports = AsyncStream.makeStream(of: Int.self)
        let services = server.group(host: "127.0.0.1", port: 0, isQuiet: true) {
            ports.continuation.yield($0)
        }
        try await whileRunning(services, ports: ports) { try await follow(port: $0) }
    }

    private func follow(port: Int) async throws {
        let address = "http://127.0.0.1:\(port)"
        let store = try OfflineStore(folder: root, appVersion: Tool.version)
        try store.installBundle(bundle, now: Date())
        let sync = ContentSync(
            store: store, transport: transport,
            releaseURL: try URL(address: address + ContentRoutes.prefix))
        let channel = DevelopmentChannel(
            sync: sync, transport: transport, serverURL: try URL(address: address))
        let assets = AssetRepository(
            sync: sync, bundle: bundle, folder: root.appending(path: "assets"), appVersion: "1.4")
        let links = try assets.asset("policy-links.json", .strings)
        let features = try assets.asset("features.json", .features(Features.self))
        let center = AnnouncementCenter(content: store, userData: try UserStore(folder: root))
        let news = channel.news()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await channel.run() }
            group.addTask { await assets.run() }
            group.addTask {
                try await Task.sleep(for: .seconds(60))
                throw SyncError(.offline, "A save did not reach the app within a minute.")
            }
            group.addTask {
                for await event in news { if case .synced = event { break } }
                try await saveLinks(links)
                try await saveSetting(features)
                try await announce(center, news)
                try await saveMistake(features, news)
            }
            // Only the saves end by themselves, or the time limit of a minute.
            try await group.next()
            group.cancelAll()
        }
    }

    // MARK: Saves

    private func saveLinks(_ links: RemoteAsset<LocalizedStrings>) async throws {
        let before = links.current.text("privacy", languages: ["de"]) ?? ""
        let clock = ContinuousClock.now
        try edit("assets/policy-links.json") {
            $0.replacing(before, with: "https://example.org/de/privatsphaere")
        }
        let after = await links.values().first { $0.text("privacy", languages: ["de"]) != before }
        say(
            "policy link", before, after?.text("privacy", languages: ["de"]) ?? "", since: clock)
    }

    private func saveSetting(_ features: RemoteAsset<Features>) async throws {
        let before = features.current.dailyGoal
        let clock = ContinuousClock.now
        try edit("assets/features.json") {
            $0.replacing("\"dailyGoal\": \(before)", with: "\"dailyGoal\": \(before + 5)")
        }
        let after = await features.values().first { $0.dailyGoal != before }
        say("daily goal", "\(before)", "\(after?.dailyGoal ?? before)", since: clock)
    }

    /// Makes one of the sample's announcements current.
    private func announce(
        _ center: AnnouncementCenter, _ news: AsyncStream<DevelopmentNews>
    ) async throws {
        let moment = AnnouncementMoment(appVersion: "1.4", languages: ["de-AT"], now: Date())
        let before = try await center.current(moment)
        let text = try String(
            contentsOf: content.appending(path: "announcements/1-information.yaml"), encoding: .utf8
        )
        try FileManager.default.removeItem(at: content.appending(path: "announcements"))
        try FileManager.default.createDirectory(
            at: content.appending(path: "announcements"), withIntermediateDirectories: false)
        let lines = text.split(separator: "\n").filter {
            !$0.hasPrefix("start:") && !$0.hasPrefix("end:")
        }
        let clock = ContinuousClock.now
        try Data((lines.joined(separator: "\n") + "\n").utf8)
            .write(to: content.appending(path: "announcements/1-information.yaml"))
        for await event in news {
            guard case .synced = event, let shown = try await center.current(moment),
                shown.identifier == 1
            else { continue }
            say("announcement", before?.text.title ?? "none", shown.text.title, since: clock)
            return
        }
    }

    private func saveMistake(
        _ features: RemoteAsset<Features>, _ news: AsyncStream<DevelopmentNews>
    ) async throws {
        let clock = ContinuousClock.now
        try edit("assets/features.json") {
            $0.replacing("\"dailyGoal\": ", with: "\"dailyGoal\": 1000")
        }
        for await event in news {
            guard case .problems(let problems) = event else { continue }
            let reason = problems.first.map { "line \($0.position.line): \($0.message)" } ?? ""
            Console.say(
                "a mistake: the app is told \"\(reason)\" and still has \(features.current.dailyGoal)"
                    + " (\(milliseconds(since: clock)) ms)")
            break
        }
        try edit("assets/features.json") {
            $0.replacing("\"dailyGoal\": 1000", with: "\"dailyGoal\": ")
        }
    }

    private func edit(_ path: String, _ change: (String) -> String) throws {
        let file = content.appending(path: path)
        let text = try String(contentsOf: file, encoding: .utf8)
        try Data(change(text).utf8).write(to: file)
    }

    private func say(
        _ what: String, _ before: String, _ after: String, since start: ContinuousClock.Instant
    ) {
        Console.say(
            Console.styled("\(what): \(before) → \(after)", .green)
                + " (\(milliseconds(since: start)) ms after the save)")
    }

    private func milliseconds(since start: ContinuousClock.Instant) -> Int {
        Int((ContinuousClock.now - start) / .milliseconds(1))
    }
}
