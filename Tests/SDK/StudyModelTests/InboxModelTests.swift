import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

@Suite struct InboxModelTests {
    /// What the app writes when it has shown an announcement.
    private struct Seen: CollectionRecord {
        static var collection: CollectionDeclaration {
            CollectionRules.seenAnnouncements.declaration
        }

        var at: Date
    }

    private func screen(_ services: StudyServices) async throws -> InboxScreen {
        let model = await InboxModel(services)
        await model.load(languages: ["en"])
        if let problem = await model.problem { throw problem }
        return try #require(await model.screen)
    }

    @Test func anInboxWithoutEntriesIsInSync() async throws {
        let screen = try await screen(TwoDevices().services)
        #expect(screen.isInSync && screen.messages.isEmpty && screen.waitingCount == 0)
    }

    @Test func twoDatesOfAnExamWaitForADecision() async throws {
        let devices = try await TwoDevices()
        try await devices.disagree(
            Reservation(exam: "int/rules", date: "2027-02-12"),
            Reservation(exam: "int/rules", date: "2027-02-19"), id: "int/rules")
        let screen = try await screen(devices.services)
        #expect(screen.choices.map(\.key) == [RecordKey("reservations", "int/rules")])
        // The tablet does not have the exam: its name stands for its title.
        #expect(screen.choices.map(\.topic) == [.examDate(exam: "int/rules")])
        #expect(screen.waitingCount == 1 && !screen.isInSync)
    }

    @Test func aRefusedChangeIsSentAgainOrDismissed() async throws {
        let devices = try await TwoDevices(knowsGoals: false)
        let goal = TwoDevices.Goal(title: nil, minutes: 20, isLoud: true, days: [])
        try devices.tablet.userData.put(goal, id: "g", now: devices.now)
        await devices.sync(devices.tablet)
        let refused = try #require(try await screen(devices.services).refused.first)
        #expect(refused.reason == .unknownCollection)
        #expect(refused.topic == .other(collection: "goals", id: "g"))

        let model = await InboxModel(devices.services)
        await model.sendAgain(refused.id)
        #expect(try devices.tablet.userData.outbox().count == 1)
        await devices.sync(devices.tablet)
        let again = try #require(try await screen(devices.services).refused.first)
        await model.dismiss(again.id)
        #expect(try await screen(devices.services).isInSync)
        await model.sendAgain(again.id)
        #expect(await model.problem == nil)
        #expect(try devices.tablet.userData.outbox().isEmpty)
    }

    @Test func aReplacedWriteIsANoticeUntilItIsDismissed() async throws {
        let devices = try await TwoDevices()
        // The tablet writes first and syncs last: the phone's write is the later one.
        try devices.tablet.userData.put(
            Favourite(bank: "int/rules", note: "mine"), id: "q1", now: devices.now)
        try devices.phone.userData.put(
            Favourite(bank: "int/rules", note: "theirs"), id: "q1", now: devices.now + 60)
        await devices.sync(devices.phone, devices.tablet)
        let notice = try #require(try await screen(devices.services).replaced.first)
        #expect(notice.topic == .favourite(question: "q1"))
        #expect(try await screen(devices.services).waitingCount == 0)
        await InboxModel(devices.services).dismiss(notice.id)
        #expect(try await screen(devices.services).isInSync)
    }

    /// Only the number was changed on both devices: the notice has its two values, without a name.
    @Test func aLostFieldIsANoticeWithBothValues() async throws {
        let devices = try await TwoDevices()
        try devices.phone.userData.put(
            TwoDevices.Plan(words: 5, city: "Bonn"), id: "me", now: devices.now)
        await devices.sync(devices.phone, devices.tablet)
        try devices.tablet.userData.put(
            TwoDevices.Plan(words: 17, city: "Bonn"), id: "me", now: devices.now)
        try devices.phone.userData.put(
            TwoDevices.Plan(words: 12, city: "Ulm"), id: "me", now: devices.now + 60)
        await devices.sync(devices.tablet, devices.phone, devices.tablet)
        let screen = try await screen(devices.services)
        let words = InboxText(
            screen, StudyFormats(words: StudyText(language: "en"), calendar: .current))
        #expect(words.replaced.map(\.details) == ["Mine: 17 · Server: 12"])
        #expect(words.replaced.map(\.heading) == ["Another entry: a later change replaced yours"])
        #expect(try devices.phone.userData.notices().isEmpty)
        // To use the own value after all is a new change of the field.
        try devices.tablet.userData.put(
            TwoDevices.Plan(words: 17, city: "Ulm"), id: "me", now: devices.now)
        await devices.sync(devices.tablet, devices.phone)
        let plan = try devices.phone.userData.record(TwoDevices.Plan.self, id: "me")
        #expect(plan == TwoDevices.Plan(words: 17, city: "Ulm"))
        #expect(try devices.phone.userData.notices().isEmpty)
    }

    /// The learner looked at an announcement on two devices, and chose nothing.
    @Test func whatTheAppWroteByItselfIsNoNotice() async throws {
        let devices = try await TwoDevices()
        for device in [devices.tablet, devices.phone] {
            let later: Double = device === devices.tablet ? 0 : 60
            try device.userData.put(
                Seen(at: devices.now + later), id: "7", now: devices.now + later)
        }
        await devices.sync(devices.phone, devices.tablet)
        #expect(try devices.tablet.userData.notices().count == 1)
        let screen = try await screen(devices.services)
        #expect(screen.replaced.isEmpty && screen.isInSync)
    }

    @Test func aMessageIsListedWhenItIsDueAndAfterItWasShown() async throws {
        let device = try TestDevice.preview()
        let services = StudyServices(
            content: device.store, userData: device.userData,
            announcements: AnnouncementCenter(content: device.store, userData: device.userData),
            clock: { device.clock.now })
        #expect(try await screen(services).messages.map(\.seenAt) == [nil])
        await AnnouncementModel(services).markSeen(1, languages: ["de"])
        let messages = try await screen(services).messages
        #expect(messages.map(\.title) == ["New charts"])
        #expect(messages.map(\.seenAt) == [device.clock.now])
    }

    @Test func aFavouriteIsNamedByItsQuestion() async throws {
        let fixture = try ProgressFixture()
        let topics = TopicLoader(fixture.content)
        let favourite = await topics.topic(
            of: RecordKey("favourites", "q2"), ["bank": .text("int/rules")])
        #expect(favourite == .favourite(question: "Question 2?"))
        let date = await topics.topic(
            of: RecordKey("reservations", "a"), ["exam": .text("int/rules")])
        #expect(date == .examDate(exam: "Rules of int/rules"))
    }
}
