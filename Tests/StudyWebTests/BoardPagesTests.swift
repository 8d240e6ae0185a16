import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel
@testable import StudyWeb

/// The pages of boards and live events, of a device in memory with a server in memory.
@Suite struct BoardPagesTests {
    private let scripted = ScriptedHost()
    private let network: TestNetwork
    private let device: TestDevice
    private let browser: StudyBrowser

    init() async throws {
        network = TestNetwork(scripted, try TestReleaseServer(.sample), TestSyncServer())
        device = try TestDevice(network: network)
        try await device.account.upgrade(email: "anne@example.org", password: "correct horse")
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let (clock, settings) = (device.clock, DeviceFile(initial: StudySettings()))
        let sync = DeviceStudySync(
            content: device.contentSync, store: device.userData, userData: device.userDataSync,
            clock: { clock.now })
        await sync.syncNow()
        let services = StudyServices(
            content: device.store, userData: device.userData, sync: sync,
            account: DeviceStudyAccount(device.userData, device.account, settings: settings),
            settings: settings, clock: { clock.now }, calendar: calendar)
        browser = try StudyBrowser(services, device.store, device.userData)
        scripted.reply(
            to: "/api/v1/boards", method: "GET",
            with: .json(
                """
                {"boards": [{"name": "harbour", "bank": "int/harbour", "timeZone": "UTC",
                             "periods": ["week", "all"]}]}
                """))
        scripted.reply(
            to: "/api/v1/boards/harbour/week",
            with: .json(
                """
                {"board": "harbour", "bank": "int/harbour", "period": "week",
                 "firstDay": "2027-01-11", "places": 9, "refreshedAt": 1799999940, "isFinal": false,
                 "top": [{"rank": 1, "score": 90, "name": "<b>Eve</b>", "reachedAt": 1799999000}],
                 "own": {"rank": 7, "score": 10, "reachedAt": 1799999000, "isOwn": true},
                 "neighbours": [{"rank": 7, "score": 10, "reachedAt": 1799999000, "isOwn": true}]}
                """))
        scripted.reply(
            to: "/api/v1/events", method: "GET",
            with: .json(
                """
                {"events": [{"name": "cup", "title": "Cup", "bank": "int/harbour",
                             "startsAt": 1799999000, "endsAt": 1800003000, "pointsMax": 100,
                             "submissionsMax": 5}]}
                """))
        scripted.reply(
            to: "/api/v1/events/cup", method: "GET",
            with: .json(
                """
                {"event": "cup", "state": "running", "isFinal": false, "places": 0,
                 "asOf": 1800000000, "isStale": false, "top": []}
                """))
    }

    @Test func theListLeadsToBoardsAndEvents() async throws {
        let page = try await browser.get("/boards")
        #expect(page.status == 200)
        #expect(page.body.contains("href=\"/boards/harbour\""))
        #expect(page.body.contains("href=\"/events/cup\"") && page.body.contains("Running now"))
    }

    @Test func namesOfOthersAreTextAndTheOwnRowIsMarked() async throws {
        let page = try await browser.get("/boards/harbour?period=week")
        #expect(page.status == 200)
        #expect(page.body.contains("&lt;b&gt;Eve&lt;/b&gt;") && !page.body.contains("<b>Eve"))
        #expect(page.body.contains("<tr class=\"own\"><td>7</td>"))
        #expect(page.body.contains("5 more") && page.body.contains("2 more"))
        #expect(try await browser.get("/boards/harbour?period=year").status == 404)
    }

    @Test func offlineThePageHasTheLastBoard() async throws {
        _ = try await browser.get("/boards/harbour")
        network.isOffline = true
        device.clock.advance(by: .seconds(7200))
        let page = try await browser.get("/boards/harbour")
        #expect(page.status == 200 && page.body.contains("You are offline. Last seen 2 hours ago."))
        #expect(page.body.contains("<tr class=\"own\"><td>7</td>"))
        #expect(try await browser.get("/boards").body.contains("A live event needs a connection."))
        let event = try await browser.get("/events/cup")
        #expect(event.body.contains("You are offline. A live event needs a connection."))
        #expect(!event.body.contains("Begin a round"))
    }

    @Test func aRoundThatIsNotConfirmedIsNotSaidToCount() async throws {
        #expect(try await browser.get("/events/cup").body.contains("Begin a round"))
        let id = try await SessionStart(browser.app.services).begin(
            .exam(region: "int", exam: "harbour"), .exam)
        #expect(try await browser.get("/events/cup").body.contains("href=\"/session/\(id)\""))
        let session = await SessionModel(browser.app.services, id: id)
        await session.finish()
        #expect(try await browser.get("/events/cup").body.contains("Send 0 points"))
        network.fail("/submissions", with: .offline)
        let failed = try await browser.post("/events/cup", [("round", id)])
        #expect(failed.status == 422 && failed.body.contains("The round is not confirmed."))
        network.heal()
        scripted.reply(
            to: "/submissions",
            with: .json(#"{"result": "counted", "score": 0, "rank": 1, "places": 1}"#))
        let sent = try await browser.post("/events/cup", [("round", id)])
        #expect(sent.status == 303 && sent.location == "/events/cup")
        let page = try await browser.get("/events/cup")
        #expect(page.body.contains("Counted: 0 points. You are in place 1 with 0 points."))
        #expect(page.body.contains("0 points counted") && !page.body.contains("Send 0 points"))
    }

    @Test func aNameIsSavedOnlyWhenTheServerTakesIt() async throws {
        scripted.reply(
            to: "/api/v1/profile", method: "GET",
            with: .json(#"{"isListed": true, "friendCode": "7Q2M4K9XWD"}"#))
        #expect(try await browser.get("/settings/boards").body.contains("Leave the boards"))
        scripted.reply(
            to: "/api/v1/profile", method: "PUT",
            with: TestReply(
                422, headers: ["content-type": "application/problem+json"],
                body: Array(#"{"status": 422, "code": "refused", "detail": "No."}"#.utf8)))
        let form = [("action", "save"), ("name", "Eve")]
        let refused = try await browser.post("/settings/boards", form)
        #expect(refused.status == 422 && refused.body.contains("This name cannot be used."))
        #expect(refused.body.contains("value=\"Eve\""))
        scripted.reply(
            to: "/api/v1/profile", method: "PUT",
            with: .json(#"{"name": "Eve", "isListed": true, "friendCode": "7Q2M4K9XWD"}"#))
        #expect(try await browser.post("/settings/boards", form).status == 303)
    }

    @Test func todayAsksNobody() async throws {
        network.forgetRequests()
        _ = try await browser.get("/")
        #expect(network.requests.isEmpty)
    }
}
