import Accounts
import Foundation
import JWTKit
import Ledger
import ServiceAPI
import Synchronization
import TestSupport
import Testing

/// The keys of other issuers, as they come over a network that is not friendly.
@Suite struct IssuerTests {
    private struct Claims: JWTPayload {
        var iss: IssuerClaim = "https://issuer.example"
        var sub: SubjectClaim = "somebody"
        var aud: AudienceClaim = "app"
        var exp: ExpirationClaim

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    private static let end = Date(timeIntervalSince1970: 1_900_000_000)
    private let key = ES256PrivateKey()

    /// The issuer's key set; `count` further keys have other names.
    private func keySet(_ kid: String = "one", count: Int = 0) throws -> String {
        let parameters = try #require(key.parameters)
        func url(_ text: String) -> String {
            text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        func json(_ kid: String) -> String {
            """
            {"kty":"EC","crv":"P-256","alg":"ES256","kid":"\(kid)",
            "x":"\(url(parameters.x))","y":"\(url(parameters.y))"}
            """
        }
        let keys = [json(kid)] + (0..<count).map { json("k\($0)") }
        return "{\"keys\":[\(keys.joined(separator: ","))]}"
    }

    private func token(_ kid: String = "one", fields: JWTHeader = [:]) async throws -> String {
        let keys = await JWTKeyCollection().add(ecdsa: key, kid: JWKIdentifier(string: kid))
        return try await keys.sign(
            Claims(exp: .init(value: Self.end)), kid: JWKIdentifier(string: kid), header: fields)
    }

    private func service(_ keys: URL, plain: Bool = true) async throws -> ServiceFixture {
        try await ServiceFixture(issuers: [
            ExternalIssuer(
                issuer: "https://issuer.example", audience: "app", keys: keys,
                allowsPlainLoopback: plain)
        ])
    }

    private func signIn(_ service: ServiceFixture, _ token: String) async -> ProblemCode? {
        await problemCode {
            _ = try await service.users.signIn(externalToken: token, user: nil, address: "a")
        }
    }

    @Test func plainHTTPIsRefusedUnlessATestSaysSo() async throws {
        let set = try keySet()
        let host = try TinyHost { _ in .ok(set) }
        defer { host.stop() }
        let token = try await token()
        #expect(
            await signIn(try await service(host.url("/keys"), plain: false), token) == .busy)
        #expect(host.paths.isEmpty)
        #expect(await signIn(try await service(host.url("/keys")), token) == nil)
        #expect(host.paths == ["/keys"])
    }

    @Test func aRedirectToAnotherOriginIsNotFollowed() async throws {
        let set = try keySet()
        let other = try TinyHost { _ in .ok(set) }
        defer { other.stop() }
        let target = other.url("/keys").absoluteString
        let host = try TinyHost { path in
            switch path {
            case "/away":
                TinyHost.Reply(
                    "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: \(target)\r\n"
                        + "Content-Length: 0\r\n\r\n")
            case "/moved":
                TinyHost.Reply(
                    "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: /keys\r\n"
                        + "Content-Length: 0\r\n\r\n")
            default: .ok(set)
            }
        }
        defer { host.stop() }
        let token = try await token()
        #expect(await signIn(try await service(host.url("/away")), token) == .busy)
        #expect(other.paths.isEmpty)
        #expect(await signIn(try await service(host.url("/moved")), token) == nil)
    }

    @Test func endlessAndLongKeysAreCutOff() async throws {
        let piece = [UInt8](repeating: 32, count: 64 * 1024)
        let length = ServiceLimits.issuerKeysBytesMax + 1
        let host = try TinyHost { path in
            path == "/endless"
                ? TinyHost.Reply("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", endless: piece)
                : TinyHost.Reply(
                    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(length)\r\n\r\n",
                    endless: piece)
        }
        defer { host.stop() }
        let token = try await token()
        for path in ["/endless", "/long"] {
            #expect(await signIn(try await service(host.url(path)), token) == .busy, "\(path)")
        }
        // A session on Linux reads a little on before it hangs up; nothing of that is stored.
        let end = ContinuousClock.now + .seconds(30)
        while host.openCount > 0, ContinuousClock.now < end { await Task.yield() }
        #expect(host.openCount == 0, "still reading after \(host.sent) bytes")
    }

    /// URLSession on Linux ends the whole process at such a reply.
    @Test func aReplyThatIsCutInItsHeadEndsNothing() async throws {
        let host = try TinyHost { _ in TinyHost.Reply("HTTP/1.1 200 OK\r\nContent-Le") }
        defer { host.stop() }
        let token = try await token()
        #expect(await signIn(try await service(host.url("/keys")), token) == .busy)
    }

    @Test func tooManyKeysAreNotBelieved() async throws {
        let set = try keySet(count: ServiceLimits.issuerKeysMax)
        let host = try TinyHost { _ in .ok(set) }
        defer { host.stop() }
        #expect(await signIn(try await service(host.url("/")), try await token()) == .busy)
    }

    @Test func aFailureIsRememberedAndAskedForOnce() async throws {
        let set = try keySet()
        let isGood = Mutex(false)
        let host = try TinyHost { _ in
            isGood.withLock { $0 }
                ? .ok(set)
                : TinyHost.Reply(
                    "HTTP/1.1 500 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        }
        defer { host.stop() }
        let service = try await service(host.url("/"))
        let token = try await token()
        let codes = await withTaskGroup(of: ProblemCode?.self) { group in
            for _ in 0..<20 { group.addTask { await signIn(service, token) } }
            return await group.reduce(into: [ProblemCode?]()) { $0.append($1) }
        }
        #expect(codes.allSatisfy { $0 == .busy })
        #expect(host.paths.count == 1)
        isGood.withLock { $0 = true }
        #expect(await signIn(service, token) == .busy)
        #expect(host.paths.count == 1)
        service.advance(days: 10.0 / 86_400)
        #expect(await signIn(service, token) == nil)
        #expect(await signIn(service, token) == nil)
        #expect(host.paths.count == 2)
    }

    // MARK: Spellings

    /// RFC 7515, section 4.1.11, and one spelling for each token.
    @Test func extensionsAndOtherSpellingsAreRefused() async throws {
        let folder = try TemporaryFolder()
        try folder.write(try keySet(), to: "keys.json")
        let service = try await service(folder.url.appending(path: "keys.json"))
        let good = try await token()
        #expect(await signIn(service, good) == nil)
        let critical = try await token(fields: ["crit": ["exp"]])
        #expect(await signIn(service, critical) == .wrongCredentials)
        let parts = good.split(separator: ".").map(String.init)
        for (name, text) in [
            ("padded signature", good + "=="), ("padded twice", good + "===="),
            ("padded header", "\(parts[0])=.\(parts[1]).\(parts[2])"),
            ("unused bits", otherBits(good)),
        ] {
            #expect(await signIn(service, text) == .wrongCredentials, "\(name)")
        }
        let own = try await service.user().accessToken
        for text in [own + "=", otherBits(own)] {
            #expect(
                await problemCode {
                    _ = try await service.users.authentication.user("Bearer " + text)
                }
                    == .unauthorized)
        }
    }

    /// Another last letter that decodes to the same bytes: 64 or 32 bytes leave bits unused.
    private func otherBits(_ token: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        guard let last = token.last, let index = alphabet.firstIndex(of: last) else { return "" }
        return token.dropLast() + String(alphabet[index ^ 1])
    }
}
