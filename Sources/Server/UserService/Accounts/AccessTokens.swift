import Crypto
import Foundation
import JWTKit
import ServiceAPI

/// The user and session that a request's access token speaks for.
public struct AuthenticatedUser: Sendable, Hashable {
    /// The account's id.
    public let id: String
    /// The session: the family of refresh tokens that the access token came from.
    let session: String
    /// The last time that a password or an external token was shown, in seconds since 1970.
    let authenticatedAt: Int64
    /// The account's token generation when the token was made.
    let tokenGeneration: Int64

    /// True when a password or an external token was shown a few minutes ago.
    func isFresh(_ now: Date) -> Bool {
        let age = Int64(now.timeIntervalSince1970) - authenticatedAt
        return authenticatedAt > 0 && (0...Int64(ServiceLimits.freshSignInSeconds)).contains(age)
    }
}

/// The server's own short-lived tokens: HS256 with a key that only this server has.
struct AccessTokens: Sendable {
    private struct Payload: JWTPayload {
        var iss: IssuerClaim
        var sub: SubjectClaim
        var exp: ExpirationClaim
        /// The session; tokens of earlier versions have none of the members that follow.
        var sid: String?
        /// OpenID Connect Core 1.0, section 2.
        var auth_time: Int64?
        var gen: Int64?

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    private static let issuer = "underway"
    private let keys: JWTKeyCollection

    init(key: SymmetricKey) async {
        keys = await JWTKeyCollection().add(
            hmac: HMACKey(key: key), digestAlgorithm: .sha256)
    }

    /// Makes a token for a session.
    func make(_ session: Session, now: Date) async throws -> String {
        let end = now.addingTimeInterval(TimeInterval(ServiceLimits.accessTokenSeconds))
        return try await keys.sign(
            Payload(
                iss: IssuerClaim(value: Self.issuer), sub: SubjectClaim(value: session.account),
                exp: ExpirationClaim(value: end), sid: session.family,
                auth_time: session.authenticatedAt, gen: session.tokenGeneration))
    }

    /// Returns who a token speaks for; `nil` when it is not ours or has expired.
    func user(of token: String, now: Date) async -> AuthenticatedUser? {
        guard TokenHeader(token)?.alg == "HS256",
            // Every failure means the same to the caller: the token is not valid.
            let payload = try? await keys.verify(token, as: Payload.self),
            payload.iss.value == Self.issuer, payload.exp.value > now
        else { return nil }
        return AuthenticatedUser(
            id: payload.sub.value, session: payload.sid ?? "",
            authenticatedAt: payload.auth_time ?? 0, tokenGeneration: payload.gen ?? 0)
    }
}
