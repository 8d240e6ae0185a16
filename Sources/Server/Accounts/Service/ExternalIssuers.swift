package import Foundation
import JWTKit

/// An external issuer of trusted tokens, such as Apple, Auth0 or Supabase.
package struct ExternalIssuer: Sendable, Hashable {
    /// The `iss` of its tokens.
    package var issuer: String
    /// The required `aud`.
    package var audience: String
    /// The location of its public keys: a file, or an https URL that is fetched again for new keys.
    package var keys: URL
    /// True to trust keys fetched over plain http from this machine, as tests do.
    package var allowsPlainLoopback: Bool

    /// Creates an issuer.
    package init(issuer: String, audience: String, keys: URL, allowsPlainLoopback: Bool = false) {
        self.issuer = issuer
        self.audience = audience
        self.keys = keys
        self.allowsPlainLoopback = allowsPlainLoopback
    }
}

/// The subject of a verified external token.
package struct ExternalIdentity: Sendable, Hashable, Comparable {
    /// The issuer's `iss`.
    package let issuer: String
    /// The issuer's name for the user.
    package let subject: String

    package init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    /// Orders by the bytes of issuer and subject, as all databases do.
    package static func < (left: ExternalIdentity, right: ExternalIdentity) -> Bool {
        guard left.issuer == right.issuer else {
            return left.issuer.utf8.lexicographicallyPrecedes(right.issuer.utf8)
        }
        return left.subject.utf8.lexicographicallyPrecedes(right.subject.utf8)
    }
}

/// The verifier of external tokens; it accepts public keys only, since a shared secret could also sign.
package struct ExternalIssuers: Sendable {
    private struct Payload: JWTPayload {
        var iss: IssuerClaim
        var sub: SubjectClaim
        var aud: AudienceClaim
        var exp: ExpirationClaim
        var nbf: NotBeforeClaim?

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    private static let algorithms: Set<String> = [
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
    ]

    private let issuers: [String: (issuer: ExternalIssuer, keys: IssuerKeys)]

    package init(_ issuers: [ExternalIssuer]) {
        self.issuers = Dictionary(
            issuers.map { ($0.issuer, ($0, IssuerKeys($0))) }, uniquingKeysWith: { $1 })
    }

    /// Returns the subject of a token; `nil` for an untrusted token.
    ///
    /// - Throws: `RequestError` `busy` when the issuer's keys are unavailable.
    package func identity(of token: String, now: Date) async throws -> ExternalIdentity? {
        guard let header = TokenHeader(token), let kid = header.kid, kid.utf8.count <= 255,
            Self.algorithms.contains(header.alg),
            // Every failure to read or verify means the same: the token is not trusted.
            let claimed = try? await JWTKeyCollection().unverified(token, as: Payload.self).iss
                .value,
            let (issuer, source) = issuers[claimed],
            let keys = try await source.keys(for: kid, now: now),
            let payload = try? await keys.verify(token, as: Payload.self),
            payload.iss.value == issuer.issuer, payload.aud.value.contains(issuer.audience),
            payload.exp.value > now, payload.nbf.map({ $0.value <= now }) ?? true,
            !payload.sub.value.isEmpty, payload.sub.value.utf8.count <= 255,
            // No text of PostgreSQL can contain NUL, and no issuer has such a subject.
            !payload.sub.value.utf8.contains(0)
        else { return nil }
        return ExternalIdentity(issuer: issuer.issuer, subject: payload.sub.value)
    }
}
