import Foundation
import HTTPTypes
import TestSupport
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel
@testable import StudyWeb

/// Exam dates, announcements and changes through the pages.
@Suite struct BookingsPagesTests {
    // The clock stands at 2027-01-15 08:00 UTC.
    private func browser() throws -> StudyBrowser {
        try StudyBrowser([StudyPagesTests.exam()], clock: { TestClock().now })
    }

    private func change(
        _ browser: StudyBrowser, _ action: String, _ day: String = "", _ time: String = ""
    ) async throws -> StudyBrowser.Reply {
        try await browser.post(
            "/bookings",
            [("action", action), ("exam", "int/sums"), ("day", day), ("time", time)])
    }

    @Test func aDateIsBookedMovedCancelledAndBroughtBack() async throws {
        let browser = try browser()
        let empty = try await browser.get("/bookings").body
        #expect(empty.contains("No exam date is booked."))
        #expect(try await change(browser, "book", "2027-02-12", "09:30").location == "/bookings")
        let booked = try await browser.get("/bookings").body
        #expect(booked.contains("Exam on 12 February, 09:30 is booked."))
        // A device without a server has nothing to send.
        #expect(!booked.contains("Waiting to be sent"))
        _ = try await change(browser, "move", "2027-02-19")
        _ = try await browser.get("/bookings")
        _ = try await change(browser, "cancel")
        let cancelled = try await browser.get("/bookings").body
        #expect(cancelled.contains("The date of 19 February is cancelled."))
        let undo = try #require(cancelled.firstMatch(of: #/name="undo" value="([^"]+)"/#)).1
        let back = try await browser.post("/bookings", [("undo", String(undo))])
        #expect(back.location == "/bookings")
        let stored = try browser.userData.record(Reservation.self, id: "int/sums")
        #expect(stored?.date == "2027-02-19" && stored?.status == .booked)
    }

    @Test func aRefusedDateKeepsWhatWasTyped() async throws {
        let browser = try browser()
        let past = try await change(browser, "book", "2027-01-14", "09:30")
        #expect(past.status == 422 && past.body.contains("This date is past."))
        #expect(past.body.contains("value=\"2027-01-14\"") && past.body.contains("value=\"09:30\""))
        let none = try await change(browser, "book", "\"><script>")
        #expect(none.status == 422 && none.body.contains("Choose a date and a time."))
        #expect(!none.body.contains("<script>alert") && !none.body.contains("\"><script>"))
        #expect(try browser.userData.records(Reservation.self).isEmpty)
        #expect(try await browser.post("/bookings", [("undo", "x y z")]).status == 404)
        #expect(try await browser.post("/bookings", []).status == 409)
    }

    @Test func anAnnouncementIsASheetOnTodayUntilItIsReadOrPutOff() async throws {
        let device = try TestDevice.preview()
        try device.userData.addEarlierAnswer(now: device.clock.now)
        let browser = try StudyBrowser(
            content: device.store, userData: device.userData, clock: { device.clock.now })
        let today = try await browser.get("/").body
        #expect(today.contains("<dialog class=\"sheet\"") && today.contains("New charts"))
        #expect(today.contains("Opens example.org in your browser."))
        #expect(today.contains("href=\"/inbox/messages/1\""))
        let fromSession = try await browser.get(
            "/", [.referer: StudyBrowser.origin + "/session/s1/2"])
        #expect(!fromSession.body.contains("<dialog class=\"sheet\""))
        let page = try await browser.get("/inbox/messages/1").body
        #expect(page.contains("<h1 lang=\"en\" dir=\"auto\">New charts</h1>"))

        #expect(try await browser.post("/inbox/messages/1", []).location == "/")
        #expect(try await !browser.get("/").body.contains("<dialog class=\"sheet\""))
        #expect(try await browser.get("/inbox").body.contains("15 January · read"))
        let open = try await browser.get("/inbox/messages/1/open")
        #expect(open.location == "https://example.org/news")
        #expect(try await browser.get("/inbox/messages/2").status == 404)
        #expect(try await browser.get("/inbox/messages/x").status == 404)
    }

    @Test func anAnnouncementLeadsToNoOtherKindOfAddress() async throws {
        var content = ReleaseContent.sample
        content.announcements[0].texts["en"]?.title = "<b>New</b>"
        let device = try TestDevice.preview(content)
        try device.userData.addEarlierAnswer(now: device.clock.now)
        let browser = try StudyBrowser(
            content: device.store, userData: device.userData, clock: { device.clock.now })
        let today = try await browser.get("/").body
        #expect(today.contains("&lt;b&gt;New&lt;/b&gt;") && !today.contains("<b>New"))
        let message = MessageScreen(
            ShownAnnouncement(
                identifier: 1, type: .website,
                text: AnnouncementText(title: "x", content: "y"), language: "en",
                action: .open("javascript:alert(1)")), isSeen: false)
        let view = AnnouncementView(message, StudyText(language: "en"))
        #expect(view.link == nil && view.place == nil)
    }

    @Test func aPictureIsShownIfItIsOne() async throws {
        for (bytes, type) in [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1], "image/png"),
            (Array("<svg onload='alert(1)'>".utf8), nil),
        ] as [([UInt8], String?)] {
            var content = ReleaseContent.sample
            content.assets["boat.png"] = .init(bytes)
            content.announcements[0].image = "boat.png"
            content.announcements[0].texts["en"]?.imageLabel = "A boat"
            let device = try TestDevice.preview(content)
            try device.userData.addEarlierAnswer(now: device.clock.now)
            let browser = try StudyBrowser(
                content: device.store, userData: device.userData, clock: { device.clock.now })
            let today = try await browser.get("/").body
            #expect(today.contains("alt=\"A boat\"") == (type != nil))
            let picture = try await browser.get("/inbox/messages/1/picture")
            #expect(picture.status == (type == nil ? 404 : 200))
            if let type { #expect(picture.headers[.contentType] == type) }
        }
    }

    @Test func anUpdateIsShownByQuestionAndWord() async throws {
        let server = try TestReleaseServer(ReleaseContent(blueprints: [StudyPagesTests.exam()]))
        let device = try TestDevice(network: server)
        await device.contentSync.sync()
        let browser = try StudyBrowser(
            content: device.store, userData: device.userData, clock: { device.clock.now })
        let before = try await browser.get("/updates").body
        #expect(before.contains("There is nothing to compare yet."))
        try server.publish {
            $0[blueprint: "int/sums"]?.questions[0].stem = "How much is `1` + 1?"
            $0[blueprint: "int/sums"]?.questions[1].correct = [1]
        }
        await device.contentSync.sync(force: true)
        let page = try await browser.get("/updates").body
        #expect(page.contains("<del>") && page.contains("<ins>"))
        #expect(page.contains("<p><span lang=\"\" dir=\"auto\"><del>"))
        #expect(page.contains("The right answer changed"))
        #expect(page.contains("Now: &lt;b&gt;never&lt;/b&gt;") && !page.contains("<b>never"))
    }
}
