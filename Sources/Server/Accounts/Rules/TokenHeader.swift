import Foundation

/// The header of a signed token (RFC 7515, section 4); trusted only to choose a key.
struct TokenHeader: Decodable {
    let alg: String
    let kid: String?

    private enum Key: String, CodingKey {
        case alg, kid, crit
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        // Section 4.1.11: extensions that are not supported make the token invalid. None is.
        guard !values.contains(.crit) else {
            throw DecodingError.dataCorruptedError(
                forKey: .crit, in: values, debugDescription: "no extension is understood")
        }
        alg = try values.decode(String.self, forKey: .alg)
        kid = try values.decodeIfPresent(String.self, forKey: .kid)
    }

    /// Reads the header of a token whose three parts have the canonical spelling.
    init?(_ token: String) {
        guard token.utf8.count <= 8 * 1024 else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.bytes(parts[0]),
            Base64URL.bytes(parts[1]) != nil, let signature = Base64URL.bytes(parts[2]),
            !signature.isEmpty,
            // An unreadable header is none; the caller rejects the token.
            let header = try? JSONDecoder().decode(TokenHeader.self, from: Data(bytes))
        else { return nil }
        self = header
    }
}
