import Crypto
import Foundation
import GRDB
import JWTKit
import ServiceAPI
import Tables
import TestSupport
import Testing
import UserData

@testable import Accounts
@testable import Ledger

@Suite struct AccountTests {
    private struct Claims: JWTPayload {
        var iss: IssuerClaim = "https://issuer.example"
        var sub: SubjectClaim = "somebody"
        var aud: AudienceClaim = "app"
        var exp: ExpirationClaim

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    @Test func anAccountIsUpgradedAndOpenedElsewhere() async throws {
        let service = try await ServiceFixture()
        let tokens = try await service.user()
        try await service.users.upgrade(
            try await service.caller(tokens), email: " Ada@Example.org ", password: "correct horse",
            address: "a")
        let again = try await service.users.signIn(
            email: "ada@example.org", password: "correct horse", address: "b")
        #expect(again.user == tokens.user && again.refreshToken != tokens.refreshToken)
        for (email, password) in [
            ("ada@example.org", "correct horsf"), ("eve@example.org", "correct horse"), ("", ""),
        ] {
            let found = await problemCode {
                _ = try await service.users.signIn(
                    email: email, password: password, address: "b")
            }
            #expect(found == .wrongCredentials)
        }
    }

    @Test(arguments: [
        ("no email", "long enough"), ("a@b", "long enough"), ("a@b.c", "short"),
        ("a b@c.d", "long enough"), ("a@b.c", String(repeating: "x", count: 300)),
    ])
    func badCredentialsAreNotTaken(email: String, password: String) async throws {
        let service = try await ServiceFixture()
        let user = try await service.caller(try await service.user())
        let found = await problemCode {
            try await service.users.upgrade(user, email: email, password: password, address: "a")
        }
        #expect(found == .invalidRequest)
    }

    @Test func anEmailBelongsToOneAccount() async throws {
        let service = try await ServiceFixture()
        let one = try await service.caller(try await service.user())
        let other = try await service.caller(try await service.user())
        try await service.users.upgrade(one, email: "a@b.c", password: "12345678", address: "a")
        try await service.users.upgrade(
            one, email: "a@b.c", password: "87654321", currentPassword: "12345678", address: "a")
        let found = await problemCode {
            try await service.users.upgrade(
                other, email: "a@b.c", password: "12345678", address: "a")
        }
        #expect(found == .emailTaken)
    }

    // MARK: Tokens

    @Test func anAccessTokenLastsMinutes() async throws {
        let service = try await ServiceFixture()
        let tokens = try await service.user()
        #expect(
            try await service.users.authentication.user("Bearer " + tokens.accessToken)
                == tokens.user)
        service.advance(days: Double(ServiceLimits.accessTokenSeconds + 1) / 86_400)
        #expect(
            await problemCode {
                _ = try await service.users.authentication.user("Bearer " + tokens.accessToken)
            }
                == .unauthorized)
    }

    /// Makes an account that an email opens.
    private func signUp(_ service: ServiceFixture) async throws -> SessionTokens {
        let tokens = try await service.user()
        try await service.users.upgrade(
            try await service.caller(tokens), email: "ada@example.org", password: "12345678",
            address: "a")
        return tokens
    }

    @Test func aRefreshTokenIsUsedUp() async throws {
        let service = try await ServiceFixture()
        let first = try await signUp(service)
        let second = try await service.users.refresh(first.refreshToken, address: "a")
        // The answer may have been lost: the old one works until the new one was used.
        let third = try await service.users.refresh(first.refreshToken, address: "a")
        _ = try await service.users.refresh(third.refreshToken, address: "a")
        for stolen in [first, second] {
            let found = await problemCode {
                _ = try await service.users.refresh(stolen.refreshToken, address: "a")
            }
            #expect(found == .reusedToken || found == .unauthorized)
        }
    }

    @Test func aStolenTokenEndsTheFamily() async throws {
        let service = try await ServiceFixture()
        let first = try await signUp(service)
        let second = try await service.users.refresh(first.refreshToken, address: "a")
        let third = try await service.users.refresh(second.refreshToken, address: "a")
        #expect(
            await problemCode {
                _ = try await service.users.refresh(first.refreshToken, address: "x")
            }
                == .reusedToken)
        // Nobody can tell thief from owner, so both have to sign in again.
        #expect(
            await problemCode {
                _ = try await service.users.refresh(third.refreshToken, address: "a")
            }
                == .unauthorized)
    }

    /// Nothing else opens the account: a device that was put back from a backup goes on beside its live copy, until a
    /// sign-in method ends all other sessions.
    @Test func aCopyOfADeviceWithoutASignInMethodGoesOn() async throws {
        let service = try await ServiceFixture()
        let users = service.users
        let backup = try await service.user()
        let second = try await users.refresh(backup.refreshToken, address: "a")
        var live = try await users.refresh(second.refreshToken, address: "a")

        let copy = try await users.refresh(backup.refreshToken, address: "a")

        #expect(copy.isCopied && !live.isCopied && copy.user == backup.user)
        live = try await users.refresh(live.refreshToken, address: "a")
        #expect(!live.isCopied)
        let next = try await users.refresh(copy.refreshToken, address: "a")
        #expect(!next.isCopied)
        try await users.upgrade(
            try await service.caller(live), email: "ada@example.org", password: "12345678",
            address: "a")
        #expect(try await users.authentication.user("Bearer " + live.accessToken) == live.user)
        #expect(
            await problemCode {
                _ = try await users.authentication.user("Bearer " + next.accessToken)
            }
                == .unauthorized)
        #expect(
            await problemCode { _ = try await users.refresh(next.refreshToken, address: "a") }
                == .unauthorized)
    }

    @Test func copiesOfAnAccountAreBounded() async throws {
        let service = try await ServiceFixture()
        let first = try await service.user()
        var last = first
        for _ in 0..<2 {
            last = try await service.users.refresh(last.refreshToken, address: "a")
        }
        for _ in 0..<ServiceLimits.copiedSessionsPerDay {
            #expect(
                try await service.users.refresh(first.refreshToken, address: "a").isCopied)
        }
        #expect(
            await problemCode {
                _ = try await service.users.refresh(first.refreshToken, address: "a")
            } == .tooManyRequests)
        service.advance(days: 2)
        #expect(try await service.users.refresh(first.refreshToken, address: "a").isCopied)
    }

    /// Also while none of its successors was used.
    @Test func oneTokenGivesABoundedNumberOfSuccessors() async throws {
        let service = try await ServiceFixture()
        let first = try await service.user()
        for _ in 0..<ServiceLimits.renewalsOfTokenPerDay {
            _ = try await service.users.refresh(first.refreshToken, address: "a")
        }
        #expect(
            await problemCode {
                _ = try await service.users.refresh(first.refreshToken, address: "b")
            } == .tooManyRequests)
    }

    @Test func revokedAndExpiredTokensAreVoid() async throws {
        let service = try await ServiceFixture()
        let (one, other) = (try await service.user(), try await service.user())
        try await service.users.revoke(one.refreshToken)
        #expect(
            await problemCode {
                _ = try await service.users.refresh(one.refreshToken, address: "a")
            }
                == .unauthorized)
        service.advance(days: Double(ServiceLimits.refreshTokenDays) + 1)
        #expect(
            await problemCode {
                _ = try await service.users.refresh(other.refreshToken, address: "a")
            }
                == .unauthorized)
    }

    /// `none`, another key, another algorithm, another issuer, and what is no token at all.
    @Test func tokensThatAreNotOursAreNotBelieved() async throws {
        let service = try await ServiceFixture()
        let tokens = try await service.user()
        let parts = tokens.accessToken.split(separator: ".").map(String.init)
        let none = Data(#"{"alg":"none","typ":"JWT"}"#.utf8).base64EncodedString()
        let keys = await JWTKeyCollection().add(
            hmac: "a secret that somebody guessed at once", digestAlgorithm: .sha256)
        var claims = Claims(exp: .init(value: service.now + 600))
        claims.iss = "underway"
        claims.sub = SubjectClaim(value: tokens.user)
        let forged = try await keys.sign(claims)
        for token in [
            "\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])",
            "\(parts[0]).\(parts[1]).AAAA", "\(parts[0]).\(parts[1])", forged, "", "a.b.c", "é.é.é",
            String(repeating: "a", count: 100_000),
        ] {
            #expect(
                await problemCode {
                    _ = try await service.users.authentication.user("Bearer " + token)
                }
                    == .unauthorized)
        }
        #expect(
            await problemCode { _ = try await service.users.authentication.user(nil) }
                == .unauthorized)
        #expect(
            await problemCode {
                _ = try await service.users.authentication.user("Basic " + tokens.accessToken)
            }
                == .unauthorized)
    }

    // MARK: Other issuers

    /// An issuer with one key, and a service that believes it.
    private struct Issuer {
        let folder: TemporaryFolder
        let key = ES256PrivateKey()
        let issuer: ExternalIssuer

        init() throws {
            folder = try TemporaryFolder()
            let parameters = try #require(key.parameters)
            func url(_ text: String) -> String {
                text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            }
            try folder.write(
                """
                {"keys":[{"kty":"EC","crv":"P-256","alg":"ES256","kid":"one",
                "x":"\(url(parameters.x))","y":"\(url(parameters.y))"}]}
                """, to: "keys.json")
            issuer = ExternalIssuer(
                issuer: "https://issuer.example", audience: "app",
                keys: folder.url.appending(path: "keys.json"))
        }

        func sign(_ claims: Claims, kid: JWKIdentifier = "one") async throws -> String {
            let keys = await JWTKeyCollection().add(ecdsa: key, kid: kid)
            return try await keys.sign(claims, kid: kid)
        }
    }

    @Test func anExternalIdentityOpensItsAccount() async throws {
        let issuer = try Issuer()
        let service = try await ServiceFixture(issuers: [issuer.issuer])
        let token = try await issuer.sign(Claims(exp: .init(value: service.now + 600)))
        let anonymous = try await service.user()
        let linked = try await service.users.signIn(
            externalToken: token, user: try await service.caller(anonymous), address: "a")
        #expect(linked.user == anonymous.user)
        let again = try await service.users.signIn(externalToken: token, user: nil, address: "a")
        #expect(again.user == anonymous.user)
    }

    @Test func externalTokensThatAreWrongAreNotBelieved() async throws {
        let issuer = try Issuer()
        let service = try await ServiceFixture(issuers: [issuer.issuer])
        let good = Claims(exp: .init(value: service.now + 600))
        var expired = good
        expired.exp = .init(value: service.now - 1)
        var otherAudience = good
        otherAudience.aud = "another"
        var otherIssuer = good
        otherIssuer.iss = "https://another.example"
        // The public key used as the secret of an HMAC, which is what "HS for RS" means.
        let pem = issuer.key.publicKey.pemRepresentation
        let confused = try await JWTKeyCollection()
            .add(hmac: HMACKey(from: pem), digestAlgorithm: .sha256, kid: "one")
            .sign(good, kid: "one")
        for token in [
            try await issuer.sign(expired), try await issuer.sign(otherAudience),
            try await issuer.sign(otherIssuer), try await issuer.sign(good, kid: "two"), confused,
        ] {
            let found = await problemCode {
                _ = try await service.users.signIn(externalToken: token, user: nil, address: "a")
            }
            #expect(found == .wrongCredentials)
        }
    }

    // MARK: Limits, export and deletion

    @Test func signInsAreLimitedByAddress() async throws {
        let service = try await ServiceFixture()
        var found: ProblemCode?
        for _ in 0...ServiceLimits.signInsPerMinute where found == nil {
            found = await problemCode {
                _ = try await service.users.makeAnonymousAccount(address: "one")
            }
        }
        #expect(found == .tooManyRequests)
        _ = try await service.users.makeAnonymousAccount(address: "two")
        service.advance(days: 1 / 1440)
        _ = try await service.users.makeAnonymousAccount(address: "one")
    }

    @Test func deletingAnAccountDeletesEverything() async throws {
        let service = try await ServiceFixture()
        let user = try await service.user().user
        _ = try await service.send(user, [service.put("exams", "a", ["n": 1], 1)])
        var before = service.users.export(user)
        #expect(try await before.next() != nil)
        try await service.users.delete(user)
        #expect(await problemCode { _ = try await before.next() } == .noAccount)
        #expect(await problemCode { _ = try await service.send(user, number: 2) } == .noAccount)
        for table in ["record", "device", "result", "answer", "refresh_token", "mark"] {
            let count = try await service.database.connections.read { database in
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)")
            }
            #expect(count == 0, "\(table)")
        }
    }
}
