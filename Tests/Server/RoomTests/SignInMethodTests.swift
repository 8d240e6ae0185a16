import Foundation
import GRDB
import ServiceAPI
import Tables
import Testing

@testable import Accounts
@testable import Ledger

/// The emails and identities that open an account, as the store has them.
@Suite struct SignInMethodTests {
    private let service: ServiceFixture

    init() async throws { service = try await ServiceFixture() }

    private var store: AccountStore { service.users.accounts }
    private let hash = Passwords.Hash(
        salt: [UInt8](repeating: 1, count: 16), bytes: [UInt8](repeating: 2, count: 32),
        rounds: 1024)

    private func identity(_ subject: String, _ issuer: String = "https://b") -> ExternalIdentity {
        ExternalIdentity(issuer: issuer, subject: subject)
    }

    private func link(_ identity: ExternalIdentity, to user: AuthenticatedUser) async throws
        -> String
    {
        try await store.link(identity, to: user.id, keeping: user.session, now: service.now)
    }

    private func isOpen(_ tokens: SessionTokens) async -> Bool {
        await problemCode { _ = try await service.caller(tokens) } == nil
    }

    @Test func theEmailComesFirstThenIdentitiesByIssuer() async throws {
        let user = try await service.caller(try await service.user())
        for (subject, issuer) in [("x", "https://b"), ("z", "https://a"), ("y", "https://a")] {
            #expect(try await link(identity(subject, issuer), to: user) == user.id)
        }
        try await store.setPassword(hash, email: "ada@example.org", of: user, now: service.now)
        let methods = try await store.signInMethods(of: user.id)
        #expect(methods.map(\.name) == ["ada@example.org", "y", "z", "x"])
        #expect(methods.map(\.issuer) == [nil, "https://a", "https://a", "https://b"])
        #expect(methods.map(\.isVerified) == [false, true, true, true])
        #expect(Set(methods.map(\.id)).count == 4)
    }

    /// The parts must not run into each other: an issuer could choose a subject that completes another's.
    @Test func idsTellIssuerAndSubjectApart() {
        let ids = [("ab", "c"), ("a", "bc"), ("abc", ""), ("", "abc")].map {
            SignInMethod.id(issuer: $0, subject: $1)
        }
        #expect(Set(ids).count == 4)
        #expect(
            ids.allSatisfy { $0.hasPrefix("x") && Base64URL.bytes($0.dropFirst())?.count == 15 })
        #expect(ids[0] == SignInMethod.id(issuer: "ab", subject: "c"))
    }

    @Test func anIdentityStaysWithTheAccountThatHasIt() async throws {
        let one = try await service.caller(try await service.user())
        let two = try await service.caller(try await service.user())
        _ = try await link(identity("x"), to: one)
        #expect(try await link(identity("x"), to: two) == one.id)
        #expect(try await store.account(of: identity("x")) == one.id)
        #expect(try await store.account(of: identity("x", "https://c")) == nil)
        #expect(try await store.signInMethods(of: two.id).isEmpty)
    }

    /// The first method of an anonymous account ends nothing; each further one ends the other sessions.
    @Test func aFurtherMethodEndsTheOtherSessions() async throws {
        let tokens = try await service.user()
        let user = try await service.caller(tokens)
        try await service.users.upgrade(
            user, email: "ada@example.org", password: "correct horse", address: "a")
        let other = try await service.users.signIn(
            email: "ada@example.org", password: "correct horse", address: "b")
        #expect(await isOpen(tokens))
        #expect(await isOpen(other))
        _ = try await link(identity("x"), to: user)
        #expect(await !isOpen(other))
        let renewed = try await service.users.refresh(tokens.refreshToken, address: "a")
        #expect(await isOpen(renewed))
        // One that the account has already is no change.
        let third = try await service.users.signIn(
            email: "ada@example.org", password: "correct horse", address: "b")
        _ = try await link(identity("x"), to: user)
        #expect(await isOpen(third))
    }

    @Test func anAccountHasABoundedNumberOfIdentities() async throws {
        let user = try await service.caller(try await service.user())
        var linkedCount = 0
        var code: ProblemCode?
        while code == nil, linkedCount < 100 {
            code = await problemCode { _ = try await link(identity("\(linkedCount)"), to: user) }
            if code == nil { linkedCount += 1 }
        }
        #expect(code == .refused)
        #expect(try await store.signInMethods(of: user.id).count == linkedCount)
        // One that it has still opens it, and a removed one makes room.
        #expect(try await link(identity("0"), to: user) == user.id)
        let first = SignInMethod.id(issuer: "https://b", subject: "0")
        try await store.remove(first, of: user, acceptsLast: false, now: service.now)
        #expect(try await link(identity("new"), to: user) == user.id)
        #expect(try await store.account(of: identity("0")) == nil)
    }

    @Test func anotherEmailIsNotVerified() async throws {
        let user = try await service.caller(try await service.user())
        func set(_ email: String) async throws -> Bool? {
            try await store.setPassword(hash, email: email, of: user, now: service.now)
            return try await store.signInMethods(of: user.id).first?.isVerified
        }
        #expect(try await set("ada@example.org") == false)
        try await service.database.connections.write {
            try $0.execute(sql: "UPDATE password SET verified_at = 7")
        }
        #expect(try await set("ada@example.org") == true, "only the password changed")
        #expect(try await set("eve@example.org") == false)
        #expect(try await store.password(of: "ada@example.org") == nil)
        #expect(try await store.password(of: "eve@example.org")?.id == user.id)
        let other = try await service.caller(try await service.user())
        let code = await problemCode {
            try await store.setPassword(
                hash, email: "eve@example.org", of: other, now: service.now)
        }
        #expect(code == .emailTaken)
        #expect(try await store.password(ofAccount: other.id) == nil)
    }

    @Test func aDeletedAccountHasNoMethods() async throws {
        let user = try await service.caller(try await service.user())
        _ = try await link(identity("x"), to: user)
        try await store.setPassword(hash, email: "ada@example.org", of: user, now: service.now)
        try await store.markDeleted(user.id, now: service.now)
        #expect(try await store.account(of: identity("x")) == nil)
        #expect(try await store.password(of: "ada@example.org") == nil)
        #expect(
            await problemCode { _ = try await store.signInMethods(of: user.id) } == .noAccount)
        #expect(await problemCode { _ = try await link(identity("y"), to: user) } == .noAccount)
    }
}
