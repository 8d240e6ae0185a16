import Foundation
import StudyModel
import Underway
import UnderwayTesting

@testable import StudyWeb

/// The browser of a device with a server in memory, whose background work runs during a test's body.
struct SyncedBrowser {
    let users = TestSyncServer()
    let network: TestNetwork
    let device: TestDevice
    let browser: StudyBrowser

    static let email = "anne@example.org"
    static let password = "correct horse"
    static let picture = Array("<svg onload='alert(1)'/>".utf8)

    /// Makes the browser, with changes to the sample's content.
    init(_ change: (inout ReleaseContent) -> Void = { _ in }) async throws {
        var content = ReleaseContent.sample
        content.audio = ["en": ["ahoy.mp3": Array("0123456789".utf8)]]
        content.media = ["int/harbour": ["buoy.svg": Self.picture, "notes.html": Array("x".utf8)]]
        content.assets["secret.json"] = .json("{}", fetchClass: .onDemand)
        change(&content)
        network = TestNetwork(try TestReleaseServer(content), users)
        device = try TestDevice(network: network)
        let (settings, log) = (
            DeviceFile(initial: StudySettings()), DeviceFile(initial: SyncLog())
        )
        let clock = device.clock
        let sync = DeviceStudySync(
            content: device.contentSync, store: device.userData, userData: device.userDataSync,
            log: log, clock: { clock.now })
        await sync.syncNow()
        browser = try StudyBrowser(
            StudyServices(
                content: device.store, userData: device.userData, sync: sync,
                account: DeviceStudyAccount(device.userData, device.account, settings: settings),
                settings: settings, syncLog: log, clock: { clock.now }),
            device.store, device.userData)
    }

    /// Runs the app's background work while a body runs, then cancels it.
    func working(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await browser.app.work.run() }
            defer { group.cancelAll() }
            try await body()
        }
    }

    /// Waits until a piece of work has ended; the test's time limit ends a wait that has no end.
    func ended(_ name: String) async {
        while browser.app.work.isRunning(name) { await Task.yield() }
    }
}
