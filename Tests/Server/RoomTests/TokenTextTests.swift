import Crypto
import Foundation
import TestSupport
import Testing

@testable import Accounts

/// The texts that strangers send: tokens, their headers, and emails.
@Suite struct TokenTextTests {
    @Test func bytesHaveOneSpelling() {
        var random = SeededGenerator(seed: 3)
        for count in 0...40 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            let text = Base64URL.text(bytes)
            #expect(Base64URL.bytes(text) == bytes, "seed 3, \(bytes)")
            #expect(text.allSatisfy { $0.isASCII && !"+/=".contains($0) })
        }
        #expect(Base64URL.text([0xFB, 0xFF]) == "-_8")
    }

    /// Each would be another text of a token that was revoked.
    @Test(arguments: ["-_8=", "+/8", "-_9", "-_8\n", " -_8", "-", "é", "-_8A="])
    func otherSpellingsAreNone(text: String) {
        #expect(Base64URL.bytes(text) == nil)
    }

    private func token(_ header: String, _ signature: String = "c2ln") -> String {
        Base64URL.text(Data(header.utf8)) + ".e30." + signature
    }

    @Test func aHeaderChoosesTheKey() {
        let header = TokenHeader(token(#"{"alg":"ES256","kid":"one","typ":"JWT"}"#))
        #expect(header?.alg == "ES256" && header?.kid == "one")
        #expect(TokenHeader(token(#"{"alg":"HS256"}"#))?.kid == nil)
        #expect(TokenHeader(token(#"{"alg":"HS256"}"#)) != nil)
    }

    /// RFC 7515, section 4.1.11, and everything that is no signed token at all.
    @Test func aHeaderThatIsNotUnderstoodIsNone() {
        let good = token(#"{"alg":"HS256"}"#)
        let long = token(#"{"alg":"HS256","x":""# + String(repeating: "x", count: 8192) + "\"}")
        for text in [
            token(#"{"alg":"HS256","crit":["exp"]}"#), token(#"{"alg":"HS256","crit":null}"#),
            token(#"{"kid":"one"}"#), token(#"{"alg":1}"#), token("[]"),
            token(#"{"alg":"HS256"}"#, ""), good + ".e30", good + "=", "." + good, "e30", "", long,
        ] {
            #expect(TokenHeader(text) == nil, "\(text.prefix(60))")
        }
    }

    @Test(
        arguments: [
            ("  Ada@Example.ORG ", "ada@example.org"), ("a+b@c.d", "a+b@c.d"), ("ä@b.c", "ä@b.c"),
            ("ada", nil), ("@b.c", nil), ("a@b", nil), ("a@b@c.d", nil), ("a b@c.d", nil),
            ("a@b.c\u{7F}", nil), ("a@b\n.c", nil), ("", nil),
        ] as [(String, String?)])
    func anEmailHasOneSpelling(text: String, email: String?) {
        #expect(Email(text)?.text == email)
    }

    @Test func anEmailIsAtMostAsLongAsMailAllows() {
        let rest = "@example.org"
        let name = String(repeating: "a", count: 254 - rest.count)
        #expect(Email(name + rest) != nil && Email("a" + name + rest) == nil)
    }

    @Test func aKeyIsMadeOnceAndPrivate() throws {
        let folder = try TemporaryFolder()
        let key = try ServerKey.read(in: folder.url)
        #expect(try ServerKey.read(in: folder.url) == key)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files == ["token-key"], "nothing is left beside it")
        let attributes = try FileManager.default.attributesOfItem(
            atPath: folder.path + "/token-key")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let other = try TemporaryFolder()
        #expect(try ServerKey.read(in: other.url) != key)
    }
}
