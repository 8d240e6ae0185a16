import Foundation
import HTTPTypes
import StudyModel
import Testing
import Underway
import UnderwayTesting

@testable import StudyWeb

@Suite(.timeLimit(.minutes(1))) struct SyncPagesTests {
    @Test func checkNowAnswersAtOnceAndTheLineSaysSo() async throws {
        let synced = try await SyncedBrowser()
        let browser = synced.browser
        try await synced.working {
            let gate = synced.network.holdRequests()
            synced.network.forgetRequests()
            let reply = try await browser.post(
                "/sync", [], [.referer: StudyBrowser.origin + "/library?q=a"])
            #expect(reply.status == 303 && reply.location == "/library?q=a")
            #expect(try await browser.get("/").body.contains("Checking for new content"))
            await gate.arrival()
            let line = try await browser.get("/freshness").body
            #expect(line.contains("data-renews=\"/freshness\"") && !line.contains("<html"))
            _ = try await browser.post("/sync", [])
            gate.open()
            await synced.ended(SyncPages.workName)
            #expect(synced.network.requests(for: "manifest.json").count == 1)
            let page = try await browser.get("/").body
            #expect(page.contains("action=\"/sync\"") && !page.contains("Checking for"))
            #expect(page.contains("Up to date. Checked just now."))
        }
    }

    @Test(arguments: [
        StudyBrowser.origin + "//evil.example/", "http://evil.example/",
        "https://\(StudyBrowser.host)/x",
        "http://127.0.0.1:8001/x", StudyBrowser.origin, "http://127.0.0.1:8000/x",
        "javascript:alert(1)", "",
        StudyBrowser.origin + "@evil.example:8000/x",
    ])
    func theWayBackStaysInTheApp(referer: String) async throws {
        let browser = try StudyBrowser([])
        #expect(try await browser.post("/sync", [], [.referer: referer]).location == "/")
    }

    @Test func theLogSaysHowEachSyncEnded() async throws {
        let synced = try await SyncedBrowser()
        synced.network.isOffline = true
        try await synced.working {
            _ = try await synced.browser.post("/sync", [])
            await synced.ended(SyncPages.workName)
        }

        let page = try await synced.browser.get("/settings/log").body

        #expect(page.contains("New content was fetched"))
        #expect(page.contains("There was no connection."))
        #expect(page.contains("Codes: offline"))
        #expect(page.contains("class=\"icon is-right\""))
        #expect(page.contains("href=\"/settings\"><svg class=\"icon turns\""))
    }

    @Test func shuttingDownEndsTheWork() async throws {
        let work = BackgroundWork()
        let (beginnings, begin) = AsyncStream<Void>.makeStream()
        await withTaskGroup { group in
            group.addTask { try? await work.run() }
            work.start("wait") {
                begin.finish()
                for await _ in AsyncStream<Void>.makeStream().stream {}
            }
            for await _ in beginnings {}
            #expect(work.isRunning("wait"))
            group.cancelAll()
        }
        #expect(!work.isRunning("wait"))
    }

    /// "Everything is in sync" is said only of what the server has.
    @Test func whatWaitsForTheServerIsNotInSync() async throws {
        let synced = try await SyncedBrowser()
        #expect(try await synced.browser.get("/inbox").body.contains("Everything is in sync"))
        try synced.device.userData.put(
            Favourite(bank: "int/harbour"), id: "q1", now: synced.device.clock.now)
        let waiting = try await synced.browser.get("/inbox").body
        #expect(!waiting.contains("Everything is in sync"))
        #expect(waiting.contains("1 change is not sent yet"))
        await synced.browser.app.services.sync?.syncNow()
        #expect(try await synced.browser.get("/inbox").body.contains("Everything is in sync"))
    }
}
