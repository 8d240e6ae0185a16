package import Crypto
package import Foundation
import JWTKit
import ServiceAPI

/// The user and session of a request's access token.
package struct AuthenticatedUser: Sendable, Hashable {
    /// The account's id.
    package let id: String
    /// The session: the family of refresh tokens that the access token belongs to.
    package let session: String
    /// The time of the last authentication by password or external token, in seconds since 1970.
    let authenticatedAt: Int64
    /// The account's token generation when the token was issued.
    let tokenGeneration: Int64

    /// Returns true when the last authentication is at most a few minutes old.
    package func isFresh(_ now: Date) -> Bool {
        let age = Int64(now.timeIntervalSince1970) - authenticatedAt
        return authenticatedAt > 0 && (0...Int64(ServiceLimits.freshSignInSeconds)).contains(age)
    }
}

/// The issuer and verifier of the server's short-lived tokens: HS256 with a key that only this server has.
package struct AccessTokens: Sendable {
    private struct Payload: JWTPayload {
        var iss: IssuerClaim
        var sub: SubjectClaim
        var exp: ExpirationClaim
        /// The session.
        var sid: String
        /// OpenID Connect Core 1.0, section 2.
        var auth_time: Int64
        var gen: Int64
        /// The pages that the token is for; `nil` for a token of the interface.
        var aud: String?

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    private static let issuer = "underway"
    private let keys: JWTKeyCollection

    package init(key: SymmetricKey) async {
        keys = await JWTKeyCollection().add(
            hmac: HMACKey(key: key), digestAlgorithm: .sha256)
    }

    /// Issues a token for a session.
    package func make(_ session: Session, now: Date) async throws -> String {
        let end = now.addingTimeInterval(TimeInterval(ServiceLimits.accessTokenSeconds))
        return try await keys.sign(
            Payload(
                iss: IssuerClaim(value: Self.issuer), sub: SubjectClaim(value: session.account),
                exp: ExpirationClaim(value: end), sid: session.family,
                auth_time: session.authenticatedAt, gen: session.tokenGeneration))
    }

    /// Issues a token for pages of a session; the interface rejects it.
    package func make(_ user: AuthenticatedUser, for pages: String, until end: Date) async throws
        -> String
    {
        try await keys.sign(
            Payload(
                iss: IssuerClaim(value: Self.issuer), sub: SubjectClaim(value: user.id),
                exp: ExpirationClaim(value: end), sid: user.session,
                auth_time: user.authenticatedAt, gen: user.tokenGeneration, aud: pages))
    }

    /// Returns the subject of a token; `nil` if the token is not from this server, has expired, or has another purpose.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - pages: The pages that the token is for; `nil` for the interface.
    ///   - now: The wall clock.
    /// - Returns: The subject.
    package func user(
        of token: String, for pages: String? = nil, now: Date
    ) async -> AuthenticatedUser? {
        guard TokenHeader(token)?.alg == "HS256",
            // Every failure means the same to the caller: the token is invalid.
            let payload = try? await keys.verify(token, as: Payload.self),
            payload.iss.value == Self.issuer, payload.exp.value > now, payload.aud == pages
        else { return nil }
        return AuthenticatedUser(
            id: payload.sub.value, session: payload.sid, authenticatedAt: payload.auth_time,
            tokenGeneration: payload.gen)
    }
}
