import Crypto
import Foundation
import JWTKit
import ServiceAPI
import Synchronization
import TestSupport
import Testing

@testable import Accounts
@testable import Ledger
@testable import Tables

/// What happens to an account between the search for the owner of an external identity and the request's transaction.
@Suite struct ExternalSignInMeanwhileTests {
    private struct Claims: JWTPayload {
        var iss: IssuerClaim = "https://issuer.example"
        var sub: SubjectClaim = "somebody"
        var aud: AudienceClaim = "app"
        var exp = ExpirationClaim(value: Date(timeIntervalSince1970: 1_900_000_000))

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    private let key = ES256PrivateKey()
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func token() async throws -> String {
        let keys = await JWTKeyCollection().add(ecdsa: key, kid: "one")
        return try await keys.sign(Claims(), kid: "one")
    }

    /// A host of the issuer's key.
    private func host() throws -> TinyHost {
        let parameters = try #require(key.parameters)
        let (x, y) = (Self.url(parameters.x), Self.url(parameters.y))
        let set = """
            {"keys":[{"kty":"EC","crv":"P-256","alg":"ES256","kid":"one","x":"\(x)","y":"\(y)"}]}
            """
        return try TinyHost { _ in .ok(set) }
    }

    private static func url(_ text: String) -> String {
        text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    @Test(arguments: AccountAdapter.allCases)
    func anIdentityThatIsRemovedMeanwhileOpensNoSession(adapter: AccountAdapter) async throws {
        let host = try host()
        defer { host.stop() }
        let world = try await adapter.make()
        let storage = MeanwhileAccounts(world.storage)
        let issuer = ExternalIssuer(
            issuer: "https://issuer.example", audience: "app", keys: host.url("/keys"),
            allowsPlainLoopback: true)
        let (folder, now) = (try TemporaryFolder(), now)
        let users = await UserBackend(
            accounts: storage, ledger: world.ledger,
            UserServiceOptions(
                folder: folder.url, issuers: [issuer], passwordRounds: 1 << 10),
            clock: { now }, key: SymmetricKey(size: .bits256))
        let token = try await token()
        let known = try await users.signIn(externalToken: token, user: nil, address: "a").user
        let identity = ExternalIdentity(issuer: "https://issuer.example", subject: "somebody")

        storage.meanwhile.withLock {
            $0 = { try await world.write(.signIn(.unlink(identity, from: known))) }
        }
        let code = await problemCode {
            _ = try await users.signIn(externalToken: token, user: nil, address: "a")
        }

        #expect(code == .wrongCredentials)
        // The identity belongs to nobody now, and opens an account of its own.
        let next = try await users.signIn(externalToken: token, user: nil, address: "a").user
        #expect(next != known)
    }
}

/// The accounts of a storage, with something that happens once after the owner of an identity was read.
private final class MeanwhileAccounts: ForwardingAccounts {
    let meanwhile = Mutex<(@Sendable () async throws -> Void)?>(nil)
    let accounts: any AccountStorage

    init(_ accounts: any AccountStorage) { self.accounts = accounts }

    func open(_ keys: AccountReadSet) async throws -> AccountSnapshot {
        let snapshot = try await accounts.open(keys)
        guard case .identity? = keys.account else { return snapshot }
        let run = meanwhile.withLock { body in
            defer { body = nil }
            return body
        }
        try await run?()
        return snapshot
    }

    func change<Reply: Sendable>(
        _ keys: AccountReadSet,
        _ decide: @escaping @Sendable (AccountSnapshot) throws -> AccountOutcome<Reply>
    ) async throws -> Reply {
        try await accounts.change(keys, decide)
    }
}
