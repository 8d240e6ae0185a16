import Crypto
import Foundation
import ServiceAPI
import Testing

@testable import Accounts
@testable import ContentServer

/// The rules of sessions over snapshots, without a storage.
@Suite struct SessionRulesTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private var seconds: Int64 { now.secondsSince1970 }
    private let tokens = RefreshTokens(serverKey: SymmetricKey(data: Data.hash(7)))
    private var rules: SessionRules { SessionRules(tokens: tokens, now: now, chance: "chance") }

    private func claims(generation: Int64 = 0, issuedAt: Int64? = nil) -> RefreshClaims {
        RefreshClaims(
            account: "u", family: "f", number: 4,
            issuedAt: issuedAt ?? now.millisecondsSince1970 - 1000, authenticatedAt: 5,
            generation: generation)
    }

    private func presented(_ claims: RefreshClaims?) -> SessionRules.Presented {
        SessionRules.Presented(hash: .hash(1), claims: claims)
    }

    private func snapshot(
        token: StoredToken? = nil, account: Bool = true, generation: Int64 = 0
    ) -> AccountSnapshot {
        var snapshot = AccountSnapshot()
        snapshot.generation = generation
        snapshot.token = token
        if account {
            snapshot.account = StoredAccount(id: "u", tokenGeneration: 2, lastUsedAt: seconds)
        }
        return snapshot
    }

    private func stored(
        successors: [StoredToken.Relative] = [], siblings: [StoredToken.Relative] = [],
        expiresAt: Int64? = nil
    ) -> StoredToken {
        StoredToken(
            hash: .hash(1), family: "f", expiresAt: expiresAt ?? seconds + 1,
            successors: successors, siblings: siblings)
    }

    private func relative(_ byte: UInt8, isUsed: Bool, expiresAt: Int64 = 0)
        -> StoredToken.Relative
    {
        .init(hash: .hash(byte), expiresAt: expiresAt, isUsed: isUsed)
    }

    private func refusal(_ outcome: AccountOutcome<SessionRules.Renewal>) -> ProblemCode? {
        if case .refused(let error) = outcome.reply { error.code } else { nil }
    }

    private func renewed(_ outcome: AccountOutcome<SessionRules.Renewal>) -> Session? {
        if case .renewed(let session) = outcome.reply { session } else { nil }
    }

    private var end: [AccountChange] {
        [
            .revoke(.family("f", at: now.millisecondsSince1970)),
            .session(.remove(family: "f")),
        ]
    }

    // MARK: Stored tokens

    @Test func aStoredTokenIsRenewed() throws {
        let outcome = rules.renew(
            presented(claims()), over: snapshot(token: stored(), generation: 3))
        let session = try #require(renewed(outcome))
        let next = try #require(tokens.claims(of: session.refreshToken))
        var expected = claims(generation: 3, issuedAt: now.millisecondsSince1970)
        expected.number = 5
        #expect(next == expected)
        #expect(session.family == "f" && session.tokenGeneration == 2)
        #expect(session.authenticatedAt == 5)
        let row = TokenRow(
            hash: RefreshTokens.hash(session.refreshToken), family: "f", parent: .hash(1),
            expiresAt: expected.expiresAt, usedAt: nil, generation: 3)
        #expect(
            outcome.changes == [
                .session(.markUsed(.hash(1), at: seconds)), .session(.add(row, to: "u")),
            ])
        let again = rules.renew(
            presented(claims()), over: snapshot(token: stored(), generation: 3))
        #expect(again.changes == outcome.changes, "a decision that runs again decides the same")
    }

    @Test(
        arguments: [
            ([true], [], true), ([false, true], [], true), ([], [true], true),
            ([false, false], [false], false), ([], [], false),
        ] as [([Bool], [Bool], Bool)])
    func aTokenIsACopyOnceARelativeWasUsed(
        successors: [Bool], siblings: [Bool], isCopy: Bool
    ) {
        let token = stored(
            successors: successors.map { relative(2, isUsed: $0) },
            siblings: siblings.map { relative(3, isUsed: $0) })
        var snapshot = snapshot(token: token)
        snapshot.password = .sample("ada@example.org")
        let outcome = rules.renew(presented(claims()), over: snapshot)
        #expect(refusal(outcome) == (isCopy ? .reusedToken : nil))
        if isCopy { #expect(outcome.changes == end) }
    }

    /// Without a sign-in method the family goes on, and the copy gets one of its own once its limit was asked.
    @Test func aCopyGetsAFamilyOfItsOwnWhereNothingElseOpensTheAccount() throws {
        let snapshot = snapshot(token: stored(successors: [relative(2, isUsed: true)]))
        let asked = rules.renew(presented(claims()), over: snapshot)
        guard case .copied(let account) = asked.reply else {
            Issue.record("no copy")
            return
        }
        #expect(account == "u" && asked.changes.isEmpty)
        let opened = rules.renew(presented(claims()), copyFamily: "g", over: snapshot)
        let session = try #require(renewed(opened))
        #expect(session.family == "g" && session.authenticatedAt == 0)
        #expect(!opened.changes.contains(end[1]))
    }

    @Test func theOldestSpareSuccessorsMakeWay() {
        let spare = (2..<8).map { relative($0, isUsed: false, expiresAt: Int64($0)) }
        let outcome = rules.renew(
            presented(claims()), over: snapshot(token: stored(successors: spare)))
        let removed = spare.reversed().dropFirst(ServiceLimits.spareRefreshTokensMax)
        #expect(outcome.changes.last == .session(.removeTokens(removed.map(\.hash))))
    }

    @Test func anExpiredTokenIsNotRenewed() {
        let days = Int64(ServiceLimits.refreshTokenDays) * 86_400_000
        for late in [Int64(0), 1] {
            let old = claims(issuedAt: now.millisecondsSince1970 - days + late * 1000)
            let token = stored(expiresAt: old.expiresAt)
            let outcome = rules.renew(presented(old), over: snapshot(token: token))
            #expect(refusal(outcome) == (late == 0 ? .unauthorized : nil))
        }
    }

    /// Only about once a day, since each is a write to the account's row.
    @Test func aUseIsNotedOnceADay() throws {
        for (ago, isNoted) in [(Int64(86_400), false), (86_401, true)] {
            var snapshot = snapshot()
            snapshot.account?.lastUsedAt = seconds - ago
            let outcome = try rules.open(family: "g", isAuthenticated: true, over: snapshot)
            #expect(outcome.changes.contains(.setUse(of: "u", at: seconds)) == isNoted)
            #expect(outcome.reply.authenticatedAt == seconds)
        }
        #expect(
            try rules.open(family: "g", isAuthenticated: false, over: snapshot()).reply
                .authenticatedAt == 0)
        #expect(throws: RequestError.self) {
            try rules.open(family: "g", isAuthenticated: false, over: snapshot(account: false))
        }
    }

    // MARK: Tokens that prove themselves

    @Test func aTokenWithoutARowIsAdoptedInALaterGenerationOnly() throws {
        #expect(
            refusal(rules.renew(presented(claims()), over: snapshot())) == .unauthorized)
        let outcome = rules.renew(presented(claims()), over: snapshot(generation: 1))
        let session = try #require(renewed(outcome))
        #expect(tokens.claims(of: session.refreshToken)?.generation == 1)
        #expect(outcome.changes.first == .session(.remove(family: "f")))
        #expect(outcome.changes.count == 3)
        #expect(
            refusal(rules.renew(presented(nil), over: snapshot(generation: 1))) == .unauthorized)
    }

    @Test func aSessionThatWasRenewedSinceTheRestoreEnds() {
        var snapshot = snapshot(generation: 1)
        snapshot.session.isRenewed = true
        let copied = rules.renew(presented(claims()), copyFamily: "g", over: snapshot)
        #expect(renewed(copied)?.family == "g")
        snapshot.password = .sample("ada@example.org")
        let outcome = rules.renew(presented(claims()), over: snapshot)
        #expect(refusal(outcome) == .reusedToken && outcome.changes == end)
    }

    @Test func aMissingAccountIsCreatedAgainUnlessItWasDeleted() throws {
        var snapshot = snapshot(account: false)
        snapshot.revocations.allSessions = .sessions(
            of: "u", kept: "f", tokenGeneration: 9, at: now.millisecondsSince1970)
        let outcome = rules.renew(presented(claims()), over: snapshot)
        #expect(renewed(outcome)?.tokenGeneration == 9)
        #expect(outcome.changes.first == .create("u", tokenGeneration: 9, at: seconds))
        snapshot.revocations.isAccountDeleted = true
        #expect(refusal(rules.renew(presented(claims()), over: snapshot)) == .noAccount)
    }

    @Test(
        arguments: [
            ("f", Int64(0), false), ("g", -1, false), ("g", 0, true), ("", 1, true),
        ])
    func whatEndedBeforeOrWithTheTokenRefusesIt(kept: String, after: Int64, isRefused: Bool) {
        let claims = claims()
        var snapshot = snapshot(generation: 1)
        snapshot.revocations.allSessions = .sessions(
            of: "u", kept: kept, tokenGeneration: 1, at: claims.issuedAt + after)
        let outcome = rules.renew(presented(claims), over: snapshot)
        #expect((refusal(outcome) == .unauthorized) == isRefused)
        snapshot.revocations = KnownRevocations()
        snapshot.revocations.isSessionEnded = true
        #expect(refusal(rules.renew(presented(claims), over: snapshot)) == .unauthorized)
    }

    // MARK: Ending

    @Test func aRevokedTokenEndsItsSession() {
        #expect(rules.revoke(presented(nil), over: snapshot(token: stored())).changes == end)
        #expect(rules.revoke(presented(claims()), over: snapshot(account: false)).changes == end)
        #expect(rules.revoke(presented(nil), over: snapshot()).changes.isEmpty)
    }

    /// The table of `MarkComparison`.
    @Test(
        arguments: [
            (nil, nil, 0, MarkComparison(nil, false)), (nil, "m", 4, MarkComparison(5, true)),
            (("m", nil, 4), "m", 4, MarkComparison(nil, false)),
            (("l", "m", 4), "m", 4, MarkComparison(nil, false)),
            (("m", nil, 4), "m", 5, MarkComparison(nil, true)),
            (("m", nil, 4), "k", 3, MarkComparison(5, true)),
            (("m", nil, 4), "k", 9, MarkComparison(10, true)),
            (("m", nil, 4), nil, 0, MarkComparison(5, true)),
        ] as [((String, String?, Int64)?, String?, Int64, MarkComparison)])
    func aMarkThatTheDatabaseLacksMeansARestore(
        file: (String, String?, Int64)?, mark: String?, generation: Int64,
        expected: MarkComparison
    ) {
        let contents = file.map {
            InstanceMark.Contents(mark: $0.0, nextMark: $0.1, generation: $0.2)
        }
        #expect(MarkComparison(file: contents, mark: mark, generation: generation) == expected)
    }
}

extension MarkComparison {
    fileprivate init(_ nextGeneration: Int64?, _ isRestored: Bool) {
        self.init(file: nil, mark: nil, generation: 0)
        (self.nextGeneration, self.isRestored) = (nextGeneration, isRestored)
    }
}
