import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

@Suite struct FreshnessTextTests {
    private let now = Date(timeIntervalSince1970: 1_795_271_460)

    private var formats: StudyFormats {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return StudyFormats(words: StudyText(language: "en"), calendar: calendar)
    }

    private func words(_ edit: (inout FreshnessScreen) -> Void = { _ in }) async throws
        -> FreshnessText
    {
        let device = try await StudyDevice()
        let model = await FreshnessModel(device.services)
        await model.load()
        var screen = try #require(await model.screen)
        edit(&screen)
        return FreshnessText(screen, formats)
    }

    @Test func anUpdateLeadsToWhatItChanged() async throws {
        let words = try await words()
        #expect(words.kind == .upToDate && words.sentence.hasPrefix("Content last updated"))
        #expect(words.changes == "See what changed" && words.check == nil)
    }

    @Test func aDownloadIsSaidWithItsAmounts() async throws {
        let words = try await words {
            $0.isChecking = true
            $0.download = SyncProgress(bytesDone: 30_000, bytesExpected: 120_000)
        }
        #expect(words.sentence == "Downloading, 30 kB of 120 kB")
        #expect(words.fractionDone == 0.25 && words.isRunning && words.check == nil)
    }

    @Test func aCheckThatSucceededIsSaidWithItsTime() async throws {
        let words = try await words { $0.lastCheck = .upToDate($0.now) }
        #expect(words.kind == .upToDate && words.sentence.hasPrefix("Up to date. Checked"))
        #expect(words.changes == nil)
        #expect(words.check == "Check now" && !words.isOld && words.banners.isEmpty)
    }

    @Test func aCheckThatRunsOffersNone() async throws {
        let words = try await words { $0.isChecking = true }
        #expect(words.sentence == "Checking for new content" && words.check == nil)
    }

    @Test func offlineSaysWhatIsSentLater() async throws {
        let none = try await words { $0.lastCheck = .offline }
        #expect(none.kind == .offline && none.sentence == "You are offline.")
        let some = try await words { ($0.lastCheck, $0.unsentCount) = (.offline, 3) }
        #expect(some.sentence == "You are offline. 3 answers are sent later.")
    }

    @Test func contentThatIsOldOrMissingIsMarked() async throws {
        let old = try await words { $0.now += 15 * 86_400 }
        #expect(old.isOld)
        let missing = try await words { $0.content = nil }
        #expect(missing.isOld && missing.sentence == "There is no content on this device yet.")
        let failed = try await words { $0.lastCheck = .failed }
        #expect(failed.kind == .failed)
    }

    @Test func contentOfTheAppIsCalledThat() async throws {
        let services = StudyServices(
            content: try OfflineStore.inMemory(blueprints: [.sampleExam]),
            userData: try UserStore.inMemory(), clock: { now })
        let model = await FreshnessModel(services)
        await model.load()
        let words = FreshnessText(try #require(await model.screen), formats)
        #expect(words.kind == .content && words.check == nil)
        #expect(!words.sentence.isEmpty)
    }

    @Test func decisionsThatWaitAreBanners() async throws {
        let words = try await words {
            ($0.needsSignIn, $0.unsentCount, $0.rejectedCount) = (true, 2, 1)
        }
        #expect(
            words.banners == [
                .signIn("Sign in again to send 2 answers."),
                .rejected("The server refused 1 change."),
            ])
        #expect(words.banners.map(\.actionKey) == ["banner.signIn", "banner.look"])
    }

    @Test func anAccountThatWasJoinedElsewhereSaysSo() async throws {
        let words = try await words {
            ($0.needsSignIn, $0.isAccountMoved, $0.unsentCount) = (true, true, 3)
        }
        #expect(
            words.banners == [
                .signIn(
                    "This account was joined with another one. Sign in to that one; 3 changes of this device"
                        + " wait for it.")
            ])
    }

    /// A run that was not due asked nobody; what the last one found is still so.
    @Test func aRunThatWasNotDueTakesNothingBack() async throws {
        let device = try await StudyDevice()
        let sync = try #require(device.services.sync)
        await sync.syncNow()
        await sync.syncWhenDue()
        let model = await FreshnessModel(device.services)
        await model.load()
        guard case .upToDate = await model.screen?.lastCheck else {
            Issue.record("\(String(describing: await model.screen?.lastCheck))")
            return
        }
    }

    @Test func checkNowAsksTheHost() async throws {
        let device = try await StudyDevice()
        try await device.saveQuestion()
        let model = await FreshnessModel(device.services)
        await model.load()
        #expect(await model.screen?.unsentCount == 1)
        await model.checkNow()
        #expect(await model.screen?.unsentCount == 0)
        #expect(await model.screen?.isChecking == false)
    }

    @Test func theChosenLanguageCountsBeforeThatOfTheSystem() async throws {
        let device = try await StudyDevice()
        #expect(await device.services.formats(preferring: ["de-AT"]).words.language == "de")
        try await device.services.settings.change { $0.language = "es" }
        #expect(await device.services.formats(preferring: ["de-AT"]).words.language == "es")
    }
}
