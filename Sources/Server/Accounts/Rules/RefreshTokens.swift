package import Crypto
package import Foundation
import ServiceAPI

/// The claims that a refresh token proves without a row in the database.
package struct RefreshClaims: Sendable, Hashable {
    /// The account's id.
    var account: String
    /// The session: the family of all tokens that were renewed from one sign-in.
    var family: String
    /// The sequence number in its family, from 1.
    var number: Int64
    /// The time of issue, in milliseconds since 1970.
    var issuedAt: Int64
    /// The time of the last authentication by password or external token, in seconds since 1970.
    var authenticatedAt: Int64
    /// The server's generation at the time of issue; each restore of the database begins another.
    var generation: Int64

    /// The end of the token's validity, in seconds since 1970.
    var expiresAt: Int64 { Self.end(ofTokenIssuedAt: issuedAt) }

    /// Returns the end of the validity of a token that was issued at a time (milliseconds since 1970).
    static func end(ofTokenIssuedAt time: Int64) -> Int64 {
        time / 1000 + Int64(ServiceLimits.refreshTokenDays) * 86_400
    }

    /// Returns the claims of the next token of the same session.
    func next(issuedAt: Int64, generation: Int64) -> RefreshClaims {
        var next = self
        next.number += 1
        next.issuedAt = issuedAt
        next.generation = generation
        return next
    }
}

/// The issuer and verifier of refresh tokens: claims with an HMAC, whose key is stored apart from the database.
///
/// A restored backup lacks the tokens that were issued after it. Their proof lets the server restore such a session
/// instead of locking the device out.
///
/// The text is `r1.`, six claims, a random part, and the HMAC-SHA-256 of all of them, separated by dots.
package struct RefreshTokens: Sendable {
    private static let version = "r1"
    private static let partCount = 9
    private let key: SymmetricKey

    /// - Parameter serverKey: The server's secret; this type's own key is derived from it (RFC 5869).
    package init(serverKey: SymmetricKey) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: serverKey, info: Data("underway refresh tokens".utf8),
            outputByteCount: 32)
    }

    /// Issues a token; two tokens with the same claims differ by their random part.
    ///
    /// - Parameters:
    ///   - claims: The claims.
    ///   - chance: Random text that nobody can guess.
    /// - Returns: The token's text.
    func make(_ claims: RefreshClaims, chance: String) -> String {
        let body = [
            Self.version, Base64URL.text(Data(claims.account.utf8)), claims.family,
            String(claims.number), String(claims.issuedAt), String(claims.authenticatedAt),
            String(claims.generation), chance,
        ].joined(separator: ".")
        let code = HMAC<SHA256>.authenticationCode(for: Data(body.utf8), using: key)
        return body + "." + Base64URL.text(Data(code))
    }

    /// Returns the claims of a token; `nil` without a valid proof, as for tokens of earlier versions, which only their
    /// rows identify.
    package func claims(of token: String) -> RefreshClaims? {
        guard token.utf8.count <= 1024, let end = token.lastIndex(of: ".") else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == Self.partCount, parts[0] == Self.version,
            let code = Base64URL.bytes(parts[8]),
            HMAC<SHA256>.isValidAuthenticationCode(
                code, authenticating: Data(token[..<end].utf8), using: key),
            let account = Base64URL.bytes(parts[1]), let number = Int64(parts[3]),
            let issuedAt = Int64(parts[4]), let authenticatedAt = Int64(parts[5]),
            let generation = Int64(parts[6])
        else { return nil }
        return RefreshClaims(
            account: String(decoding: account, as: UTF8.self), family: String(parts[2]),
            number: number, issuedAt: issuedAt, authenticatedAt: authenticatedAt,
            generation: generation)
    }

    package static func hash(_ token: String) -> Data { Data(SHA256.hash(data: Data(token.utf8))) }
}
