import Foundation
import ServiceAPI
import Testing

@testable import Accounts
@testable import ContentServer

/// Requests about accounts that arrive at two processes at once.
@Suite struct AccountRaceTests {
    private static let adapters = AccountAdapter.allCases
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Runs a body for each number at once, and returns the codes of those that failed.
    private func race(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> [ProblemCode] {
        try await withThrowingTaskGroup(of: ProblemCode?.self) { group in
            for number in 0..<count {
                group.addTask {
                    do {
                        try await body(number)
                        return nil
                    } catch let error as RequestError {
                        return error.code
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
    }

    private func stores(_ world: AccountWorld) async throws -> [AccountStore] {
        [world.store, AccountWorld.store(try await world.another())]
    }

    private func user(_ id: String) -> AuthenticatedUser {
        AuthenticatedUser(id: id, session: "s", authenticatedAt: 0, tokenGeneration: 0)
    }

    @Test(arguments: adapters)
    func anEmailGoesToOneAccount(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let (stores, now) = (try await stores(world), now)
        for number in 0..<8 { try await world.store.make(id: "u\(number)", now: now) }
        let hash = StoredPassword.sample("").hash
        let failures = try await race(8) { number in
            try await stores[number % 2].setPassword(
                hash, email: "ada@example.org", of: self.user("u\(number)"), now: now)
        }
        #expect(failures == [ProblemCode](repeating: .emailTaken, count: 7))
        let owner = try #require(try await world.store.password(of: "ada@example.org")?.id)
        #expect(try await world.store.signInMethods(of: owner).map(\.name) == ["ada@example.org"])
    }

    @Test(arguments: adapters)
    func anIdentityGoesToOneAccount(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let (stores, now) = (try await stores(world), now)
        for number in 0..<8 { try await world.store.make(id: "u\(number)", now: now) }
        let identity = ExternalIdentity(issuer: "https://a", subject: "s")
        let owners = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await stores[number % 2].link(
                        identity, to: "u\(number)", keeping: nil, now: now)
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(owners.count == 1)
        #expect(try await world.store.account(of: identity) == owners.first)
    }

    /// Lost replies: each retry is answered, and afterwards only one successor goes on.
    @Test(arguments: adapters)
    func aTokenThatIsPresentedManyTimesHasFewSuccessors(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let (stores, now) = (try await stores(world), now)
        try await world.store.make(id: "u", now: now)
        let first = try await world.store.open("u", isAuthenticated: false, now: now)
        let failures = try await race(12) { number in
            _ = try await stores[number % 2].rotate(first.refreshToken, now: now)
        }
        #expect(failures.isEmpty)
        let hash = RefreshTokens.hash(first.refreshToken)
        let successors = try await world.open(nil) { $0.token = hash }.token?.successors ?? []
        #expect(successors.count == ServiceLimits.spareRefreshTokensMax + 1)
    }

    /// A thief and the device both renew the same token: at most one of them goes on.
    @Test(arguments: adapters)
    func twoSuccessorsAreNotBothRenewed(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let (stores, now) = (try await stores(world), now)
        for round in 0..<6 {
            let id = "u\(round)"
            try await world.store.make(id: id, now: now)
            try await world.write(
                .signIn(.setPassword(.sample("\(id)@example.org"), of: id)))
            let first = try await world.store.open(id, isAuthenticated: false, now: now)
            var rivals: [String] = []
            for store in stores {
                rivals.append(
                    try await store.rotate(first.refreshToken, now: now).session.refreshToken)
            }
            let failures = try await race(2) { [rivals] number in
                _ = try await stores[number].rotate(rivals[number], now: now)
            }
            #expect(failures == [.reusedToken])
            #expect(try await !world.store.access(id, session: first.family).isOpen)
        }
    }

    @Test(arguments: adapters)
    func aCodeIsRedeemedOnce(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let (stores, now) = (try await stores(world), now)
        try await world.store.make(id: "u", now: now)
        let hash = StoredPassword.sample("").hash
        try await world.store.setPassword(hash, email: "a@b.c", of: user("u"), now: now)
        let message = AccountMessage(
            purpose: .resetPassword, email: "a@b.c", code: "0123456789",
            expiresAt: now.addingTimeInterval(60))
        #expect(try await world.store.store(message, of: nil, now: now))
        #expect(try await !world.store.store(message, of: "v", now: now))
        let redeemed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await stores[number % 2].redeem(
                        message.code, message.purpose, email: "a@b.c", newPassword: hash, now: now)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(redeemed.count { $0 } == 1)
        #expect(try await world.store.signInMethods(of: "u").first?.isVerified == true)
    }

    /// A password is hashed for so long that a reset may end meanwhile: what was verified before it opens nothing.
    @Test(arguments: adapters)
    func aPasswordThatWasChangedMeanwhileOpensNoSession(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        try await world.store.make(id: "u", now: now)
        try await world.write(.signIn(.setPassword(.sample("a@b.c"), of: "u")))
        let verified = VerifiedState(
            password: try #require(try await world.store.password(of: "a@b.c")?.hash))
        let session = try await world.store.open(
            "u", isAuthenticated: true, verified: verified, now: now)
        #expect(try await world.store.access("u", session: session.family).isOpen)
        let new = Passwords.Hash(
            salt: [UInt8](repeating: 3, count: 16), bytes: [UInt8](repeating: 4, count: 32),
            rounds: 1024)
        try await world.store.setPassword(new, email: "a@b.c", of: user("u"), now: now)
        let code = await problemCode {
            _ = try await world.store.open(
                "u", isAuthenticated: true, verified: verified, now: now)
        }
        #expect(code == .wrongCredentials)
    }

    /// Another device removes the identity while this one signs in with it, or gives it to another account.
    @Test(arguments: adapters, [nil, "v"])
    func anIdentityThatLeftTheAccountOpensNoSession(
        adapter: AccountAdapter, next: String?
    ) async throws {
        let world = try await adapter.make()
        let identity = ExternalIdentity(issuer: "https://a", subject: "s")
        for id in ["u", "v"] { try await world.store.make(id: id, now: now) }
        _ = try await world.store.link(identity, to: "u", keeping: nil, now: now)
        let verified = VerifiedState(identity: identity)
        let session = try await world.store.open(
            "u", isAuthenticated: true, verified: verified, now: now)
        #expect(try await world.store.access("u", session: session.family).isOpen)
        try await world.write(.signIn(.unlink(identity, from: "u")))
        if let next {
            _ = try await world.store.link(identity, to: next, keeping: nil, now: now)
        }
        let code = await problemCode {
            _ = try await world.store.open(
                "u", isAuthenticated: true, verified: verified, now: now)
        }
        #expect(code == .wrongCredentials)
    }

    /// The reset that ended the session must not be undone by a request of that session.
    @Test(arguments: adapters)
    func anEndedSessionChangesNoSignInMethod(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let identity = ExternalIdentity(issuer: "https://a", subject: "s")
        try await world.store.make(id: "u", now: now)
        try await world.write(.signIn(.setPassword(.sample("a@b.c"), of: "u")))
        let session = try await world.store.open("u", isAuthenticated: true, now: now)
        let thief = AuthenticatedUser(
            id: "u", session: session.family, authenticatedAt: 0, tokenGeneration: 0)
        try await world.store.endSessions(of: "u", except: nil, now: now)
        let (hash, verified) = (StoredPassword.sample("").hash, VerifiedState(user: thief))
        let codes = [
            await problemCode {
                try await world.store.setPassword(
                    hash, email: "evil@b.c", of: thief, verified: verified, now: now)
            },
            await problemCode {
                try await world.store.remove(
                    SignInMethod.emailID, of: thief, acceptsLast: true, verified: verified,
                    now: now)
            },
            await problemCode {
                _ = try await world.store.link(
                    identity, to: "u", keeping: nil, verified: verified, now: now)
            },
        ]
        #expect(codes == [.unauthorized, .unauthorized, .unauthorized])
        #expect(try await world.store.signInMethods(of: "u").map(\.name) == ["a@b.c"])
    }

    /// Two copies of an anonymous account choose an email at once: the second is told that its session has ended.
    @Test(arguments: adapters)
    func theFirstEmailOfACopiedAccountStays(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        try await world.store.make(id: "u", now: now)
        var copies: [AuthenticatedUser] = []
        for _ in 0..<2 {
            let session = try await world.store.open("u", isAuthenticated: false, now: now)
            copies.append(
                AuthenticatedUser(
                    id: "u", session: session.family, authenticatedAt: 0, tokenGeneration: 0))
        }
        let hash = StoredPassword.sample("").hash
        var codes: [ProblemCode?] = []
        for (number, copy) in copies.enumerated() {
            codes.append(
                await problemCode {
                    try await world.store.setPassword(
                        hash, email: "\(number)@b.c", of: copy,
                        verified: VerifiedState(user: copy), now: now)
                })
        }
        #expect(codes == [nil, .unauthorized])
        #expect(try await world.store.signInMethods(of: "u").map(\.name) == ["0@b.c"])
    }

    /// Upkeep of another process has marked the account as unused, and has not erased its rows yet.
    @Test(arguments: adapters)
    func aDeviceReturnsBeforeItsUnusedAccountIsErased(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        try await world.store.make(id: "u", now: now)
        let first = try await world.store.open("u", isAuthenticated: false, now: now)
        let usedAt = try #require(try await world.open(.id("u")).account?.lastUsedAt)
        try await world.write(.markUnused("u", usedAt: usedAt, at: usedAt))
        let renewed = try await world.store.rotate(first.refreshToken, now: now).session
        #expect(renewed.account == "u" && renewed.family == first.family)
        while try await !world.storage.eraseDeletedAccounts(limit: 1) {}
        #expect(try await world.store.access("u", session: first.family).isOpen)
    }
}
