import Foundation
import ServiceAPI
import Synchronization
import Testing

@testable import Accounts
@testable import Ledger

/// What happens to an account between the check of its password and the request's transaction.
@Suite struct SignInMeanwhileTests {
    /// Limits that allow everything, and run something once when an attempt has succeeded: after the check.
    private final class Limits: RateLimiting {
        let meanwhile = Mutex<(@Sendable () async throws -> Void)?>(nil)

        func consume(_ limit: RateLimit, of name: String, cost: Int, now: Int64) async -> Int? {
            nil
        }

        func begin(_ limit: FailureLimit, of name: String, now: Int64) async -> Int? { nil }

        func withdraw(_ limit: FailureLimit, of name: String) async {
            let run = meanwhile.withLock { body in
                defer { body = nil }
                return body
            }
            do {
                try await run?()
            } catch {
                Issue.record(error)
            }
        }
    }

    private let limits = Limits()
    private let service: ServiceFixture
    private let user: AuthenticatedUser
    private let email = "ada@example.org"
    private let old = "correct horse"

    init() async throws {
        service = try await ServiceFixture(rateLimits: limits)
        user = try await service.caller(try await service.user())
        try await service.users.upgrade(user, email: email, password: old, address: "a")
    }

    private func signIn(_ password: String) async -> ProblemCode? {
        await problemCode {
            _ = try await service.users.signIn(email: email, password: password, address: "b")
        }
    }

    private func endSessionsMeanwhile() {
        limits.meanwhile.withLock { [service, user] in
            $0 = {
                try await service.users.accounts.endSessions(
                    of: user.id, except: nil, now: service.now)
            }
        }
    }

    @Test func aSignInWithAPasswordThatWasReplacedMeanwhileIsRefused() async throws {
        #expect(await signIn(old) == nil)
        let new = try await service.users.passwords.hash("battery staple", address: "a")
        limits.meanwhile.withLock { [service, user, email] in
            $0 = {
                try await service.users.accounts.setPassword(
                    new, email: email, of: user, now: service.now)
            }
        }
        #expect(await signIn(old) == .wrongCredentials)
        #expect(await signIn("battery staple") == nil)
    }

    @Test func anEndedSessionSetsNoPassword() async throws {
        endSessionsMeanwhile()
        let code = await problemCode {
            try await service.users.upgrade(
                user, email: "evil@example.org", password: "evil password",
                currentPassword: old, address: "a")
        }
        #expect(code == .unauthorized)
        #expect(await signIn(old) == nil)
    }

    @Test func anEndedSessionRemovesNoSignInMethod() async throws {
        endSessionsMeanwhile()
        let code = await problemCode {
            try await service.users.remove(
                signInMethod: SignInMethod.emailID, of: user, currentPassword: old,
                acceptsLast: true, address: "a")
        }
        #expect(code == .unauthorized)
        #expect(await signIn(old) == nil)
    }
}
