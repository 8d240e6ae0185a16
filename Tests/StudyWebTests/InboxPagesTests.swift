import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel
@testable import StudyWeb

/// The inbox and its conflicts through the pages of a tablet, whose learner has a phone too.
@Suite struct InboxPagesTests {
    private static let path = "/inbox/conflicts/reservations%2Fint%2Frules"

    private struct Pair {
        let server = TestSyncServer()
        let phone: TestDevice
        let tablet: TestDevice
        let browser: StudyBrowser

        init() async throws {
            let clock = TestClock()
            let (email, password) = ("anne@example.org", "correct horse")
            server.addAccount(email: email, password: password)
            phone = try TestDevice(network: server, clock: clock)
            tablet = try TestDevice(network: server, clock: clock)
            for device in [phone, tablet] {
                try await device.account.signIn(
                    email: email, password: password, bringing: .nothing)
            }
            browser = try StudyBrowser(
                content: tablet.store, userData: tablet.userData, clock: { clock.now })
        }

        func put(
            _ date: ExamDate, on device: TestDevice, id: String = "int/rules"
        ) async throws {
            device.clock.advance(by: .seconds(60))
            try device.userData.put(
                Reservation(exam: "int/rules", date: date, status: .booked), id: id,
                now: device.clock.now)
        }

        func sync() async {
            for device in [phone, tablet] { _ = await device.userDataSync.sync() }
        }

        /// Lets both devices book another day.
        func disagree(id: String = "int/rules") async throws {
            try await put("2027-02-19", on: phone, id: id)
            try await put("2027-02-12", on: tablet, id: id)
            await sync()
        }

        func dates() -> [ExamDate] { server.records(Reservation.self).map(\.value.date) }
    }

    /// Returns the tag of the versions that a page shows.
    private static func tag(_ page: String) throws -> String {
        try String(#require(page.firstMatch(of: #/name="shown" value="([^"]+)"/#)).1)
    }

    @Test func anEmptyInboxSaysSo() async throws {
        let page = try await StudyBrowser([]).get("/inbox")
        #expect(page.status == 200 && page.body.contains("Nothing waits for you"))
    }

    @Test func aConflictIsListedAndDecidedOnce() async throws {
        let pair = try await Pair()
        try await pair.disagree()
        let inbox = try await pair.browser.get("/inbox").body
        #expect(inbox.contains("href=\"\(Self.path)\""))
        #expect(inbox.contains("Exam date: two versions") && inbox.contains("1 waits for you"))
        let page = try await pair.browser.get(Self.path).body
        #expect(page.contains("Keep Mine: 12 February") && page.contains("Use Server: 19 February"))

        let reply = try await pair.browser.post(
            Self.path, [("decision", "mine"), ("shown", try Self.tag(page))])
        #expect(reply.status == 303 && reply.location == "/inbox")
        #expect(try await pair.browser.get("/inbox").body.contains("Kept yours."))
        await pair.sync()
        #expect(pair.dates() == ["2027-02-12"])
        let again = try await pair.browser.get(Self.path).body
        #expect(again.contains("There is nothing left to decide here."))
        #expect(!again.contains("another device"))
    }

    @Test func theServersChangeMeanwhileIsSaidAndNothingIsDone() async throws {
        let pair = try await Pair()
        try await pair.disagree()
        let tag = try Self.tag(try await pair.browser.get(Self.path).body)
        try await pair.put("2027-02-26", on: pair.phone)
        await pair.sync()
        let reply = try await pair.browser.post(
            Self.path, [("decision", "mine"), ("shown", tag)])
        #expect(reply.status == 409)
        #expect(reply.body.contains("Please look again."))
        #expect(reply.body.contains("26 February"))
        #expect(pair.dates() == ["2027-02-26"])
    }

    @Test func aConflictThatWasDecidedElsewhereIsSaid() async throws {
        let pair = try await Pair()
        try await pair.disagree()
        let tag = try Self.tag(try await pair.browser.get(Self.path).body)
        try pair.tablet.userData.resolve(
            RecordKey("reservations", "int/rules"), .useServer, shown: tag,
            now: pair.tablet.clock.now)
        let reply = try await pair.browser.post(
            Self.path, [("decision", "mine"), ("shown", tag)])
        #expect(reply.body.contains("This was decided on another device."))
    }

    @Test func bothAreEditedIntoOne() async throws {
        let pair = try await Pair()
        try await pair.disagree()
        let form = try await pair.browser.get("\(Self.path)?edit=1").body
        #expect(form.contains("name=\"day:date\" value=\"2027-02-12\""))
        #expect(form.contains("Server: 19 February"))
        let fields = [
            ("decision", "edit"), ("shown", try Self.tag(form)), ("field:status", "planned"),
        ]
        let wrong = try await pair.browser.post(
            Self.path, fields + [("day:date", "2027-02-31"), ("time:date", "09:30")])
        #expect(wrong.status == 422 && wrong.body.contains("This value does not fit here."))
        #expect(
            wrong.body.contains("value=\"2027-02-31\"") && wrong.body.contains("value=\"09:30\""))
        let saved = try await pair.browser.post(
            Self.path, fields + [("day:date", "2027-03-01"), ("time:date", "09:30")])
        #expect(saved.location == "/inbox")
        await pair.sync()
        #expect(pair.dates() == ["2027-03-01T09:30:00Z"])
    }

    @Test func textsOfRecordsAreNoMarkup() async throws {
        let pair = try await Pair()
        let evil = "<script>alert(1)</script>"
        for (device, bank) in [(pair.phone, evil), (pair.tablet, "\"'><b>x</b>")] {
            device.clock.advance(by: .seconds(60))
            try device.userData.put(
                Reservation(exam: bank, date: "2027-02-12"), id: "int/rules",
                now: device.clock.now)
        }
        await pair.sync()
        for path in ["/inbox", Self.path, "\(Self.path)?edit=1", "/bookings"] {
            let page = try await pair.browser.get(path)
            #expect(page.status == 200)
            #expect(!page.body.contains("<script>alert") && !page.body.contains("<b>x"), "\(path)")
            #expect(page.body.contains("&lt;b&gt;x"), "\(path)")
        }
    }

    /// Another app of the account may have made a record with each id that the server takes.
    @Test(arguments: [
        "../../../account/delete", "..", ".", "/lead", "a//b/", "x/./y", "~@+:._-",
    ])
    func aConflictOfEachIDOpensAndEnds(id: String) async throws {
        let pair = try await Pair()
        try await pair.disagree(id: id)
        let inbox = try await pair.browser.get("/inbox").body
        let link = try String(#require(inbox.firstMatch(of: #/href="(/inbox/conflicts/[^"]+)"/#)).1)
        #expect(!link.contains("..") && link.split(separator: "/").count == 3)

        let page = try await pair.browser.get(link)
        #expect(page.status == 200)
        let ended = try await pair.browser.post(
            link, [("decision", "server"), ("shown", Self.tag(page.body))])

        #expect(ended.location == "/inbox")
        #expect(try await !pair.browser.get("/inbox").body.contains("/inbox/conflicts/"))
    }

    @Test func otherPathsAndOperationsAreNotFound() async throws {
        let browser = try StudyBrowser([])
        #expect(try await browser.get("/inbox/conflicts/reservations").status == 404)
        #expect(try await browser.post("/inbox/again", [("client", "x")]).status == 404)
        let gone = try await browser.post("/inbox/dismiss", [("client", "x"), ("counter", "1")])
        #expect(gone.location == "/inbox")
    }
}
