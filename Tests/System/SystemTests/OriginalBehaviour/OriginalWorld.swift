import ContentModel
import Foundation
import OfflineStorage
import Publishing
import SyncClient
import TestSupport
import Testing

/// A published content folder behind a static host, and devices with a clock that a test moves.
struct OriginalWorld: Sendable {
    let folder: TemporaryFolder
    let host: StaticHost
    let clock = ManualClock(1_900_000_000)

    init(_ languages: [String] = ["de", "en", "es"]) throws {
        folder = try TemporaryFolder()
        try folder.writeContent(languages)
        host = StaticHost(root: folder.path + "/release")
        try publish()
    }

    var content: String { folder.path + "/content" }
    var release: String { folder.path + "/release" }
    var folders: [String] { ["--content", content, "--release", release] }

    @discardableResult
    func publish() throws -> PublishSummary {
        clock.advance(10)
        return try Publisher(folder: content, releaseDirectory: release).publish(
            nowSeconds: Int(clock.now.timeIntervalSince1970),
            generatedAt: clock.now.formatted(.iso8601))
    }

    /// Publishes another key for languages.
    func edit(_ languages: [String] = ["es"], key: Int = 1, stem: String = "One?") throws {
        for language in languages {
            try folder.writeBlueprint(language, key: key, stem: stem)
        }
        try publish()
    }

    func manifest() throws -> Manifest { try Manifest(folder.read("release/manifest.json")) }

    /// What an app would ship with the release that is current now.
    func bundle(_ name: String = "bundle") throws -> ContentBundle {
        let url = folder.url.appending(path: name)
        _ = try BundleWriter.write(releaseDirectory: release, to: url.path)
        return ContentBundle(folder: url)
    }

    /// Makes a host in the original format of the release: no objects, no sizes, and of each language the
    /// blueprint and audio alone.
    ///
    /// - Parameter extra: Members that stand in each object of the manifest too.
    func serveOriginalFormat(schema: Int = 2, extra: String = "") throws {
        let languages = try manifest().languages.map { language, entry in
            let blueprint = try #require(entry.blueprint)
            let files = (entry.audio?.files ?? []).map {
                "{\(extra)\"name\": \"\($0.name)\", \"checksum\": \"\($0.checksum)\"}"
            }
            return """
                "\(language)": {\(extra)
                  "blueprint": {\(extra)"version": "1.0.0", "checksum": "\(blueprint.checksum)"},
                  "audio": {\(extra)"version": "1.0.0", "files": [\(files.joined(separator: ","))]}}
                """
        }
        try folder.write(
            """
            {\(extra)"schemaVersion": \(schema), "languages": {\(languages.joined(separator: ","))}}
            """, to: "served/manifest.json")
        for name in ["blueprints", "audio"] {
            let served = folder.url.appending(path: "served/\(name)")
            // There is none when it is served for the first time.
            try? FileManager.default.removeItem(at: served)
            try FileManager.default.copyItem(
                at: folder.url.appending(path: "release/\(name)"), to: served)
        }
    }

    /// A host of what `serveOriginalFormat` made.
    var originalHost: StaticHost { StaticHost(root: folder.path + "/served") }
}

/// The app on a device: each value is a new start of it over the same files.
struct OriginalDevice: Sendable {
    let store: OfflineStore
    let sync: ContentSync
    private let clock: ManualClock

    init(
        _ world: OriginalWorld, _ name: String = "store", transport: (any Transport)? = nil,
        url: URL = "http://host", _ change: (inout SyncSettings) -> Void = { _ in }
    ) throws {
        var settings = SyncSettings()
        settings.backoff = .zero
        change(&settings)
        clock = world.clock
        store = try OfflineStore(folder: world.folder.url.appending(path: name), appVersion: "1")
        sync = ContentSync(
            store: store, transport: transport ?? world.host, releaseURL: url, settings: settings,
            clock: { [clock] in clock.now })
    }

    @discardableResult
    func run(force: Bool = false) async -> SyncReport { await sync.sync(force: force) }

    @discardableResult
    func install(_ bundle: ContentBundle) throws -> Bool {
        try store.installBundle(bundle, now: clock.now)
    }

    func test(_ language: String = "es") throws -> Fresh<Blueprint> {
        try store.blueprint(.placement(language: language))
    }

    /// The index of the right option of a language's first question.
    func key(_ language: String = "es") throws -> [Int] {
        try test(language).value.questions[0].correct
    }

    /// Damages what is stored of a language's test, as a failing disk does it, unseen.
    func damage(_ language: String = "es") throws {
        let manifest = try #require(try store.currentManifest()).manifest
        let reference = try #require(manifest.languages[language]?.blueprint)
        try store.stage([1, 2, 3], as: reference.checksum)
    }
}
