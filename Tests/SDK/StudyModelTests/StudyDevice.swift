import Foundation
import StudyModel
import Underway
import UnderwayTesting

/// A device whose content was synced, with an account on a server in memory.
struct StudyDevice {
    let users = TestSyncServer()
    /// Replies for what the server in memory does not have.
    let scripted = ScriptedHost()
    let network: TestNetwork
    let device: TestDevice
    let services: StudyServices

    static let bell = Array("ding dong".utf8)
    static let exam = QuestionFilter.Bank.exam(region: "int", exam: "harbour")
    static let english = QuestionFilter.Bank.placement(language: "en")

    /// The sample with two clips and two pictures, one of which has the bytes of a clip.
    static var content: ReleaseContent {
        var content = ReleaseContent.sample
        content.audio = ["en": ["a.mp3": Array("ahoy".utf8), "bell.mp3": bell]]
        content.media = [
            "int/harbour": ["buoy.svg": Array("<svg/>".utf8), "bell.png": bell]
        ]
        return content
    }

    init() async throws {
        network = TestNetwork(scripted, try TestReleaseServer(Self.content), users)
        device = try TestDevice(network: network)
        let settings = DeviceFile(initial: StudySettings())
        let log = DeviceFile(initial: SyncLog())
        let clock = device.clock
        let sync = DeviceStudySync(
            content: device.contentSync, store: device.userData, userData: device.userDataSync,
            log: log, clock: { clock.now })
        services = StudyServices(
            content: device.store, userData: device.userData, sync: sync,
            account: DeviceStudyAccount(device.userData, device.account, settings: settings),
            settings: settings, syncLog: log, clock: { clock.now })
        await sync.syncNow()
    }

    /// Saves a question, so that there is something to send.
    func saveQuestion(_ id: String = "lights") async throws {
        try device.userData.put(
            Favourite(bank: Self.exam), id: id, now: device.clock.now)
    }
}
