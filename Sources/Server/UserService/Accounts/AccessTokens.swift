import Crypto
import Foundation
import JWTKit
import ServiceAPI

/// The server's own short-lived tokens: HS256 with a key that only this server has.
struct AccessTokens: Sendable {
    private struct Payload: JWTPayload {
        var iss: IssuerClaim
        var sub: SubjectClaim
        var exp: ExpirationClaim

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    private static let issuer = "underway"
    private let keys: JWTKeyCollection

    init(key: SymmetricKey) async {
        keys = await JWTKeyCollection().add(
            hmac: HMACKey(key: key), digestAlgorithm: .sha256)
    }

    /// A token for a user.
    func make(user: String, now: Date) async throws -> String {
        let end = now.addingTimeInterval(TimeInterval(ServiceLimits.accessTokenSeconds))
        return try await keys.sign(
            Payload(
                iss: IssuerClaim(value: Self.issuer), sub: SubjectClaim(value: user),
                exp: ExpirationClaim(value: end)))
    }

    /// The user of a token; `nil` when it is not ours or not valid any more.
    func user(of token: String, now: Date) async -> String? {
        guard TokenHeader(token)?.alg == "HS256",
            let payload = try? await keys.verify(token, as: Payload.self),
            payload.iss.value == Self.issuer, payload.exp.value > now
        else { return nil }
        return payload.sub.value
    }
}

/// What a token says of its own signature; to be believed only as far as it may choose.
struct TokenHeader: Decodable {
    let alg: String
    let kid: String?

    init?(_ token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, token.utf8.count <= 8 * 1024,
            let bytes = Base64URL.bytes(String(parts[0])),
            let header = try? JSONDecoder().decode(TokenHeader.self, from: Data(bytes))
        else { return nil }
        self = header
    }
}

/// Base64 in the alphabet for addresses, without padding (RFC 4648, section 5).
enum Base64URL {
    static func text(_ bytes: some DataProtocol) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    static func bytes(_ text: String) -> [UInt8]? {
        var padded = text.replacing("-", with: "+").replacing("_", with: "/")
        padded += String(repeating: "=", count: (4 - padded.count % 4) % 4)
        return Data(base64Encoded: padded).map { [UInt8]($0) }
    }
}
