import Foundation
import PageRendering
import StudyModel
import Testing
import Underway

@testable import StudyWeb

/// A server of accounts that does not answer for a long time.
@Suite(.timeLimit(.minutes(1))) struct SlowAccountTests {
    /// An account whose signing in waits until it may end.
    private struct SlowAccount: StudyAccount {
        func waitingLearners() async throws -> [WaitingLearner] { [] }
        let asked: AsyncStream<Void>.Continuation
        let end: AsyncStream<Void>

        func identity() async throws -> StudyIdentity {
            StudyIdentity(kind: .local, name: "", hasServer: true)
        }
        func hasData() async throws -> Bool { false }
        func signIn(email: String, password: String, bringing: BroughtData) async throws {
            asked.yield()
            for await _ in end { return }
        }
        func create(email: String, password: String) async throws {}
        func signOut(erasing: Bool, lossIsAccepted: Bool) async throws {}
        func export() async throws -> Data { Data() }
        func delete() async throws {}
    }

    @Test func anAnswerDoesNotWaitForASignIn() async throws {
        let (isAsked, asked) = AsyncStream.makeStream(of: Void.self)
        let (mayEnd, end) = AsyncStream.makeStream(of: Void.self)
        let store = try UserStore.inMemory()
        let content = try OfflineStore.inMemory(blueprints: [StudyPagesTests.exam()])
        let browser = try StudyBrowser(
            StudyServices(
                content: content, userData: store,
                account: SlowAccount(asked: asked, end: mayEnd)), content, store)

        async let signedIn = browser.post(
            "/account/sign-in", [("email", "anne@example.org"), ("password", "correct horse")])
        for await _ in isAsked { break }
        let begun = try await browser.post("/session", [("bank", "int/sums"), ("mode", "study")])
        let session = try #require(begun.location)
        #expect(try await browser.get("\(session)/1").status == 200)

        end.yield()
        #expect(try await signedIn.location == "/account")
    }
}
