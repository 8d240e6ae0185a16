import Foundation
import ServiceAPI
import Testing

@testable import Accounts
@testable import ContentServer
@testable import Ledger

/// An email that an account leaves is told, and can take that back for a week.
@Suite final class EmailWayBackTests {
    private let mailbox: ListedMailbox
    private let service: ServiceFixture
    /// The session of whoever is signed in; a change of a way in renews it.
    private var tokens: SessionTokens

    init() async throws {
        mailbox = ListedMailbox()
        service = try await ServiceFixture(mailbox: mailbox)
        tokens = try await service.user()
        try await change(to: "ada@example.org", current: nil)
    }

    private var users: UserBackend { service.users }

    private func change(to email: String, current: String? = "correct horse") async throws {
        try await users.upgrade(
            try await service.caller(tokens), email: email, password: "correct horse",
            currentPassword: current, address: "a")
        tokens = try await users.refresh(tokens.refreshToken, address: "a")
    }

    private func takeBack(
        _ message: AccountMessage, user: String? = nil
    ) async -> ProblemCode? {
        await problemCode {
            try await users.resetPassword(
                email: message.email, code: message.code, newPassword: "battery staple",
                user: user ?? message.user, address: "home")
        }
    }

    private func email() async throws -> String? {
        try await users.signInMethods(of: tokens.user).first { $0.issuer == nil }?.name
    }

    @Test func theFormerEmailIsToldAndTakesItBack() async throws {
        #expect(mailbox.messages.isEmpty)
        try await change(to: "eve@example.org")
        let message = try #require(mailbox.messages.first)
        #expect(mailbox.messages.count == 1 && message.email == "ada@example.org")
        #expect(message.purpose == .changeEmail && message.user == tokens.user)
        #expect(message.expiresAt == service.now.addingTimeInterval(7 * 86_400))
        service.advance(days: 6.9)
        // Upkeep runs hourly; it takes only what has expired.
        try await AccountUpkeep(storage: users.accounts.storage, now: service.now).run()
        #expect(await takeBack(message) == nil)
        #expect(try await email() == "ada@example.org")
        #expect(
            await problemCode { _ = try await service.caller(tokens) } == .unauthorized,
            "all sessions end")
        let again = try await users.signIn(
            email: "ada@example.org", password: "battery staple", address: "b")
        #expect(again.user == tokens.user)
        #expect(await takeBack(message) == .wrongCredentials, "once")
    }

    @Test func aWayBackEnds() async throws {
        try await change(to: "eve@example.org")
        let message = try #require(mailbox.messages.first)
        #expect(await takeBack(message, user: "another") == .wrongCredentials)
        service.advance(days: 7.01)
        #expect(await takeBack(message) == .wrongCredentials)
        #expect(try await email() == "eve@example.org")
    }

    /// Who took the account over changes, verifies, resets and removes on: the owner's way back leads past all of it.
    @Test func aLaterChangeDoesNotEndIt() async throws {
        try await change(to: "eve@example.org")
        service.advance(days: 0.5)
        tokens = try await users.refresh(tokens.refreshToken, address: "a")
        try await users.requestVerification(of: tokens.user)
        let code = try #require(mailbox.messages.last?.code)
        try await users.verifyEmail(of: tokens.user, code: code, address: "a")
        try await change(to: "eve@example.com")
        let eves = try #require(mailbox.messages.last)
        #expect(eves.email == "eve@example.org")
        #expect(await takeBack(eves) == nil)
        try await users.requestPasswordReset(email: "eve@example.org", address: "a")
        let reset = try #require(mailbox.messages.last)
        #expect(await takeBack(reset) == nil)
        #expect(await takeBack(try #require(mailbox.messages.first)) == nil)
        #expect(try await email() == "ada@example.org")
        #expect(await takeBack(eves) == .wrongCredentials)
    }

    /// Who enters the email of a stranger would take the account back from under what the stranger did with it.
    @Test func aStrangerWhoseEmailWasEnteredGetsNoAccountThatIsTakenBack() async throws {
        try await change(to: "victim@example.org")
        func reset() async throws -> ProblemCode? {
            try await users.requestPasswordReset(email: "victim@example.org", address: "v")
            return await takeBack(try #require(mailbox.messages.last))
        }
        #expect(try await reset() == .wrongCredentials)
        #expect(try await email() == "victim@example.org")
        service.advance(days: 7.01)
        #expect(try await reset() == nil, "nothing leads back any more")
        #expect(await takeBack(try #require(mailbox.messages.first)) == .wrongCredentials)
    }

    /// Else the way back would end with the account.
    @Test func anAccountWithAWayBackDoesNotMove() async throws {
        try await change(to: "eve@example.org")
        let signedIn = try await users.signIn(
            email: "eve@example.org", password: "correct horse", address: "a")
        let thief = try await service.user()
        func move() async -> ProblemCode? {
            await problemCode {
                _ = try await users.move(
                    MoveBody.Request(from: signedIn.user, proof: signedIn.refreshToken),
                    into: thief.user, address: "a")
            }
        }
        #expect(await move() == .needsFreshSignIn, "as a device leaves it where it is")
        #expect(await takeBack(try #require(mailbox.messages.first)) == nil)
    }

    /// An email that was verified for the account is its owner's.
    @Test func aVerifiedEmailResetsThePassword() async throws {
        try await change(to: "ada@example.com")
        try await users.requestVerification(of: tokens.user)
        try await users.verifyEmail(
            of: tokens.user, code: try #require(mailbox.messages.last?.code), address: "a")
        try await users.requestPasswordReset(email: "ada@example.com", address: "a")
        #expect(await takeBack(try #require(mailbox.messages.last)) == nil)
    }

    @Test func aRemovedEmailComesBack() async throws {
        try await users.remove(
            signInMethod: "email", of: try await service.caller(tokens),
            currentPassword: "correct horse", acceptsLast: true, address: "a")
        #expect(try await email() == nil)
        #expect(await takeBack(try #require(mailbox.messages.last)) == nil)
        #expect(try await email() == "ada@example.org")
    }

    /// Else an account made for that alone would lock the owner out of the way back.
    @Test func nobodyElseTakesTheEmailMeanwhile() async throws {
        try await change(to: "eve@example.org")
        let other = try await service.caller(try await service.user())
        func take() async -> ProblemCode? {
            await problemCode {
                try await users.upgrade(
                    other, email: "ada@example.org", password: "12345678", address: "x")
            }
        }
        #expect(await take() == .emailTaken)
        // The hourly upkeep has not run yet.
        service.advance(days: 7.01)
        #expect(await take() == nil)
    }

    @Test func aChangeThatCannotBeToldIsRefused() async throws {
        mailbox.isFull = true
        #expect(await problemCode { try await change(to: "eve@example.org") } == .busy)
        #expect(try await email() == "ada@example.org")
        mailbox.isFull = false
        try await change(to: "eve@example.org")
        // Nothing is told where nothing is left.
        try await change(to: "eve@example.org")
        #expect(mailbox.messages.count == 1)
    }
}

/// A mailbox in memory.
private final class ListedMailbox: MailSender, @unchecked Sendable {
    private let lock = NSLock()
    private var list: [AccountMessage] = []
    private var refuses = false

    var messages: [AccountMessage] { lock.withLock { list } }

    var isFull: Bool {
        get { lock.withLock { refuses } }
        set { lock.withLock { refuses = newValue } }
    }

    func deliver(_ message: AccountMessage) async throws {
        try lock.withLock {
            guard !refuses else { throw RequestError(.busy, "full") }
            list.append(message)
        }
    }
}
