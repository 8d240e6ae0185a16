public import Foundation
import JWTKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Another service whose signed tokens are believed, such as Apple, Auth0 or Supabase.
public struct ExternalIssuer: Sendable, Hashable {
    /// The `iss` of its tokens.
    public var issuer: String
    /// What `aud` must name.
    public var audience: String
    /// Where its public keys are: a file, or an https address that is asked again for new keys.
    public var keys: URL

    /// Describes an issuer.
    public init(issuer: String, audience: String, keys: URL) {
        self.issuer = issuer
        self.audience = audience
        self.keys = keys
    }
}

/// Who an external token says that somebody is.
struct ExternalIdentity: Sendable, Hashable {
    let issuer: String
    let subject: String
}

/// Checks tokens of other issuers, with public keys only, so that none of them can be made with what
/// everybody knows.
actor ExternalIssuers {
    private struct Payload: JWTPayload {
        var iss: IssuerClaim
        var sub: SubjectClaim
        var aud: AudienceClaim
        var exp: ExpirationClaim
        var nbf: NotBeforeClaim?

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    private struct Known {
        var keys: JWTKeyCollection
        var names: Set<String>
        var readAt: Date
    }

    private static let algorithms: Set<String> = [
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
    ]
    private static let keysBytesMax = 256 * 1024
    /// How long keys that do not know a token's are not asked for again, in seconds.
    private static let patience: TimeInterval = 300

    private let issuers: [String: ExternalIssuer]
    private var known: [String: Known] = [:]

    init(_ issuers: [ExternalIssuer]) {
        self.issuers = Dictionary(
            issuers.map { ($0.issuer, $0) }, uniquingKeysWith: { $1 })
    }

    /// Who a token speaks of; `nil` for every token that must not be believed.
    func identity(of token: String, now: Date) async -> ExternalIdentity? {
        guard let header = TokenHeader(token), let kid = header.kid,
            Self.algorithms.contains(header.alg),
            let claimed = try? await JWTKeyCollection().unverified(token, as: Payload.self).iss
                .value,
            let issuer = issuers[claimed], let keys = await keys(of: issuer, kid: kid, now: now),
            let payload = try? await keys.verify(token, as: Payload.self),
            payload.iss.value == issuer.issuer, payload.aud.value.contains(issuer.audience),
            payload.exp.value > now, payload.nbf.map({ $0.value <= now }) ?? true,
            !payload.sub.value.isEmpty, payload.sub.value.utf8.count <= 255
        else { return nil }
        return ExternalIdentity(issuer: issuer.issuer, subject: payload.sub.value)
    }

    /// The issuer's keys when they have that name, read again when they do not.
    private func keys(
        of issuer: ExternalIssuer, kid: String, now: Date
    ) async -> JWTKeyCollection? {
        if let known = known[issuer.issuer] {
            if known.names.contains(kid) { return known.keys }
            if abs(now.timeIntervalSince(known.readAt)) < Self.patience { return nil }
        }
        guard let bytes = await Self.read(issuer.keys),
            let set = try? JSONDecoder().decode(JWKS.self, from: bytes)
        else { return nil }
        var fresh = Known(keys: JWTKeyCollection(), names: [], readAt: now)
        for key in set.keys {
            guard let name = key.keyIdentifier?.string,
                [.rsa, .ecdsa, .octetKeyPair].contains(key.keyType),
                (try? await fresh.keys.add(jwk: key)) != nil
            else { continue }
            fresh.names.insert(name)
        }
        known[issuer.issuer] = fresh
        return fresh.names.contains(kid) ? fresh.keys : nil
    }

    private static func read(_ url: URL) async -> Data? {
        if url.isFileURL { return try? Data(contentsOf: url) }
        var request = URLRequest(url: url)
        request.timeoutInterval = 10
        guard let (data, response) = try? await URLSession.shared.data(for: request),
            (response as? HTTPURLResponse)?.statusCode == 200, data.count <= keysBytesMax
        else { return nil }
        return data
    }
}
