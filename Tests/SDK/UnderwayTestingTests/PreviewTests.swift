import Foundation
import Testing
import Underway
import UnderwayTesting

/// Devices and values that a preview of a screen shows.
@Suite struct PreviewTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func aPreviewHasContentAndNoNetwork() async throws {
        let device = try TestDevice.preview()
        let bank = try device.store.blueprint(.exam(region: "int", exam: "harbour"))
        #expect(!bank.value.questions.isEmpty)
        let report = await device.contentSync.sync(force: true)
        guard case .failed(let failure) = report.outcome else {
            Issue.record("\(report.outcome)")
            return
        }
        #expect(failure.code == .offline)
        #expect(await device.userDataSync.sync().problem == "offline")
    }

    @Test func aStubShowsItsAnnouncementOnce() async throws {
        let news = ShownAnnouncement(
            identifier: 7, type: .information, text: AnnouncementText(title: "News", content: "…"),
            language: "en", action: .none)
        let source: any AnnouncementSource = StubAnnouncementSource(news)
        let moment = AnnouncementMoment(appVersion: "1.0", now: now)
        var inSession = moment
        inSession.isInSession = true
        #expect(try await source.current(inSession) == nil)
        #expect(try await source.current(moment) == news)
        try await source.markSeen(news, now: now)
        #expect(try await source.current(moment) == nil)
    }

    /// A screen in each state, without a store or a network.
    @Test func reportsAndStatusesAreMadeByHand() {
        let offline = UserDataStatus(
            waitingCount: 3, lastTry: UserDataStatus.Try(date: now, problem: "offline"))
        #expect(!offline.isSynced && !offline.needsSignIn && offline.lastTry?.lastSuccess == nil)
        let synced = UserDataStatus(lastTry: UserDataStatus.Try(date: now))
        #expect(synced.isSynced && synced.lastTry?.lastSuccess == now)
        let signedOut = UserDataStatus.Try(date: now, problem: "401", needsSignIn: true)
        #expect(UserDataStatus(lastTry: signedOut).needsSignIn)

        let report = SyncReport(outcome: .installed(release: 2))
        let progress = SyncProgress(bytesDone: 1024, bytesExpected: 4096)
        let status = SyncStatus(phase: .fetching, progress: progress, lastReport: report)
        #expect(status.isRunning && status.progress.fractionDone == 0.25)
        #expect(!SyncStatus<UserDataReport>().isRunning)
        #expect(BackgroundReport(userData: UserDataReport(), content: report).isSuccess)
        #expect(!BackgroundReport(userData: UserDataReport(), wasCancelled: true).isSuccess)
    }

    @Test func listsOfAScreenAreMadeByHand() {
        let day = UserStore.Progress(name: "2027-01-15", answers: 4, correct: 3, questions: 2)
        #expect(day.bank == nil)
        let question = StudiedQuestion(question: "es-001", answerCount: 1, schedule: .new)
        let other = OtherUser(user: "u1", recordCount: 1, answerCount: 2, waitingCount: 3)
        let device = AccountDevice(id: "d1", lastSeen: now, answerCount: 5)
        let method = SignInMethod(id: "email", name: "ada@example.org", isVerified: true)
        #expect([question.id, other.id, device.id, method.id] == ["es-001", "u1", "d1", "email"])
    }
}
