import Foundation
import ServiceAPI
import Testing
import UserData

@testable import Accounts
@testable import Ledger
@testable import Tables

/// The contract of every adapter of the storage of accounts.
@Suite struct AccountStorageTests {
    private static let adapters = AccountAdapter.allCases

    private struct Undecided: Error {}

    private let identity = ExternalIdentity(issuer: "https://a", subject: "s")

    // MARK: Transactions

    @Test(arguments: adapters)
    func anEmptyStorageHasNothing(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        for name in [AccountReadSet.Name.id("u"), .email("a@b.c"), .identity(identity)] {
            let snapshot = try await world.open(name) { keys in
                (keys.token, keys.session, keys.email) = (.hash(1), "f", "a@b.c")
                (keys.identity, keys.readsSignInMethods) = (identity, true)
                keys.code = AccountReadSet.Code(hash: .hash(1), purpose: .verifyEmail)
            }
            #expect(snapshot.account == nil && snapshot.token == nil && snapshot.code == nil)
            #expect(snapshot.password == nil && snapshot.identities.isEmpty)
            #expect(snapshot.emailOwners.isEmpty && snapshot.identityOwner == nil)
            #expect(snapshot.session == SessionState())
            #expect(snapshot.revocations == KnownRevocations())
            #expect(snapshot.generation == 0)
        }
        #expect(await world.storage.obstacle() == nil)
        #expect(try await world.storage.revocations().isEmpty)
        #expect(try await world.storage.eraseDeletedAccounts(limit: 1))
    }

    @Test(arguments: adapters)
    func aDecisionThatThrowsChangesNothing(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        await #expect(throws: Undecided.self) {
            try await world.storage.change(AccountReadSet()) { _ -> AccountOutcome<Void> in
                throw Undecided()
            }
        }
        await #expect(throws: StorageError.noAccount) {
            try await world.write(
                .create("u", tokenGeneration: 0, at: 1), .session(.add(.sample(1), to: "w")))
        }
        #expect(try await world.open(.id("u")).account == nil, "all changes or none")
    }

    @Test(arguments: adapters)
    func changesOfAStrangerHaveNoEffect(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        try await world.write(
            .setUse(of: "w", at: 1), .raiseTokenGeneration(of: "w", to: 1),
            .markDeleted("w", at: 1), .markUnused("w", usedAt: 1, at: 1),
            .session(.markUsed(.hash(1), at: 1)), .session(.removeTokens([.hash(1)])),
            .session(.remove(family: "f")),
            .session(.removeAll(of: "w", except: "", expiringBy: nil)),
            .signIn(.removePassword(of: "w")), .signIn(.unlink(identity, from: "w")),
            .signIn(.removeCodes(of: "w", exceptFor: nil)))
        #expect(try await world.open(.id("w")).account == nil)
        let code = AccountReadSet.Code(hash: .hash(1), purpose: .verifyEmail)
        for change in [
            SignInChange.setPassword(.sample("a@b.c"), of: "w"), .link(identity, to: "w"),
            .addCode(code, StoredCode(email: "a@b.c", expiresAt: 1), to: "w"),
        ] {
            await #expect(throws: StorageError.noAccount, "\(change)") {
                try await world.write(.signIn(change))
            }
        }
    }

    @Test(arguments: adapters)
    func whatWasWrittenIsInTheNextSnapshot(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let password = StoredPassword.sample("ada@example.org", verifiedAt: 5)
        let key = AccountReadSet.Code(hash: .hash(9), purpose: .resetPassword)
        let code = StoredCode(email: "ada@example.org", expiresAt: 77)
        let second = ExternalIdentity(issuer: "https://ä", subject: "s' OR 1 = 1 --")
        try await world.write(
            .create("u", tokenGeneration: 3, at: 10), .create("v", tokenGeneration: 0, at: 11),
            .session(.add(.sample(1), to: "u")), .signIn(.setPassword(password, of: "u")),
            .signIn(.link(identity, to: "u")), .signIn(.link(second, to: "u")),
            .signIn(.addCode(key, code, to: "u")), .setUse(of: "u", at: 12))
        for name in [
            AccountReadSet.Name.id("u"), .email("ada@example.org"), .identity(identity),
            .identity(second),
        ] {
            let snapshot = try await world.open(name) { keys in
                (keys.session, keys.readsSignInMethods, keys.code) = ("f", true, key)
                (keys.identity, keys.email) = (second, "ada@example.org")
            }
            #expect(
                snapshot.account
                    == StoredAccount(id: "u", tokenGeneration: 3, lastUsedAt: 12))
            #expect(snapshot.session.isOpen)
            #expect(snapshot.password == password)
            #expect(Set(snapshot.identities) == [identity, second])
            #expect(snapshot.identityOwner == "u" && snapshot.emailOwners.map(\.account) == ["u"])
            #expect(snapshot.code == code)
        }
        let other = try await world.open(.id("v")) { keys in
            (keys.session, keys.readsSignInMethods, keys.code) = ("f", true, key)
        }
        #expect(other.account?.id == "v" && !other.session.isOpen && other.code == nil)
        #expect(other.password == nil && other.identities.isEmpty)
    }

    /// The decision sees what the transaction before it wrote.
    @Test(arguments: adapters)
    func decisionsAboutAnAccountFollowEachOther(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        try await world.write(.create("u", tokenGeneration: 0, at: 0))
        let storages = [world.storage, try await world.another()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    try await storages[number % 2].change(AccountReadSet(.id("u"))) { snapshot in
                        let generation = try snapshot.requiredAccount.tokenGeneration
                        return AccountOutcome(
                            [.raiseTokenGeneration(of: "u", to: generation + 1)], reply: ())
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await world.open(.id("u")).account?.tokenGeneration == 24)
    }

    // MARK: Accounts

    @Test(arguments: adapters)
    func aTokenGenerationIsNeverLowered(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        try await world.write(.create("u", tokenGeneration: 5, at: 0))
        try await world.write(.raiseTokenGeneration(of: "u", to: 4))
        #expect(try await world.open(.id("u")).account?.tokenGeneration == 5)
        try await world.write(.raiseTokenGeneration(of: "u", to: 6))
        #expect(try await world.open(.id("u")).account?.tokenGeneration == 6)
    }

    @Test(arguments: adapters)
    func aDeletedAccountIsInvisibleAndItsNamesAreFree(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let key = AccountReadSet.Code(hash: .hash(9), purpose: .verifyEmail)
        let code = StoredCode(email: "a@b.c", expiresAt: 77)
        func fill() async throws {
            try await world.write(
                .create("u", tokenGeneration: 0, at: 0),
                .signIn(.setPassword(.sample("a@b.c"), of: "u")),
                .signIn(.link(identity, to: "u")), .signIn(.addCode(key, code, to: "u")))
        }
        try await fill()
        try await world.write(.session(.add(.sample(1), to: "u")), .markDeleted("u", at: 9))
        for name in [AccountReadSet.Name.id("u"), .email("a@b.c"), .identity(identity)] {
            let snapshot = try await world.open(name) { keys in
                (keys.token, keys.session) = (.hash(1), "f")
                (keys.identity, keys.email) = (identity, "a@b.c")
            }
            #expect(snapshot.account == nil && snapshot.token == nil && !snapshot.session.isOpen)
            #expect(snapshot.identityOwner == nil && snapshot.emailOwners.isEmpty)
        }
        try await fill()
        let snapshot = try await world.open(.id("u")) { $0.session = "f" }
        #expect(snapshot.account != nil && !snapshot.session.isOpen)
    }

    @Test(arguments: adapters)
    func anAccountThatWasUsedMeanwhileIsNotUnused(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        try await world.write(.create("u", tokenGeneration: 0, at: 5))
        try await world.write(.markUnused("u", usedAt: 4, at: 9))
        #expect(try await world.open(.id("u")).account != nil)
        try await world.write(.markUnused("u", usedAt: 5, at: 9))
        #expect(try await world.open(.id("u")).account == nil)
    }

    // MARK: Sessions

    @Test(arguments: adapters)
    func aTokenIsFoundWithItsRelatives(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        try await world.write(
            .create("u", tokenGeneration: 0, at: 0), .create("v", tokenGeneration: 0, at: 0),
            .session(.add(.sample(1), to: "u")), .session(.add(.sample(2, parent: 1), to: "u")),
            .session(.add(.sample(3, parent: 1, expiresAt: 7), to: "u")),
            .session(.add(.sample(4, parent: 2, usedAt: 8), to: "u")),
            .session(.add(.sample(5, family: "g"), to: "v")))
        try await world.write(.session(.markUsed(.hash(3), at: 6)))
        let snapshot = try await world.open(.id("v")) { $0.token = .hash(2) }
        #expect(snapshot.account?.id == "u", "the token's account, not the named one")
        #expect(
            snapshot.token
                == StoredToken(
                    hash: .hash(2), family: "f", expiresAt: 1000,
                    successors: [.init(hash: .hash(4), expiresAt: 1000, isUsed: true)],
                    siblings: [.init(hash: .hash(3), expiresAt: 7, isUsed: true)]))
        let first = try await world.open(nil) { $0.token = .hash(1) }.token
        #expect(Set(first?.successors.map(\.hash) ?? []) == [.hash(2), .hash(3)])
        #expect(first?.siblings == [])
        #expect(try await world.open(.id("v")) { $0.token = .hash(8) }.account?.id == "v")
    }

    @Test(arguments: adapters)
    func aSessionIsRenewedByATokenOfThisGeneration(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        try await world.write(
            .create("u", tokenGeneration: 0, at: 0), .session(.add(.sample(1), to: "u")))
        func isRenewed() async throws -> Bool {
            try await world.open(.id("u")) { keys in
                (keys.token, keys.session) = (.hash(8), "f")
            }.session.isRenewed
        }
        #expect(try await isRenewed())
        let generation = try await world.startGeneration()
        #expect(try await world.open(nil).generation == generation && generation > 0)
        #expect(try await !isRenewed())
        try await world.write(.session(.add(.sample(2, generation: generation), to: "u")))
        #expect(try await isRenewed())
    }

    @Test(arguments: adapters)
    func sessionsAreRemovedButTheKeptOne(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        try await world.write(
            .create("u", tokenGeneration: 0, at: 0), .create("v", tokenGeneration: 0, at: 0),
            .session(.add(.sample(1, expiresAt: 10), to: "u")),
            .session(.add(.sample(2, family: "g", expiresAt: 10), to: "u")),
            .session(.add(.sample(3, family: "h", expiresAt: 11), to: "u")),
            .session(.add(.sample(4, family: "i", expiresAt: 10), to: "v")))
        func left() async throws -> [UInt8] {
            var left: [UInt8] = []
            for byte in UInt8(1)...4
            where try await world.open(nil, { $0.token = .hash(byte) }).token != nil {
                left.append(byte)
            }
            return left
        }
        try await world.write(.session(.removeAll(of: "u", except: "f", expiringBy: 10)))
        #expect(try await left() == [1, 3, 4])
        try await world.write(.session(.removeAll(of: "u", except: "f", expiringBy: nil)))
        #expect(try await left() == [1, 4])
        try await world.write(.session(.removeAll(of: "u", except: "", expiringBy: nil)))
        #expect(try await left() == [4])
        try await world.write(.session(.remove(family: "i")))
        #expect(try await left().isEmpty)
    }

    // MARK: Sign-in methods

    @Test(arguments: adapters)
    func codesGoWithTheirAddress(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let old = AccountReadSet.Code(hash: .hash(1), purpose: .verifyEmail)
        let new = AccountReadSet.Code(hash: .hash(2), purpose: .verifyEmail)
        let code = { StoredCode(email: $0, expiresAt: 9) }
        try await world.write(
            .create("u", tokenGeneration: 0, at: 0),
            .signIn(.setPassword(.sample("new@b.c"), of: "u")),
            .signIn(.addCode(old, code("old@b.c"), to: "u")),
            .signIn(.addCode(new, code("new@b.c"), to: "u")))
        try await world.write(.signIn(.removeCodes(of: "u", exceptFor: "new@b.c")))
        #expect(try await world.open(.id("u")) { $0.code = old }.code == nil)
        #expect(try await world.open(.id("u")) { $0.code = new }.code?.expiresAt == 9)
        let reset = AccountReadSet.Code(hash: .hash(2), purpose: .resetPassword)
        #expect(try await world.open(.id("u")) { $0.code = reset }.code == nil)
        // What ends in the range stays.
        try await world.write(.signIn(.removeCodes(of: "u", exceptFor: nil, expiringIn: 9..<10)))
        #expect(try await world.open(.id("u")) { $0.code = new }.code != nil)
        try await world.write(
            .signIn(.removePassword(of: "u")),
            .signIn(.removeCodes(of: "u", exceptFor: nil, expiringIn: 10..<11)))
        let snapshot = try await world.open(.id("u")) { keys in
            (keys.code, keys.readsSignInMethods) = (new, true)
        }
        #expect(snapshot.account != nil && snapshot.password == nil && snapshot.code == nil)
    }

    @Test(arguments: adapters)
    func anIdentityIsUnlinkedFromItsOwnerAlone(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        try await world.write(
            .create("u", tokenGeneration: 0, at: 0), .create("v", tokenGeneration: 0, at: 0),
            .signIn(.link(identity, to: "u")))
        try await world.write(.signIn(.unlink(identity, from: "v")))
        #expect(try await world.open(.identity(identity)).account?.id == "u")
        try await world.write(.signIn(.unlink(identity, from: "u")))
        #expect(try await world.open(.identity(identity)).account == nil)
    }

    // MARK: Upkeep

    @Test(arguments: adapters)
    func expiredRowsAreRemovedInBatches(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        try await world.write(.create("u", tokenGeneration: 0, at: 0))
        for byte in UInt8(1)...4 {
            let key = AccountReadSet.Code(hash: .hash(byte), purpose: .verifyEmail)
            let end = Int64(byte) * 10
            try await world.write(
                .session(.add(.sample(byte, expiresAt: end), to: "u")),
                .signIn(.addCode(key, StoredCode(email: "a@b.c", expiresAt: end), to: "u")))
        }
        for rows in ExpiringRows.allCases {
            let remove = { try await world.storage.removeExpired(rows, at: 30, limit: 2) }
            #expect(try await remove() == 2)
            #expect(try await remove() == 1)
            #expect(try await remove() == 0)
        }
        let key = AccountReadSet.Code(hash: .hash(4), purpose: .verifyEmail)
        let last = try await world.open(.id("u")) { keys in
            (keys.token, keys.code) = (.hash(4), key)
        }
        #expect(last.token != nil && last.code != nil)
    }

    @Test(arguments: adapters)
    func accountsAreListedByTheirLastUse(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        for (id, time) in [("a", 5), ("b", 3), ("c", 3), ("d", 8), ("e", 1)] as [(String, Int64)] {
            try await world.write(.create(id, tokenGeneration: 0, at: time))
        }
        try await world.write(
            .markDeleted("e", at: 9), .signIn(.setPassword(.sample("a@b.c"), of: "a")),
            .signIn(.link(identity, to: "b")))
        try await world.writeRecord(of: "c")
        var (listed, place): ([AccountUse], AccountUse.Place?) = ([], nil)
        while true {
            let page = try await world.storage.accounts(usedBefore: 8, after: place, limit: 2)
            listed += page
            guard let last = page.last else { break }
            #expect(page.count <= 2)
            place = last.place
        }
        #expect(listed.map(\.id) == ["b", "c", "a"])
        #expect(listed.map(\.place.usedAt) == [3, 3, 5])
        #expect(listed.map(\.hasSignInMethods) == [true, false, true])
        #expect(listed.map(\.hasData) == [false, true, false])
    }

    @Test(arguments: adapters)
    func aDeletedAccountIsErasedInBatches(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        for user in ["u", "v"] {
            try await world.write(.create(user, tokenGeneration: 0, at: 0))
            let keys = LedgerReadSet(user: user, client: ClientID("d"), now: 1)
            try await world.ledger.exchange(keys) { _ in
                var changes = LedgerChanges()
                changes.account = LedgerAccount()
                changes.account?.position = 7
                changes.records = (1...7).map { .sample("r\($0)", at: $0) }
                return LedgerDecision(changes: changes, reply: ())
            }
        }
        for byte in UInt8(1)...5 {
            try await world.write(
                .session(.add(.sample(byte), to: "u")),
                .session(.add(.sample(byte + 10), to: "v")))
        }
        try await world.write(.markDeleted("u", at: 9))
        var count = 0
        while try await !world.storage.eraseDeletedAccounts(limit: 2) { count += 1 }
        #expect(count > 2, "a batch is bounded")
        try await world.write(.create("w", tokenGeneration: 0, at: 0))
        // Its hashes are free again; the other account has all of its own.
        for byte in UInt8(1)...5 {
            try await world.write(.session(.add(.sample(byte), to: "w")))
            #expect(try await world.open(nil) { $0.token = .hash(byte + 10) }.account?.id == "v")
        }
        let keys = LedgerReadSet(user: "v", client: ClientID("d"), now: 1)
        #expect(try await world.ledger.open(keys).account.position == 7)
    }

    // MARK: Revocations

    @Test(arguments: adapters)
    func revocationsAreKnownToEveryProcess(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let all: [Revocation] = [
            .account("u", at: 1000), .family("f", at: 2000),
            .sessions(of: "v", kept: "", tokenGeneration: 2, at: 3000),
            .sessions(of: "v", kept: "g", tokenGeneration: 3, at: 4000),
        ]
        for revocation in all { try await world.write(.revoke(revocation)) }
        for storage in [
            world.storage, try await world.reopen(), try await world.another(),
        ] {
            func known(_ id: String, _ session: String) async throws -> KnownRevocations {
                var keys = AccountReadSet(.id(id))
                keys.session = session
                return try await storage.open(keys).revocations
            }
            #expect(try await known("u", "g").isAccountDeleted)
            #expect(try await known("v", "f").isSessionEnded)
            #expect(try await known("v", "g").allSessions == all[3], "the last one holds")
            #expect(try await known("w", "h") == KnownRevocations())
        }
        #expect(Set(try await world.storage.revocations()) == [all[0], all[1], all[3]])
        #expect(Set(try await world.reopen().revocations()) == [all[0], all[1], all[3]])
    }

    /// Transactions of several accounts end at once, while upkeep rewrites the file.
    @Test(arguments: adapters)
    func revocationsAtOnceAreAllRecorded(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let day: Int64 = 86_400_000
        let now = Int64(ServiceLimits.refreshTokenDays + 3) * day
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try await world.write(.revoke(.family("f\(number)", at: 3 * day)))
                    try await world.write(.revoke(.family("old\(number)", at: day)))
                    if number % 4 == 0 { try await world.storage.compactRevocations(now: now) }
                }
            }
            try await group.waitForAll()
        }
        try await world.storage.compactRevocations(now: now)
        let expected = Set((0..<40).map { Revocation.family("f\($0)", at: 3 * day) })
        #expect(Set(try await world.storage.revocations()) == expected)
        let next = try await world.reopen()
        #expect(Set(try await next.revocations()).isSuperset(of: expected))
    }

    /// The file of the journal is not undone with a transaction, so it is written last.
    @Test(arguments: adapters)
    func aRevocationThatFailsIsNotRecorded(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        await #expect(throws: StorageError.noAccount) {
            try await world.write(
                .revoke(.family("f", at: 1000)), .session(.add(.sample(1), to: "w")))
        }
        #expect(try await world.storage.revocations().isEmpty)
        var keys = AccountReadSet(.id("w"))
        keys.session = "f"
        #expect(try await world.storage.open(keys).revocations == KnownRevocations())
    }

    @Test(arguments: adapters)
    func revocationsOlderThanAnyTokenAreDropped(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let day: Int64 = 86_400_000
        try await world.write(
            .revoke(.family("old", at: day)), .revoke(.family("young", at: 3 * day)))
        try await world.storage.compactRevocations(
            now: Int64(ServiceLimits.refreshTokenDays + 3) * day)
        #expect(try await world.storage.revocations() == [.family("young", at: 3 * day)])
    }

    /// The clock of a start may be years ahead: what it dropped, a restored backup would bring back.
    @Test(arguments: adapters)
    func aStartDropsNoRevocation(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        try await world.write(.revoke(.account("gone", at: 1)), .revoke(.family("old", at: 1)))
        let next = try await world.reopen()
        #expect(
            Set(try await next.revocations()) == [.account("gone", at: 1), .family("old", at: 1)])
    }

    @Test(arguments: adapters)
    func aNewStartIsNoRestore(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        #expect(try await !world.storage.detectRestore())
        try await world.storage.renewMark(now: 1_000_000)
        let next = try await world.reopen()
        #expect(try await !next.detectRestore())
        try await next.renewMark(now: 2_000_000)
        #expect(try await !world.reopen().detectRestore())
        #expect(try await world.open(nil).generation == 0)
        // A generation that another process began, as after a declared restore.
        _ = try await world.startGeneration()
        #expect(try await world.reopen().detectRestore())
    }
}
