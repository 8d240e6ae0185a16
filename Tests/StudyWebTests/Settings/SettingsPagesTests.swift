import Foundation
import StudyModel
import Testing
import Underway
import UnderwayTesting

@testable import StudyWeb

@Suite(.timeLimit(.minutes(1))) struct SettingsPagesTests {
    @Test func choicesChangeAllPagesAtOnce() async throws {
        let browser = try StudyBrowser([StudyPagesTests.exam()])
        #expect(try await browser.get("/settings").body.contains("data-keys=\"\""))

        let reply = try await browser.post(
            "/settings", [("theme", "dark"), ("language", "de"), ("rates", "on")])

        #expect(reply.status == 303 && reply.location == "/settings")
        let page = try await browser.get("/settings").body
        #expect(page.contains("<html lang=\"de\" dir=\"ltr\" class=\"dark\" data-keys=\"off\""))
        #expect(page.contains("<h1>Einstellungen</h1>"))
        #expect(page.contains("data-toast"))
        let settings = await browser.app.services.settings.value
        #expect(settings.ratesAnswers && !settings.usesKeys)
    }

    @Test(arguments: [
        [("theme", "pink"), ("language", "")], [("theme", "dark"), ("language", "xx")],
        [("theme", "dark")], [],
    ])
    func aChoiceThatDoesNotExistChangesNothing(form: [(String, String)]) async throws {
        let browser = try StudyBrowser([])
        #expect(try await browser.post("/settings", form).status == 400)
        #expect(await browser.app.services.settings.value == StudySettings())
    }

    @Test func audioIsFetchedInTheBackgroundAndRemovedAgain() async throws {
        let synced = try await SyncedBrowser()
        let browser = synced.browser
        #expect(try await browser.get("/library/en").body.contains("Get audio"))
        #expect(try await browser.get("/media/en/ahoy.mp3").status == 404)
        try await synced.working {
            let gate = synced.network.holdRequests()
            #expect(try await browser.post("/library/en/files", []).location == "/library/en")
            await gate.arrival()
            let page = try await browser.get("/library/en").body
            #expect(page.contains("Getting audio, 0 bytes of 10 bytes"))
            #expect(page.contains("value=\"cancel\"") && !page.contains(">Get audio<"))
            gate.open()
            await synced.ended("files en")
        }
        #expect(try await browser.get("/library/en").body.contains("On this device, 10 bytes"))
        #expect(try await browser.get("/media/en/ahoy.mp3").body == "0123456789")
        #expect(try await browser.get("/settings").body.contains("Audio, 10 bytes"))

        #expect(try await browser.post("/settings/files", [("bank", "en")]).status == 303)

        let page = try await browser.get("/settings").body
        #expect(page.contains("The audio of English is removed. The questions stay."))
        #expect(try await browser.get("/media/en/ahoy.mp3").status == 404)
    }

    @Test func aCancelledOrFailedFetchCanBeTriedAgain() async throws {
        let synced = try await SyncedBrowser()
        let browser = synced.browser
        try await synced.working {
            let gate = synced.network.holdRequests()
            _ = try await browser.post("/library/en/files", [])
            await gate.arrival()
            _ = try await browser.post("/library/en/files", [("step", "cancel")])
            await synced.ended("files en")
            #expect(try await browser.get("/library/en").body.contains(">Get audio<"))
            synced.network.heal()
            synced.network.isOffline = true
            _ = try await browser.post("/library/en/files", [])
            await synced.ended("files en")
        }
        let page = try await browser.get("/library/en").body
        #expect(page.contains("Audio could not be fetched. Questions work without it."))
        #expect(page.contains(">Try again<"))
    }

    @Test func aSubjectWithoutFilesHasNoneToFetch() async throws {
        let synced = try await SyncedBrowser()
        for path in ["/library/xx/files", "/library/int/none/files", "/library/../files"] {
            #expect(try await synced.browser.post(path, []).status == 404)
        }
    }

    @Test func removedQuestionsCanBeBroughtBack() async throws {
        let browser = try StudyBrowser([StudyPagesTests.exam()])
        try browser.userData.put(
            Favourite(bank: "int/sums", note: "a b\r\n&"), id: "q2", now: Date())
        #expect(try await browser.get("/favourites").body.contains("<code dir=\"ltr\">2</code>"))

        #expect(try await browser.post("/favourites", [("remove", "q2")]).status == 303)
        let page = try await browser.get("/favourites").body
        #expect(page.contains("No saved questions yet."))
        let match = try #require(page.firstMatch(of: /name="undo" value="([^"]*)"/))
        _ = try await browser.post("/favourites", [("undo", String(match.1))])

        let favourite = try browser.userData.record(Favourite.self, id: "q2")
        #expect(favourite == Favourite(bank: "int/sums", note: "a b\r\n&"))
        let study = try await browser.post("/favourites/study", [("bank", "int/sums")])
        #expect(study.location?.hasPrefix("/session/") == true)
        #expect(try await browser.post("/favourites", [("undo", "x")]).status == 400)
    }
}
