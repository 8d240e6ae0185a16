import Foundation
import HTTPTypes
import StudyModel
import Testing
import Underway
import UnderwayTesting

@testable import StudyWeb

@Suite(.timeLimit(.minutes(1))) struct AccountPagesTests {
    private let typed = [("email", SyncedBrowser.email), ("password", SyncedBrowser.password)]

    private func signedIn() async throws -> SyncedBrowser {
        let synced = try await SyncedBrowser()
        #expect(try await synced.browser.post("/account/create", typed).location == "/account")
        return synced
    }

    @Test func aFailedSignInKeepsTheEmailAndNeverThePassword() async throws {
        let synced = try await SyncedBrowser()
        synced.users.addAccount(email: SyncedBrowser.email, password: "another horse")
        var pages: [String] = []
        for email in [SyncedBrowser.email, "bea@example.org\"><script>"] {
            let reply = try await synced.browser.post(
                "/account/sign-in", [("email", email), ("password", SyncedBrowser.password)])
            #expect(reply.status == 422)
            #expect(!reply.body.contains(SyncedBrowser.password))
            #expect(!reply.body.contains("\"><script>"))
            pages.append(reply.body)
        }
        #expect(pages[0].contains("value=\"\(SyncedBrowser.email)\""))
        #expect(pages.allSatisfy { $0.contains("Name and password do not match") })
    }

    @Test func signingInAsksWhatHappensToTheDataOfTheDevice() async throws {
        let synced = try await SyncedBrowser()
        synced.users.addAccount(email: SyncedBrowser.email, password: SyncedBrowser.password)
        #expect(!(try await synced.browser.get("/account/sign-in").body.contains("name=\"bring\"")))
        try synced.device.userData.put(
            Favourite(bank: "int/harbour"), id: "lights", now: synced.device.clock.now)
        #expect(try await synced.browser.get("/account/sign-in").body.contains("name=\"bring\""))

        let unanswered = try await synced.browser.post("/account/sign-in", typed)
        let answered = try await synced.browser.post(
            "/account/sign-in", typed + [("bring", "everything")])

        #expect(unanswered.status == 422)
        #expect(unanswered.body.contains("Choose what happens"))
        #expect(answered.location == "/account")
        let page = try await synced.browser.get("/account").body
        #expect(page.contains("Signed in as \(SyncedBrowser.email)"))
        #expect(synced.browser.app.work.isRunning(SyncPages.workName))
    }

    @Test func signingOutNamesWhatIsNotSent() async throws {
        let synced = try await signedIn()
        let browser = synced.browser
        #expect(try await browser.get("/account/sign-out").body.contains("Everything is sent"))
        try synced.device.userData.put(
            Favourite(bank: "int/harbour"), id: "lights", now: synced.device.clock.now)
        let page = try await browser.get("/account/sign-out").body
        #expect(page.contains("1 answer is not sent."))
        for choice in SignOutChoice.allCases {
            #expect(page.contains("value=\"\(choice.rawValue)\""))
        }

        synced.network.isOffline = true
        let failed = try await browser.post("/account/sign-out", [("choice", "send")])
        #expect(failed.status == 422 && failed.body.contains("Not everything could be sent"))
        synced.network.heal()
        #expect(try await browser.post("/account/sign-out", [("choice", "send")]).status == 303)

        #expect(synced.users.records(Favourite.self).count == 1)
        #expect(try await browser.get("/account").body.contains("You are not signed in."))
        #expect(try await browser.get("/account/sign-out").location == "/account")
    }

    /// What only this device has is named before it goes, and can be kept.
    @Test func signingOutNamesOpenSessions() async throws {
        let synced = try await signedIn()
        let begun = try await synced.browser.post(
            "/session", [("bank", "int/harbour"), ("mode", "exam")])
        #expect(begun.status == 303)
        await synced.browser.app.services.sync?.syncNow()

        let page = try await synced.browser.get("/account/sign-out").body

        #expect(page.contains("Everything is sent."))
        #expect(page.contains("1 open session ends, with its answers."))
        #expect(page.contains("value=\"keep\""))
    }

    /// A session that the server ended leads to the form that begins a new one.
    @Test func whoHasToSignInAgainCan() async throws {
        let synced = try await signedIn()
        let browser = synced.browser
        #expect(try await browser.get("/account/sign-in").location == "/account")
        synced.users.endSessions()
        await browser.app.services.sync?.syncNow()

        let today = try await browser.get("/").body
        #expect(today.contains("href=\"/account/sign-in\"") && today.contains("Sign in again."))
        let account = try await browser.get("/account").body
        #expect(account.contains("href=\"/account/sign-in\""))
        #expect(!account.contains("href=\"/account/create\""))
        let form = try await browser.get("/account/sign-in")
        #expect(form.status == 200 && !form.body.contains("name=\"bring\""))
        #expect(try await browser.post("/account/sign-in", typed).location == "/account")
        await browser.app.services.sync?.syncNow()

        #expect(try await !browser.get("/").body.contains("href=\"/account/sign-in\""))
        #expect(try await browser.get("/account/sign-in").location == "/account")
    }

    @Test func deletingWantsTheName() async throws {
        let synced = try await signedIn()
        let page = try await synced.browser.get("/account/delete").body
        #expect(page.contains("Type \(SyncedBrowser.email) to delete the account."))

        let wrong = try await synced.browser.post("/account/delete", [("name", "anne")])
        #expect(wrong.status == 422 && wrong.body.contains("Nothing was deleted."))
        #expect(synced.users.users.count == 1)
        let right = try await synced.browser.post(
            "/account/delete", [("name", SyncedBrowser.email)])

        #expect(right.location == "/account")
        #expect(synced.users.users.isEmpty)
    }

    @Test func theExportIsAFileWithTheData() async throws {
        let synced = try await SyncedBrowser()
        try synced.device.userData.put(
            Favourite(bank: "int/harbour"), id: "lights", now: synced.device.clock.now)

        let reply = try await synced.browser.get("/account/export")

        #expect(reply.headers[.contentType] == "application/json")
        #expect(reply.headers[.contentDisposition]?.hasPrefix("attachment") == true)
        #expect(reply.body.contains("\"lights\""))
    }

    @Test func theAnswersAreATableThatIsSentWhileItIsRead() async throws {
        let synced = try await SyncedBrowser()
        let answer = AnswerRecord(
            sessionID: "s", questionID: "gone", contentVersion: "1", response: ["a"],
            isCorrect: false, credit: 0, timeTaken: 3, exposuresBefore: 0, mode: .study,
            isRandomlySelected: false, date: synced.device.clock.now, offsetMinutes: 0)
        try synced.device.userData.add([answer], to: .exam(region: "int", exam: "harbour"))

        let reply = try await synced.browser.get("/account/answers", [.acceptEncoding: "gzip"])

        #expect(reply.headers[.contentType] == "text/csv; charset=utf-8; header=present")
        #expect(
            reply.headers[.contentDisposition]
                == "attachment; filename=\"underway-answers.csv\"")
        #expect(reply.headers[.contentLength] == nil)
        let text = String(decoding: reply.bytes, as: UTF8.self)
        #expect(text.hasPrefix("\u{FEFF}Time,Subject,Question,Answer,Right or wrong,Seconds\r\n"))
        #expect(text.contains(",gone,a,wrong,3\r\n"))
        #expect(try await synced.browser.get("/account").body.contains("href=\"/account/answers\""))
    }

    @Test func withoutAServerThereIsNothingToSignInTo() async throws {
        let store = try UserStore.inMemory()
        let content = try OfflineStore.inMemory()
        let settings = DeviceFile(initial: StudySettings())
        let browser = try StudyBrowser(
            StudyServices(
                content: content, userData: store,
                account: DeviceStudyAccount(store, nil, settings: settings)), content, store)

        #expect(try await browser.get("/account").body.contains("works without a server"))
        for form in AccountStep.allCases {
            #expect(try await browser.get(form.path).location == "/account")
            #expect(try await browser.post(form.path, typed).location == "/account")
        }
    }
}
