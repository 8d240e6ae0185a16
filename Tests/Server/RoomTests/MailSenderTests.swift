import Foundation
import GRDB
import ServiceAPI
import Tables
import TestSupport
import Testing

@testable import Accounts
@testable import Ledger

/// Codes by e-mail, with the folder that an operator empties.
@Suite struct MailSenderTests {
    private let folder: TemporaryFolder
    private let service: ServiceFixture
    private let tokens: SessionTokens

    init() async throws {
        folder = try TemporaryFolder()
        service = try await ServiceFixture(mailbox: try FileMailbox(folder: folder.url))
        tokens = try await service.user()
        try await service.users.upgrade(
            try await service.caller(tokens), email: "ada@example.org", password: "correct horse",
            address: "a")
    }

    /// Reads the newest message and empties the folder.
    private func receive() throws -> [String: String]? {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        guard let name = names.last else { return nil }
        let file = folder.url.appending(path: name)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let message = try JSONDecoder().decode(
            [String: String].self, from: try Data(contentsOf: file))
        for name in names {
            try FileManager.default.removeItem(at: folder.url.appending(path: name))
        }
        return message
    }

    private func reset(_ code: String, _ email: String = "ada@example.org") async -> ProblemCode? {
        await problemCode {
            try await service.users.resetPassword(
                email: email, code: code, newPassword: "battery staple", address: "a")
        }
    }

    @Test func aPasswordIsResetByACodeOnce() async throws {
        try await service.users.requestPasswordReset(email: " Ada@example.org", address: "a")
        let message = try #require(try receive())
        #expect(message["email"] == "ada@example.org" && message["purpose"] == "resetPassword")
        let code = try #require(message["code"])
        #expect(await reset("0000000000") == .wrongCredentials)
        #expect(await reset(code, "eve@example.org") == .wrongCredentials)
        #expect(await reset(code.lowercased()) == nil)
        #expect(await reset(code) == .wrongCredentials)
        #expect(
            await problemCode { _ = try await service.caller(tokens) } == .unauthorized,
            "a reset ends all sessions")
        let again = try await service.users.signIn(
            email: "ada@example.org", password: "battery staple", address: "a")
        #expect(again.user == tokens.user)
        #expect(try await service.users.signInMethods(of: tokens.user).first?.isVerified == true)
    }

    @Test func aCodeExpiresAndIsStoredAsAHash() async throws {
        try await service.users.requestPasswordReset(email: "ada@example.org", address: "a")
        let code = try #require(try receive()?["code"])
        let stored = try await service.database.connections.read { database in
            try Data.fetchAll(database, sql: "SELECT hash FROM email_code")
        }
        #expect(stored.count == 1 && stored[0] != Data(code.utf8))
        service.advance(days: Double(ServiceLimits.emailCodeSeconds + 1) / 86_400)
        #expect(await reset(code) == .wrongCredentials)
    }

    /// Neither the reply nor its duration tells whether an email belongs to an account.
    @Test func aResetDoesNotTellWhichEmailsAreKnown() async throws {
        for email in ["ada@example.org", "eve@example.org", "no email"] {
            let start = ContinuousClock.now
            try await service.users.requestPasswordReset(email: email, address: "a")
            let duration = ContinuousClock.now - start
            #expect(duration >= .milliseconds(ServiceLimits.resetReplyMilliseconds), "\(email)")
        }
        #expect(try receive()?["email"] == "ada@example.org")
        #expect(try receive() == nil)
    }

    @Test func onlySoManyCodesAreSentToAnEmail() async throws {
        func ask(_ address: String) async throws -> Int {
            try await service.users.requestPasswordReset(email: "ada@example.org", address: address)
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).count
        }
        var count = 0
        for _ in 0..<ServiceLimits.askedCodesPerHour + 3 { count = try await ask("a") }
        #expect(count == ServiceLimits.askedCodesPerHour)
        for number in 0..<ServiceLimits.emailCodesPerHour { count = try await ask("b\(number)") }
        #expect(count == ServiceLimits.emailCodesPerHour)
    }

    @Test func aStrangersRequestsVoidNoCode() async throws {
        try await service.users.requestPasswordReset(email: "ada@example.org", address: "ada")
        let code = try #require(try receive()?["code"])
        for _ in 0..<ServiceLimits.askedCodesPerHour + 3 {
            try await service.users.requestPasswordReset(email: "ada@example.org", address: "eve")
        }
        while try receive() != nil {}
        try await service.users.requestPasswordReset(email: "ada@example.org", address: "ada")
        #expect(try receive() != nil)
        #expect(await reset(code) == nil)
    }

    @Test func anEmailIsVerifiedUntilItChanges() async throws {
        let users = service.users
        try await users.requestVerification(of: tokens.user)
        let message = try #require(try receive())
        #expect(message["purpose"] == "verifyEmail")
        #expect(
            await problemCode {
                try await users.verifyEmail(of: tokens.user, code: "wrong", address: "a")
            } == .wrongCredentials)
        try await users.verifyEmail(
            of: tokens.user, code: try #require(message["code"]), address: "a")
        #expect(try await users.signInMethods(of: tokens.user).first?.isVerified == true)
        try await users.upgrade(
            try await service.caller(tokens), email: "ada@example.com", password: "correct horse",
            currentPassword: "correct horse", address: "a")
        #expect(try await users.signInMethods(of: tokens.user).first?.isVerified == false)
    }
}
