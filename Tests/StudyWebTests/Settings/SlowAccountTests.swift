import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyWeb

/// A server of accounts that does not answer for a long time.
@Suite(.timeLimit(.minutes(1))) struct SlowAccountTests {
    @Test func anAnswerDoesNotWaitForASignIn() async throws {
        let synced = try await SyncedBrowser()
        synced.users.addAccount(email: SyncedBrowser.email, password: SyncedBrowser.password)
        let browser = synced.browser
        let gate = synced.network.holdRequests(for: "sign-in")

        async let signedIn = browser.post(
            "/account/sign-in",
            [("email", SyncedBrowser.email), ("password", SyncedBrowser.password)])
        await gate.arrival()
        let begun = try await browser.post(
            "/session", [("bank", "int/harbour"), ("mode", "study")])
        let session = try #require(begun.location)
        #expect(try await browser.get("\(session)/1").status == 200)

        gate.open()
        #expect(try await signedIn.location == "/account")
    }
}
