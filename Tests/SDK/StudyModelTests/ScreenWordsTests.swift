import Foundation
import TestSupport
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

/// The words of settings, account, exam dates, updates, messages and progress.
@Suite struct ScreenWordsTests {
    private let now = Date(timeIntervalSince1970: 1_795_271_460)

    private var formats: StudyFormats {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return StudyFormats(words: StudyText(language: "en"), calendar: calendar)
    }

    private var words: StudyText { formats.words }

    // MARK: Settings and account

    @Test func theSyncSaysWhatMattersMost() {
        var sync = SettingsScreen.Sync(isRunning: false, unsentCount: 0, lastSync: nil)
        #expect(sync.sentence(now: now, formats) == "Not synced yet")
        #expect(sync.sentence(now: now, formats, isStarting: true) == "Syncing")
        sync.lastSync = now
        #expect(sync.sentence(now: now, formats).hasPrefix("All sent. Last sync today"))
        sync.unsentCount = 1
        #expect(sync.sentence(now: now, formats) == "1 change is not sent yet.")
    }

    @Test func anEntryOfTheLogIsNeverSilent() {
        let contents: [SyncLog.Entry.Content] = [
            .upToDate, .updated, .offline, .failed, .notAsked,
        ]
        for content in contents {
            for sent in [nil, 0, 2] where sent != nil || content != .notAsked {
                let entry = SyncLog.Entry(
                    date: now, content: content, bytes: 1000, sent: sent, received: sent, codes: [])
                #expect(!entry.sentences(formats).isEmpty, "\(content) \(String(describing: sent))")
            }
        }
        let failed = SyncLog.Entry(
            date: now, content: .notAsked, bytes: 0, sent: nil, received: nil, codes: ["busy"])
        #expect(failed.sentences(formats) == ["The sync did not finish. It goes on by itself."])
        #expect(failed.codesSentence(words) == "Codes: busy")
    }

    @Test func stepsOfTheAccountFitIt() {
        func open(_ kind: StudyIdentity.Kind, hasServer: Bool = true) -> [AccountStep] {
            let identity = StudyIdentity(kind: kind, name: "anne", hasServer: hasServer)
            return AccountStep.allCases.filter { $0.isOpen(to: identity) }
        }
        #expect(open(.local) == [.signIn, .create])
        #expect(open(.unnamed) == [.signIn, .create, .delete])
        #expect(open(.named) == [.signOut, .delete])
        #expect(open(.named, hasServer: false).isEmpty)
    }

    @Test func everyKeyOfTheAccountIsAWord() {
        let keys =
            AccountStep.allCases.flatMap { [$0.titleKey, $0.doneKey] }
            + SignOutChoice.allCases.flatMap { [$0.titleKey, $0.hintKey] }
        for key in keys { #expect(words[key] != key) }
        let problems: [AccountProblem] = [
            .signInFailed, .createFailed, .nameMismatch, .notSent, .notDeleted, .deletionUnknown,
            .deletedThere, .other(StudyProblem(.offline)),
        ]
        #expect(Set(problems.map { $0.sentence(words) }).count == problems.count)
    }

    @Test func theExportIsAFileOfTheLearnerAlone() async throws {
        let device = try await StudyDevice()
        try await device.saveQuestion()
        let model = await AccountModel(device.services)
        let file = try #require(await model.exportFile())
        let folder = file.deletingLastPathComponent()
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        #expect(try String(contentsOf: file, encoding: .utf8).contains("lights"))
        AccountModel.remove(exported: file)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    // MARK: Exam dates

    @Test func aBookingSaysWhatIsOpen() {
        var booking = BookingsScreen.Booking(
            id: "r", exam: "int/rules", title: "Rules", date: "2026-12-12", status: .booked,
            isWaiting: true, isInConflict: false)
        let plain = BookingText(booking, now: now, sends: false, formats)
        #expect(plain.when == "12 December" && plain.status == nil && plain.waiting == nil)
        #expect(plain.conflict == nil && plain.moveName == "Move: Rules")
        (booking.status, booking.isInConflict) = (.cancelled, true)
        let waiting = BookingText(booking, now: now, sends: true, formats)
        #expect(waiting.status == "cancelled" && waiting.waiting == "Waiting to be sent")
        #expect(waiting.conflict == "Exam date: two versions")
        #expect(words[BookingDate.Refusal.past.key] != words[BookingDate.Refusal.unreadable.key])
    }

    @Test(arguments: ["UTC", "America/New_York", "Pacific/Kiritimati", "America/Sao_Paulo"])
    func aPickedDayIsTheEnteredDay(zone: String) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        // Clocks change at midnight of this day in São Paulo.
        for day in ["2026-12-12", "2018-11-04", "2026-03-08"] {
            var date = BookingDate(day: day, time: "")
            let shown = date[day: calendar, now: now]
            date[day: calendar, now: now] = shown
            #expect(date == BookingDate(day: day, time: ""))
            date.hasTime = true
            date[time: calendar, now: now] = date[time: calendar, now: now] + 3600
            #expect(date == BookingDate(day: day, time: "13:00"))
            date.hasTime = false
            #expect(date.time.isEmpty)
        }
    }

    @Test func aDayThatIsNoneIsShownAsToday() {
        let date = BookingDate(day: "", time: "")
        #expect(date[day: formats.calendar, now: now] == now)
        #expect(BookingDate(dayOf: now, calendar: formats.calendar).day == "2026-11-21")
    }

    // MARK: Updates and messages

    @Test func aChangedKeyIsSaidBeforeChangedWords() {
        var former = Question.sampleSingleChoice
        former.correct = [1]
        var present = Question.sampleSingleChoice
        present.stem = "Which colour is the light to port?"
        let subject = Subject(bank: StudyDevice.exam, title: "Harbour Master")
        let change = UpdatesScreen.Change(former, present, of: subject, isSeen: true)
        let screen = UpdatesScreen(
            now: now,
            content: ContentFreshness(source: .downloaded, release: 2, installedAt: now),
            isCompared: true, seen: [change].compactMap { $0 },
            others: [], othersCount: 4)
        let words = UpdatesText(screen, formats)
        let shown = words.groups.first?.changes.first
        #expect(words.groups.map(\.heading) == ["Questions you have seen"])
        #expect(shown?.tone == .care && shown?.was == "It was: Green" && shown?.isNow == "Now: Red")
        #expect(shown?.stem == nil && shown?.texts.first?.place == nil)
        #expect(shown?.texts.first?.runs.contains { $0.isRemoved } == true)
        #expect(words.more == "4 more questions changed." && words.empty == nil)
    }

    @Test func nothingToCompareIsNoChange() {
        var screen = UpdatesScreen(
            now: now, content: nil, isCompared: false, seen: [], others: [], othersCount: 0)
        #expect(UpdatesText(screen, formats).lead == "There is no content on this device yet.")
        screen.content = ContentFreshness(source: .bundled, release: 1, installedAt: now)
        #expect(UpdatesText(screen, formats).lead == "Showing the content that came with the app")
        #expect(
            UpdatesText(screen, formats).empty?.hasPrefix("There is nothing to compare") == true)
        screen.isCompared = true
        #expect(UpdatesText(screen, formats).empty == "The last update changed no question.")
    }

    @Test func aMessageSaysWhereItLeads() async throws {
        let device = try await StudyDevice()
        let services = StudyServices(
            content: device.device.store, userData: device.device.userData,
            announcements: AnnouncementCenter(
                content: device.device.store, userData: device.device.userData),
            clock: { now })
        try device.device.userData.addEarlierAnswer(now: now)
        let shown = await AnnouncementModel(services)
        await shown.load(languages: ["en"], isInSession: false)
        let message = try #require(await shown.current)
        let buttons = MessageText(message, words)
        #expect(buttons.place == "Opens example.org in your browser.")
        #expect(buttons.action != nil && buttons.later == "Not Now")
        var quiet = message
        quiet.target = nil
        let closed = MessageText(quiet, words)
        #expect(closed.place == nil && closed.action == nil && closed.later == "OK")
    }

    // MARK: Progress

    @Test func figuresAndFindingsAreThoseOfTheScreen() async throws {
        let fixture = try ProgressFixture()
        try await fixture.answer(1)
        try await fixture.answer(2, isCorrect: false)
        let screen = try #require(try await fixture.screen())
        let progress = ProgressText(screen, formats)
        #expect(
            progress.figures.map(\.name)
                == ["Due today", "Remembered", "Days in a row", "Questions seen"])
        #expect(progress.figures[3].number == formats.number(screen.figures.seen))
        #expect(progress.calendarFinding.hasPrefix("1 of the last"))
        #expect(progress.domainFinding.hasSuffix("needs most work") || screen.weakestDomain == nil)
        if case .tooFewAnswers = screen.forecast {
            #expect(progress.whatForecastNeeds?.hasPrefix("After 20 answers") == true)
        } else {
            #expect(progress.whatForecastNeeds == nil)
        }
    }
}
