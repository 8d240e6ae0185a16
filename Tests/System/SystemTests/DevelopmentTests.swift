import ContentModel
import Foundation
import OfflineStorage
import RemoteAssets
import SyncClient
import TestSupport
import Testing

/// `underway dev` as a process, and an app that follows it.
@Suite struct DevelopmentTests {
    private struct Features: FeatureConfiguration, Equatable {
        var dailyGoal = 20
    }

    /// An author's folder and its server, and an app with a bundle of the first release.
    private struct Workshop {
        let folder: TemporaryFolder
        let server: Tool.Server
        let sync: ContentSync
        let store: OfflineStore
        let channel: DevelopmentChannel
        let repository: AssetRepository
        let transport = HTTPTransport()

        init() async throws {
            folder = try TemporaryFolder()
            try folder.writeContent()
            try folder.write("{\"dailyGoal\": 10}", to: "content/assets/features.json")
            _ = try await Tool.run([
                "publish", "--content", folder.path + "/content", "--release",
                folder.path + "/release",
            ])
            _ = try await Tool.run([
                "bundle", folder.path + "/bundle", "--release", folder.path + "/release",
            ])
            server = try await Tool.Server(
                ["--content", folder.path + "/content", "--release", folder.path + "/dev"],
                command: ["dev"])
            let address = "http://127.0.0.1:\(server.port)"
            store = try OfflineStore(folder: folder.url.appending(path: "device"))
            let bundle = ContentBundle(folder: folder.url.appending(path: "bundle"))
            try store.installBundle(bundle, now: Date())
            sync = ContentSync(
                store: store, transport: transport,
                releaseURL: try URL(address: address + "/api/content/v2"))
            channel = DevelopmentChannel(
                sync: sync, transport: transport, serverURL: try URL(address: address)
            ) { _ in try await Task.sleep(for: .milliseconds(20)) }
            repository = AssetRepository(
                sync: sync, bundle: bundle, folder: folder.url.appending(path: "kept"),
                appVersion: "1")
        }

        func save(_ text: String) throws {
            try folder.write(text, to: "content/assets/features.json")
        }
    }

    @Test func aSaveIsLiveAndAnErrorIsAValue() async throws {
        let workshop = try await Workshop()
        defer { workshop.transport.close() }
        let features = try workshop.repository.asset("features.json", .features(Features.self))
        #expect(features.current == Features(dailyGoal: 10))
        let news = workshop.channel.news()
        let following = Task { await workshop.channel.run() }
        let running = Task { await workshop.repository.run() }
        await until(news) { $0 == .connected }
        await until(news) { $0.isSync }
        try workshop.save("{\"dailyGoal\": 11}")
        #expect(await features.values().first { $0 != Features(dailyGoal: 10) }?.dailyGoal == 11)
        // An error reaches the app as a value, and what was good stays.
        try workshop.save("{\"dailyGoal\": ")
        await until(news) { event in
            guard case .problems(let problems) = event else { return false }
            return problems.map(\.rule) == [.syntax]
        }
        #expect(features.current == Features(dailyGoal: 11))
        try workshop.save("{\"dailyGoal\": 12}")
        #expect(await features.values().first { $0 != Features(dailyGoal: 11) }?.dailyGoal == 12)
        following.cancel()
        running.cancel()
        await following.value
        await running.value
        try workshop.server.kill()
    }

    @Test func aServerThatComesBackIsFoundAgain() async throws {
        let workshop = try await Workshop()
        defer { workshop.transport.close() }
        let news = workshop.channel.news()
        let following = Task { await workshop.channel.run() }
        await until(news) { $0.isSync }
        try workshop.server.kill()
        await until(news) { $0 == .disconnected }
        try workshop.save("{\"dailyGoal\": 30}")
        try await workshop.server.start()
        // The first publish of the new server has the save.
        await until(news) { $0.isSync }
        #expect(
            try workshop.store.asset("features.json").value == Array("{\"dailyGoal\": 30}".utf8))
        following.cancel()
        await following.value
        try workshop.server.kill()
    }

    @Test func devEndsAtASignalWhileSomebodyListens() async throws {
        let workshop = try await Workshop()
        defer { workshop.transport.close() }
        let news = workshop.channel.news()
        let following = Task { await workshop.channel.run() }
        await until(news) { $0.isSync }
        #expect(try await workshop.server.end() == 0)
        await until(news) { $0 == .disconnected }
        following.cancel()
        await following.value
    }

    @Test func devSaysWhatIsWrongWithItsFolder() async throws {
        let folder = try TemporaryFolder()
        let result = try await Tool.run(["dev", "--content", folder.path + "/no where"])
        #expect(result.status == 4)
        #expect(result.errors.contains("is not a content folder"))
        #expect(result.errors.contains("`underway init '\(folder.path)/no where'`"))
    }

    /// What docs/app-developers.md shows.
    @Test func anAppFollowsItsAuthor() async throws {
        let workshop = try await Workshop()
        let (sync, transport) = (workshop.sync, workshop.transport)
        let server = try URL(address: "http://127.0.0.1:\(workshop.server.port)")
        // An app that follows until it is cancelled, and a save.
        let app = Task {
            // development: start
            let channel = DevelopmentChannel(sync: sync, transport: transport, serverURL: server)
            async let following: Void = channel.run()
            for await news in channel.news() { print(news) }
            // development: end
            await following
        }
        let events = sync.events()
        try workshop.save("{\"dailyGoal\": 50}")
        for await event in events {
            guard case .ended(let report) = event else { continue }
            if case .installed = report.outcome { break }
        }
        app.cancel()
        await app.value
        transport.close()
        try workshop.server.kill()
        try DocumentedExample.expect("development", linesMax: 3)
    }

    private func until(
        _ news: AsyncStream<DevelopmentNews>, _ isWanted: (DevelopmentNews) -> Bool
    ) async {
        for await event in news where isWanted(event) { return }
    }
}

extension DevelopmentNews {
    fileprivate var isSync: Bool { if case .synced = self { true } else { false } }
}
