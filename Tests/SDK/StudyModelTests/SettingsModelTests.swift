import Foundation
import TestSupport
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

@Suite struct SettingsModelTests {
    @Test func choicesAreReadByTheNextProcess() async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path + "/settings.json")
        try await DeviceFile(url, initial: StudySettings()).change {
            $0.theme = .dark
            $0.language = "ar"
            $0.usesKeys = false
        }

        let settings = await DeviceFile(url, initial: StudySettings()).value

        #expect(settings.theme == .dark && settings.language == "ar")
        #expect(!settings.usesKeys && !settings.ratesAnswers)
        let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test(arguments: ["", "{", "[]", #"{"theme": 7}"#])
    func aDamagedFileCountsAsANewOne(text: String) async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path + "/settings.json")
        try Data(text.utf8).write(to: url)
        let file = DeviceFile(url, initial: StudySettings())

        #expect(await file.value == StudySettings())
        try await file.change { $0.ratesAnswers = true }
        #expect(await file.value.ratesAnswers)
    }

    @Test func choicesOfAnotherVersionAreReadAsFarAsTheyAreKnown() throws {
        let text = #"{"theme": "sepia", "ratesAnswers": true, "pace": 3}"#
        let settings = try JSONDecoder().decode(StudySettings.self, from: Data(text.utf8))

        var expected = StudySettings()
        expected.ratesAnswers = true
        #expect(settings == expected)
    }

    @Test func aChangeThatCannotBeWrittenIsReported() async throws {
        let missing = URL(fileURLWithPath: "/nonexistent/settings.json")
        var services = try await StudyDevice().services
        services.settings = DeviceFile(missing, initial: StudySettings())
        let model = await SettingsModel(services)

        await model.change { $0.theme = .dark }

        #expect(await model.problem?.code == .notSaved)
        #expect(await services.settings.value.theme == .system)
    }

    @Test func theScreenSaysWhatWaitsAndWhenTheLastSyncWas() async throws {
        let study = try await StudyDevice()
        let first = study.device.clock.now
        try await study.saveQuestion()
        study.network.isOffline = true
        study.device.clock.advance(by: .seconds(60))
        let model = await SettingsModel(study.services)

        await model.syncNow()

        let sync = try #require(await model.screen?.sync)
        #expect(sync == .init(isRunning: false, unsentCount: 1, lastSync: first))
        let entry = try #require(await study.services.syncLog.value.entries.first)
        #expect(entry.content == .offline && entry.codes == ["offline", "offline"])
        #expect(entry.isFailed && entry.sent == 0)
    }

    @Test func aDeviceWithoutServerHasNoSync() async throws {
        let services = StudyServices(
            content: try OfflineStore.inMemory(), userData: try UserStore.inMemory())
        let model = await SettingsModel(services)

        await model.load()

        #expect(await model.problem == nil)
        #expect(await model.screen?.sync == nil)
        #expect(await model.screen?.storage == [])
    }
}

@Suite struct SyncLogTests {
    private func entry(
        _ seconds: Double, _ content: SyncLog.Entry.Content = .upToDate, sent: Int? = nil,
        count: Int = 1
    ) -> SyncLog.Entry {
        SyncLog.Entry(
            date: Date(timeIntervalSince1970: seconds), content: content, bytes: 0, sent: sent,
            received: sent, codes: [], count: count)
    }

    @Test func syncsThatEndAlikeAreOneEntry() {
        var log = SyncLog()
        for seconds in 1...3 { log.add(entry(Double(seconds))) }
        log.add(entry(4, .offline))
        log.add(entry(5))

        #expect(log.entries == [entry(5), entry(4, .offline), entry(3, count: 3)])
    }

    /// A device keeps the log that an earlier version wrote.
    @Test func anEntryWithoutANumberIsOneSync() throws {
        let json = #"{"entries":[{"date":1,"content":"offline","bytes":0,"codes":["offline"]}]}"#
        var log = try JSONDecoder().decode(SyncLog.self, from: Data(json.utf8))
        #expect(log.entries.map(\.count) == [1])

        log.add(try #require(log.entries.first))

        let data = try JSONEncoder().encode(log)
        #expect(try JSONDecoder().decode(SyncLog.self, from: data).entries.map(\.count) == [2])
    }

    @Test func theLogHasABound() {
        var log = SyncLog()
        for number in 0..<(SyncLog.entriesMax * 2) {
            log.add(entry(Double(number), sent: number))
        }

        #expect(log.entries.count == SyncLog.entriesMax)
        #expect(log.entries.first?.sent == SyncLog.entriesMax * 2 - 1)
    }

    @Test func anEntrySaysHowTheSyncEnded() {
        var userData = UserDataReport()
        (userData.pushed, userData.pulled) = (3, 4)
        let date = Date(timeIntervalSince1970: 1)
        let early = SyncReport(outcome: .notDue(until: date))
        let failure = SyncReport(outcome: .failed(SyncError(.checksumMismatch, "Wrong bytes.")))

        #expect(SyncLog.Entry(early, nil, date: date) == nil)
        #expect(SyncLog.Entry(early, userData, date: date)?.sent == 3)
        #expect(SyncLog.Entry(failure, userData, date: date)?.codes == ["checksumMismatch"])
        #expect(
            SyncLog.Entry(SyncReport(outcome: .installed(release: 2)), nil, date: date)
                == entry(1, .updated))
    }
}
