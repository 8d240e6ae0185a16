import ContentModel
import Foundation
import OfflineStorage
import Publishing
import TestSupport
import Testing

@testable import SyncClient

/// A release on a static host, under the route of a server too, and a device with both stores.
private struct DeviceFixture {
    static let staticHost: URL = "http://host/release"
    static let server: URL = "http://host/api/content/v2"

    let folder: TemporaryFolder
    let host: StaticHost
    let content: OfflineStore
    let userData: UserStore

    init() throws {
        folder = try TemporaryFolder()
        try folder.writeContent(["de", "es"])
        for release in ["www/release", "www/api/content/v2"] {
            _ = try Publisher(
                folder: folder.path + "/content", releaseDirectory: folder.path + "/" + release
            ).publish(nowSeconds: 1_800_000_000, generatedAt: "t")
        }
        host = StaticHost(root: folder.path + "/www")
        content = try OfflineStore(folder: folder.url.appending(path: "store"))
        userData = try UserStore(folder: folder.url.appending(path: "store"))
    }

    func write() throws {
        try userData.put(Favourite(bank: "es"), id: "q1", now: .init(timeIntervalSince1970: 1.8e9))
    }

    func sync(
        _ address: URL, open: (() throws -> UserStore)? = nil, hasUserData: Bool = true
    ) -> DeviceSync {
        var settings = SyncSettings()
        settings.backoff = .zero
        let access = UserDataAccess(
            openStore: open ?? { userData },
            openAccount: { store, server in
                Account(
                    store: store,
                    secrets: try FileSecretStore(folder: folder.url.appending(path: "secrets")),
                    transport: host, serverURL: server)
            })
        return DeviceSync(
            content: ContentSync(
                store: content, transport: host, releaseURL: address, settings: settings),
            transport: host, address: address, userData: hasUserData ? access : nil)
    }
}

extension SyncReport {
    fileprivate var isInstalled: Bool {
        if case .installed = outcome { true } else { false }
    }
}

@Suite struct DeviceSyncTests {
    private let device: DeviceFixture

    init() throws { device = try DeviceFixture() }

    @Test func aDeviceWithoutUserDataSyncsContentAlone() async throws {
        let result = try await device.sync(DeviceFixture.server).sync(force: true)
        #expect(result.content.isInstalled)
        #expect(result.userData == nil && result.status == nil && result.failure == nil)
        #expect(!device.host.requests.contains { $0.method == "POST" })
    }

    @Test(arguments: [
        DeviceFixture.staticHost, DeviceFixture.server.appending(path: "manifest.json"),
    ])
    func unsentChangesAreNamedWhereNoServerTakesThem(address: URL) async throws {
        try device.write()
        let result = try await device.sync(address).sync(force: true)
        #expect(result.content.isInstalled)
        #expect(result.userData?.serverHasNoUserData == true)
        #expect(result.userData?.error?.code == .noService)
        #expect(result.userData?.problem?.hasPrefix("1 change waits on this device") == true)
        #expect(result.failure == nil)
    }

    @Test func contentAloneOpensNoUserData() async throws {
        let sync = device.sync(
            DeviceFixture.server, open: { throw StoreError(.storage, "not to be opened") },
            hasUserData: false)
        #expect(try await sync.sync(force: true).userData == nil)
    }

    @Test func aFullDiskUnderUserDataIsReportedBesideTheContent() async throws {
        let sync = device.sync(
            DeviceFixture.server, open: { throw StoreError(.storage, "The disk is full.") })
        let result = try await sync.sync(force: true)
        #expect(result.content.isInstalled)
        #expect(result.userData?.couldNotSave == true)
        #expect(result.userData?.error?.code == .storage)
        #expect((result.userData?.error?.cause as? StoreError)?.code == .storage)
        #expect(
            result.failure
                == DeviceSyncFailure(
                    .userDataNotSaved, "User data not synced: The disk is full."))
    }

    @Test func anErrorThatIsNotOfTheDiskIsThrown() async throws {
        let sync = device.sync(
            DeviceFixture.server, open: { throw StoreError(.refused, "another version's") })
        await #expect(throws: StoreError.self) { try await sync.sync(force: true) }
    }

    @Test func userDataIsSyncedAlthoughContentFailed() async throws {
        try device.write()
        device.host.fail("manifest.json", .offline)
        let result = try await device.sync(DeviceFixture.staticHost).sync(
            force: true, audio: ["de"])
        #expect(result.failure?.code == .content && result.failure?.cause?.code == .offline)
        #expect(result.userData?.serverHasNoUserData == true)
        #expect(result.unfetchedAudio.isEmpty)
    }

    @Test func audioThatTheReleaseDoesNotHaveIsNamed() async throws {
        let result = try await device.sync(DeviceFixture.staticHost).sync(
            force: true, audio: ["xx"])
        #expect(result.unfetchedAudio.map(\.language) == ["xx"])
        #expect(result.failure?.code == .audio && result.failure?.cause?.code == .notFound)
        #expect(
            result.failure?.message
                == "The audio of xx is not here. What is installed has none."
                + " Is the language right?")
    }
}

/// The order in which reasons for a failure count, and the JSON form of the result.
@Suite struct DeviceSyncResultTests {
    private let refusal = RefusedDocument(
        kind: .exam, key: "int/swift", checksum: nil, release: 4, reason: "unknown field",
        refusedAt: Date(timeIntervalSince1970: 0), shownRelease: 3)

    private func result(_ outcome: SyncOutcome) -> DeviceSyncResult {
        DeviceSyncResult(content: SyncReport(outcome: outcome, tally: SyncTally()))
    }

    @Test func contentComesFirstThenAudioThenUserData() {
        var all = result(.failed(SyncError(.offline, "no network")))
        all.content.lastError = SyncError(.offline, "earlier")
        all.content.refused = [refusal]
        all.unfetchedAudio = [.init(language: "de", failure: SyncError(.offline, "no network"))]
        all.userData = UserDataReport()
        all.userData?.error = ServiceError(.offline, "No network.")
        #expect(all.failure?.code == .content)
        all.content.outcome = .upToDate
        #expect(all.failure?.code == .lastCheck)
        all.content.lastError = nil
        #expect(all.failure?.code == .refused)
        all.content.refused[0].isTriedAgain = true
        #expect(all.failure?.code == .undelivered)
        all.content.refused = []
        #expect(all.failure?.code == .audio)
        all.unfetchedAudio = []
        #expect(all.failure?.code == .userData)
        all.userData?.couldNotSave = true
        #expect(all.failure?.code == .userDataNotSaved)
        all.userData?.serverHasNoUserData = true
        #expect(all.failure == nil)
    }

    @Test func aRefusedReleaseFailsWithItsReason() {
        let crashed = SyncError(.banned, "It crashed.")
        #expect(result(.banned(crashed)).failure?.message == "It crashed.")
        #expect(result(.banned(crashed)).failure?.cause == crashed)
        #expect(result(.refused(SyncError(.vetoed, "Too new."))).failure?.code == .refused)
        let until = Date(timeIntervalSince1970: 0)
        #expect(result(.keptNewer(installed: 3, offered: 2, until: until)).failure == nil)
    }

    private static let outcomes: [(SyncOutcome, String, JSONValue)] = [
        (.upToDate, "upToDate", .null),
        (.installed(release: 4), "installed", 4), (.repaired(documents: 2), "repaired", 2),
        (.refused(SyncError(.vetoed, "r")), "refused", "r"),
        (.banned(SyncError(.banned, "b")), "banned", "b"),
        (.failed(SyncError(.offline, "no network")), "failed", "offline"),
        (.notDue(until: Date(timeIntervalSince1970: 0)), "notDue", "1970-01-01T00:00:00Z"),
        (
            .keptNewer(installed: 3, offered: 2, until: Date(timeIntervalSince1970: 0)),
            "keptNewer", ["installed": 3, "offered": 2, "until": "1970-01-01T00:00:00Z"]
        ),
    ]

    @Test(arguments: outcomes)
    func aSummaryHasTheOutcomeAndItsValue(
        outcome: SyncOutcome, name: String, detail: JSONValue
    ) throws {
        let summary = DeviceSyncSummary(result(outcome), appVersion: "1.4")
        let json = try JSONValue(encoding: summary)
        #expect(
            json == [
                "outcome": .string(name), "detail": detail, "requests": 0, "bodyBytes": 0,
                "blueprints": 0, "files": 0, "appVersion": "1.4", "refused": [],
                "refusedCount": 0, "leftOut": [], "isSigned": false,
            ])
        #expect(try json.decoded() == summary)
    }

    @Test(arguments: [
        (Rollout.Obstacle.paused, ["release": 4, "reason": "paused"] as JSONValue),
        (.appVersion, ["release": 4, "reason": "appVersion"] as JSONValue),
        (.share(percent: 10), ["release": 4, "reason": "share", "percent": 10] as JSONValue),
    ])
    func aSummaryHasTheReleaseThatIsHeldBack(
        obstacle: Rollout.Obstacle, json: JSONValue
    ) throws {
        var all = result(.upToDate)
        let held = DeferredRelease(release: 4, obstacle: obstacle, manifest: Checksum(of: []))
        all.content.heldRelease = held
        all.content.isSigned = true
        all.content.confirmedUntil = Date(timeIntervalSince1970: 0)
        all.content.changesetProblem = "it is damaged"
        let summary = DeviceSyncSummary(all, appVersion: "1.4")
        guard case .object(let written) = try JSONValue(encoding: summary) else {
            Issue.record("not an object")
            return
        }
        #expect(written["held"] == json && written["isSigned"] == true)
        #expect(written["confirmedUntil"] == "1970-01-01T00:00:00Z")
        #expect(written["changesetProblem"] == "it is damaged")
        #expect(all.content.remarks.count == 2, "\(all.content.remarks)")
        // As it is kept between runs, for one version of the app.
        let text = held.text(appVersion: "1.4 (3)")
        #expect(DeferredRelease(text: text, appVersion: "1.4 (3)") == held)
        #expect(DeferredRelease(text: text, appVersion: "1.4 (4)") == nil)
        #expect(DeferredRelease(text: "damaged", appVersion: "1.4") == nil)
    }

    @Test func aSummaryHasWhatIsMissing() throws {
        var all = result(.upToDate)
        all.content.refused = [refusal]
        all.content.unlistedRefusedCount = 2
        all.content.partial = [.init(kind: .exam, key: "a/b", leftOutCount: 5, reason: "why")]
        all.content.contentBaseError = SyncError(.notFound, "elsewhere")
        all.unfetchedAudio = [.init(language: "de", failure: SyncError(.offline, "no network"))]
        all.userData = UserDataReport()
        all.userData?.serverHasNoUserData = true
        all.userData?.error = ServiceError(.noService, "no server")
        let summary = DeviceSyncSummary(all, appVersion: "1")
        let json = try JSONValue(encoding: summary)
        guard case .object(let members) = json else {
            Issue.record("not an object")
            return
        }
        #expect(
            members["refused"] == [
                [
                    "kind": "exam", "key": "int/swift", "release": 4, "reason": "unknown field",
                    "shownRelease": 3,
                ]
            ])
        #expect(members["refusedCount"] == 3)
        #expect(
            members["leftOut"] == [["kind": "exam", "key": "a/b", "count": 5, "reason": "why"]])
        #expect(members["contentBaseProblem"] == "elsewhere")
        #expect(members["unfetchedAudio"] == [["language": "de", "problem": "no network"]])
        #expect(
            members["userData"] == [
                "problem": "no server", "isUnserved": true, "requests": 0, "sentBytes": 0,
                "receivedBytes": 0, "pushed": 0, "pulled": 0,
            ])
        #expect(try json.decoded() == summary)
    }

    @Test func aSummaryCountsWhatWaitsForTheUser() async throws {
        let store = try UserStore.inMemory()
        try store.put(Favourite(bank: "es"), id: "q1", now: .init(timeIntervalSince1970: 1.8e9))
        var all = result(.upToDate)
        all.userData = UserDataReport()
        all.status = try store.status()
        let counts = DeviceSyncSummary(all, appVersion: "1").userData
        #expect(counts?.waiting == 1 && counts?.conflicts == 0 && counts?.refusedCount == 0)
        // A static host has no such counts, as in the text.
        all.userData?.serverHasNoUserData = true
        #expect(DeviceSyncSummary(all, appVersion: "1").userData?.waiting == nil)
    }
}
