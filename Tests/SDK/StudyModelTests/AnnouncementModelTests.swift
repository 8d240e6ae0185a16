import Foundation
import TestSupport
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

@Suite struct AnnouncementModelTests {
    private let device: TestDevice
    private let services: StudyServices

    init() throws {
        let device = try TestDevice.preview()
        try device.userData.addEarlierAnswer(now: device.clock.now)
        self.device = device
        services = StudyServices(
            content: device.store, userData: device.userData,
            announcements: AnnouncementCenter(content: device.store, userData: device.userData),
            clock: { device.clock.now })
    }

    private func current(
        _ model: AnnouncementModel? = nil, isInSession: Bool = false
    ) async throws -> MessageScreen? {
        let model = if let model { model } else { await AnnouncementModel(services) }
        await model.load(languages: ["de"], isInSession: isInSession)
        if let problem = await model.problem { throw problem }
        return await model.current
    }

    @Test func aMessageIsShownUntilItWasRead() async throws {
        let shown = try #require(try await current())
        #expect(shown.announcement.text.title == "Neue Karten")
        #expect(shown.buttonTitle == "Weiterlesen" && !shown.isSeen)
        #expect(try await current()?.id == shown.id)
        let model = await AnnouncementModel(services)
        await model.markSeen(shown.id, languages: ["de"])
        #expect(await model.problem == nil)
        #expect(try await current() == nil)
        await model.open(shown.id, languages: ["en"])
        #expect(await model.opened?.isSeen == true)
        #expect(await model.opened?.announcement.text.title == "New charts")
    }

    @Test func nothingIsShownBeforeTheFirstAnswer() async throws {
        let new = try TestDevice.preview()
        let model = await AnnouncementModel(
            StudyServices(
                content: new.store, userData: new.userData,
                announcements: AnnouncementCenter(content: new.store, userData: new.userData),
                clock: { new.clock.now }))
        #expect(try await current(model) == nil)
        try new.userData.addEarlierAnswer(now: new.clock.now)
        #expect(try await current(model) != nil)
    }

    @Test func nothingIsShownInASessionOrRightAfterIt() async throws {
        #expect(try await current(isInSession: true) == nil)
        var random = SystemRandomNumberGenerator()
        var session = StudySession(
            id: "s", mode: .study, entries: [], now: device.clock.now, using: &random)
        session.finish(now: device.clock.now)
        let bank = QuestionFilter.Bank.exam(region: "int", exam: "harbour")
        try device.userData.save(session, of: bank, now: device.clock.now)
        #expect(try await current() == nil)
        device.clock.advance(by: .seconds(AnnouncementModel.quietSeconds - 1))
        #expect(try await current() == nil)
        device.clock.advance(by: .seconds(1))
        #expect(try await current() != nil)
    }

    @Test func oneStartShowsOneMessage() async throws {
        var content = ReleaseContent.sample
        content.announcements.append(
            Announcement(
                identifier: 2, type: .information,
                texts: ["en": AnnouncementText(title: "Second", content: "Words")]))
        let other = try TestDevice.preview(content)
        try other.userData.addEarlierAnswer(now: other.clock.now)
        let services = StudyServices(
            content: other.store, userData: other.userData,
            announcements: AnnouncementCenter(content: other.store, userData: other.userData),
            clock: { other.clock.now })
        let model = await AnnouncementModel(services)
        #expect(try await current(model)?.id == 2)
        await model.markSeen(2, languages: ["en"])
        #expect(try await current(model) == nil)
        #expect(try await current(AnnouncementModel(services))?.id == 1)
    }

    @Test func aMessageOfAnotherNumberIsNotOpened() async throws {
        let model = await AnnouncementModel(services)
        await model.open(7, languages: ["en"])
        #expect(await model.opened == nil)
        await model.markSeen(7, languages: ["en"])
        #expect(try await current()?.id == 1)
    }

    @Test(arguments: [
        "https://example.org/news?a=b#c", "HTTPS://example.org/news",
    ])
    func aPageNamesItsHost(address: String) {
        guard case .page(let url, let host) = MessageScreen.Target(.open(address)) else {
            Issue.record("\(address) is no target")
            return
        }
        #expect(host == "example.org" && url.absoluteString == address)
        #expect(MessageScreen.Target(.update(address))?.url == url)
    }

    @Test(arguments: ["anne@example.org", "mailto:anne@example.org?subject=Hello"])
    func aMailNamesItsAddress(link: String) {
        guard case .mail(let url, let address) = MessageScreen.Target(.mail(link)) else {
            Issue.record("\(link) is no target")
            return
        }
        #expect(address == "anne@example.org" && url.scheme == "mailto")
    }

    @Test(arguments: [
        "http://example.org", "javascript:alert(1)", "data:text/html,x", "//example.org", "/today",
        "", "https://", "https:///path", "https://user@example.org", "https://a:b@example.org",
        "https://example.org/\r\nSet-Cookie: a=b", "file:///etc/passwd", "mailto:anne@example.org",
        "\u{0}https://example.org",
    ])
    func otherAddressesLeadNowhere(address: String) {
        #expect(MessageScreen.Target(.open(address)) == nil)
        #expect(MessageScreen.Target(.update(address)) == nil)
    }

    @Test(arguments: ["https://example.org", "", "anne", "a@b@c", "@", "a b@example.org"])
    func otherMailsLeadNowhere(address: String) {
        #expect(MessageScreen.Target(.mail(address)) == nil)
    }
}
