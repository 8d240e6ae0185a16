import Foundation
import ServiceAPI
import WebTransfer

/// Tokens and the origin that issued them; they are sent nowhere else.
struct BoundTokens: Sendable {
    var tokens: AccountBody.Tokens
    /// The issuer.
    var origin: String

    /// Binds tokens to the server that issued them.
    init(_ tokens: AccountBody.Tokens, from client: ServiceClient) throws {
        self.tokens = tokens
        origin = "\(try client.origin)"
    }

    /// Reads the stored form.
    ///
    /// - Throws: `DecodingError`.
    init(stored: Data) throws {
        let decoder = JSONDecoder()
        tokens = try decoder.decode(AccountBody.Tokens.self, from: stored)
        origin = try decoder.decode(Issuer.self, from: stored).origin
    }

    /// The stored form: the tokens' own members, and `origin` beside them.
    var stored: Data { get throws { try JSONEncoder().encode(self) } }

    /// Checks that a server is the one that issued the tokens.
    ///
    /// - Throws: `ServiceError` `otherServer` naming both.
    func check(_ client: ServiceClient) throws {
        let other = try client.origin
        guard origin != "\(other)" else { return }
        throw ServiceError(
            .otherServer,
            "This account belongs to \(origin); nothing of it is sent to \(other)."
                + " Use the address of \(origin), or sign in at \(other).")
    }
}

extension BoundTokens: Encodable {
    private struct Issuer: Codable {
        var origin: String
    }

    func encode(to encoder: any Encoder) throws {
        try tokens.encode(to: encoder)
        try Issuer(origin: origin).encode(to: encoder)
    }
}

extension ServiceClient {
    /// The server's scheme, host and port.
    ///
    /// - Throws: `ServiceError` `badAddress`.
    var origin: WebOrigin {
        get throws {
            guard let origin = WebOrigin(baseURL) else {
                throw ServiceError(
                    .badAddress,
                    "\"\(baseURL)\" is not an address. Use one that begins with https://.")
            }
            return origin
        }
    }
}
