import Accounts
import Crypto
import Foundation
import GRDB
import ServiceAPI
import Tables
import Testing
import UserData

@testable import Ledger

/// How an account is opened, and who may change that.
@Suite struct CredentialTests {
    private let service: ServiceFixture

    init() async throws { service = try await ServiceFixture() }

    private var users: UserBackend { service.users }

    /// An account with email and password, and a session that began with neither of them.
    private func ada() async throws -> SessionTokens {
        let tokens = try await service.user()
        try await users.upgrade(
            try await service.caller(tokens), email: "ada@example.org", password: "correct horse",
            address: "a")
        return tokens
    }

    private func signIn(_ password: String, _ address: String = "b") async throws -> SessionTokens {
        try await users.signIn(email: "ada@example.org", password: password, address: address)
    }

    private func isValid(_ tokens: SessionTokens) async -> Bool {
        await problemCode { _ = try await service.caller(tokens) } == nil
    }

    // MARK: Changes

    /// A stolen access token must not be enough to take an account over.
    @Test func aNewPasswordNeedsTheOldOne() async throws {
        let stolen = try await service.caller(try await ada())
        for password in [nil, "wrong horse"] {
            let found = await problemCode {
                try await users.upgrade(
                    stolen, email: "eve@example.org", password: "12345678",
                    currentPassword: password, address: "x")
            }
            #expect(found == (password == nil ? .needsFreshSignIn : .wrongCredentials))
        }
        let fresh = try await service.caller(try await signIn("correct horse"))
        #expect(
            await problemCode {
                try await users.upgrade(
                    fresh, email: "ada@example.org", password: "12345678", address: "b")
            } == .needsFreshSignIn, "a session that was left open is not its owner")
        try await users.upgrade(
            fresh, email: "ada@example.org", password: "battery staple",
            currentPassword: "correct horse", address: "b")
        _ = try await signIn("battery staple")
        // The reply was lost: what was applied already is no wrong password.
        try await users.upgrade(
            fresh, email: "ada@example.org", password: "battery staple",
            currentPassword: "correct horse", address: "b")
    }

    @Test func aNewPasswordEndsAllOtherSessions() async throws {
        let own = try await ada()
        let other = try await signIn("correct horse")
        try await users.upgrade(
            try await service.caller(own), email: "ada@example.org", password: "battery staple",
            currentPassword: "correct horse", address: "a")
        #expect(await !isValid(other))
        #expect(
            await problemCode { _ = try await users.refresh(other.refreshToken, address: "b") }
                == .unauthorized)
        let renewed = try await users.refresh(own.refreshToken, address: "a")
        #expect(await isValid(renewed))
    }

    @Test func revokingAllEndsAccessTokensToo() async throws {
        let (one, stranger) = (try await ada(), try await service.user())
        try await users.revokeAll(of: one.user)
        #expect(await !isValid(one))
        #expect(await isValid(stranger))
        #expect(await isValid(try await signIn("correct horse")))
    }

    @Test func anEndedSessionEndsItsAccessTokens() async throws {
        let (one, other) = (try await ada(), try await signIn("correct horse"))
        try await users.revoke(other.refreshToken)
        #expect(await !isValid(other))
        #expect(await isValid(one))
    }

    @Test func aTokenHasOnlyAFewUnusedSuccessors() async throws {
        let tokens = try await ada()
        var successors: [SessionTokens] = []
        for _ in 0..<20 {
            successors.append(try await users.refresh(tokens.refreshToken, address: "a"))
        }
        let count = try await service.database.connections.read { database in
            try Int.fetchOne(
                database, sql: "SELECT count(*) FROM refresh_token WHERE used_at IS NULL")
        }
        #expect(count ?? 0 <= 2 + ServiceLimits.spareRefreshTokensMax)
        // The newest always works, and so would one whose reply was lost just before.
        _ = try await users.refresh(try #require(successors.last).refreshToken, address: "a")
    }

    @Test func waysInAreListedAndRemoved() async throws {
        let tokens = try await ada()
        let user = try await service.caller(tokens)
        let ways = try await users.signInMethods(of: user.id)
        #expect(ways.map(\.id) == ["email"] && ways.map(\.name) == ["ada@example.org"])
        func remove(_ signInMethod: String, _ password: String?, last: Bool) async -> ProblemCode? {
            await problemCode {
                try await users.remove(
                    signInMethod: signInMethod, of: user, currentPassword: password,
                    acceptsLast: last,
                    address: "a")
            }
        }
        #expect(await remove("email", nil, last: true) == .needsFreshSignIn)
        #expect(await remove("nothing", "correct horse", last: true) == .notFound)
        #expect(await remove("email", "correct horse", last: false) == .lastSignInMethod)
        #expect(await remove("email", "correct horse", last: true) == nil)
        #expect(try await users.signInMethods(of: user.id).isEmpty)
        #expect(await problemCode { _ = try await signIn("correct horse") } == .wrongCredentials)
        _ = try await users.refresh(tokens.refreshToken, address: "a")
    }

    // MARK: Attempts

    @Test func aStrangerCannotLockAUserOut() async throws {
        _ = try await ada()
        var last: ProblemCode?
        for _ in 0...ServiceLimits.failedSignInsPerEmailMinute {
            last = await problemCode { _ = try await signIn("guess", "stranger") }
        }
        #expect(last == .tooManyRequests)
        // Any number of right passwords from elsewhere is no attack.
        for _ in 0..<(ServiceLimits.failedSignInsPerMinute * 2) {
            _ = try await signIn("correct horse", "home")
        }
        // Not even the right password tells the stranger anything now.
        #expect(
            await problemCode { _ = try await signIn("correct horse", "stranger") }
                == .tooManyRequests)
        service.advance(days: 2 / 1440)
        _ = try await signIn("correct horse", "stranger")
    }

    @Test func anAddressGuessesOnlySoOftenOverAllEmails() async throws {
        var found: [ProblemCode?] = []
        for number in 0...ServiceLimits.failedSignInsPerMinute {
            found.append(
                await problemCode {
                    _ = try await users.signIn(
                        email: "u\(number)@example.org", password: "guess", address: "stranger")
                })
        }
        #expect(found.dropLast().allSatisfy { $0 == .wrongCredentials })
        #expect(found.last == .tooManyRequests)
    }

    @Test func checksOfPasswordsAreBoundedAndOthersGoOn() async throws {
        let tokens = try await ada()
        let count = ServiceLimits.waitingPasswordChecksMax + ServiceLimits.passwordChecksMax + 40
        let users = users
        let codes = await withTaskGroup(of: ProblemCode?.self) { group in
            for number in 0..<count {
                group.addTask {
                    await problemCode {
                        _ = try await users.signIn(
                            email: "ada@example.org", password: "guess", address: "n\(number)")
                    }
                }
            }
            return await group.reduce(into: [ProblemCode?]()) { $0.append($1) }
        }
        #expect(codes.contains(.busy) && codes.contains(.wrongCredentials))
        #expect(codes.allSatisfy { $0 == .busy || $0 == .wrongCredentials })
        #expect(await isValid(tokens))
        _ = try await signIn("correct horse")
    }
}
