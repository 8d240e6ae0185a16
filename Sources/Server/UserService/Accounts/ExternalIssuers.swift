public import Foundation
import JWTKit
import ServiceAPI

/// Another service whose signed tokens are believed, such as Apple, Auth0 or Supabase.
public struct ExternalIssuer: Sendable, Hashable {
    /// The `iss` of its tokens.
    public var issuer: String
    /// What `aud` must name.
    public var audience: String
    /// Where its public keys are: a file, or an https address that is asked again for new keys.
    public var keys: URL
    /// True to believe keys that come by plain http from this machine, as tests do.
    public var allowsPlainLoopback: Bool

    /// Describes an issuer.
    public init(issuer: String, audience: String, keys: URL, allowsPlainLoopback: Bool = false) {
        self.issuer = issuer
        self.audience = audience
        self.keys = keys
        self.allowsPlainLoopback = allowsPlainLoopback
    }
}

/// Who an external token says that somebody is.
struct ExternalIdentity: Sendable, Hashable {
    let issuer: String
    let subject: String
}

/// Checks tokens of other issuers, with public keys only, so that none of them can be made with what
/// everybody knows.
struct ExternalIssuers: Sendable {
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

    init(_ issuers: [ExternalIssuer]) {
        self.issuers = Dictionary(
            issuers.map { ($0.issuer, ($0, IssuerKeys($0))) }, uniquingKeysWith: { $1 })
    }

    /// Returns who a token speaks of; `nil` for every token that must not be believed.
    ///
    /// - Throws: `UserServiceError` `busy` when the issuer's keys cannot be had now.
    func identity(of token: String, now: Date) async throws -> ExternalIdentity? {
        guard let header = TokenHeader(token), let kid = header.kid, kid.utf8.count <= 255,
            Self.algorithms.contains(header.alg),
            // Every failure to read or verify means the same: the token is not believed.
            let claimed = try? await JWTKeyCollection().unverified(token, as: Payload.self).iss
                .value,
            let (issuer, source) = issuers[claimed],
            let keys = try await source.keys(for: kid, now: now),
            let payload = try? await keys.verify(token, as: Payload.self),
            payload.iss.value == issuer.issuer, payload.aud.value.contains(issuer.audience),
            payload.exp.value > now, payload.nbf.map({ $0.value <= now }) ?? true,
            !payload.sub.value.isEmpty, payload.sub.value.utf8.count <= 255
        else { return nil }
        return ExternalIdentity(issuer: issuer.issuer, subject: payload.sub.value)
    }
}
