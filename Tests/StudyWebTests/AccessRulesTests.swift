import HTTPTypes
import PageRendering
import Testing
import Underway

@testable import StudyWeb

/// The decision about a request, by its fields alone.
@Suite struct AccessRulesTests {
    private static let port = 8_000

    private let rules: AccessRules
    private let host: String
    private let own: AccessRequest

    init() {
        var random = SeededRandom(seed: 7)
        rules = AccessRules(
            secrets: StudySecrets(BrowserLink(using: &random), using: &random), port: Self.port)
        host = "\(rules.secrets.link.host):8000"
        own = AccessRequest(
            method: .get, path: "/library", token: nil, host: host, origin: nil,
            fetchSite: nil, cookies: ["underway-8000": rules.secrets.cookie])
    }

    private func decide(_ change: (inout AccessRequest) -> Void) -> AccessDecision {
        var request = own
        change(&request)
        return rules.decide(request)
    }

    @Test func theLearnerIsAllowedAtTheOwnNameInAnyCase() {
        for name in [host, host.uppercased()] {
            #expect(decide { $0.host = name } == .allowed)
        }
    }

    @Test func aNameBesideTheOwnIsRefused() {
        for name in ["x\(host)", "x.\(host)", host + "0", String(host.dropLast(5)), " " + host] {
            #expect(decide { $0.host = name } == .otherHost)
        }
    }

    @Test(arguments: ["//evil.example/", "//evil.example", "/\\evil.example", "evil", ""])
    func noWelcomeLeadsToAnotherHost(path: String) {
        let welcome = decide {
            $0.path = path
            $0.token = rules.secrets.token
        }
        #expect(welcome == .welcomed(path: "/"))
    }

    @Test(arguments: [
        nil, "", "evil.example", "evil.example:8000", "127.0.0.1:8000", "localhost:8000",
        "127.0.0.1", "localhost", "127.0.0.1:8001",
        "127.0.0.1:80000", "127.0.0.1.evil.example:8000", "127.0.0.2:8000", "[::1]:8000",
        "0.0.0.0:8000", "localhost.:8000", " localhost:8000", "user@localhost:8000",
    ])
    func anotherHostIsRefusedEvenWithTheCookieAndTheToken(host: String?) {
        #expect(decide { $0.host = host } == .otherHost)
        #expect(
            decide {
                $0.host = host
                $0.token = rules.secrets.token
            } == .otherHost)
    }

    @Test func whoeverHasNeitherCookieNorTokenIsAStranger() {
        #expect(decide { $0.cookies = [:] } == .stranger)
        for wrong in ["", "x", rules.secrets.token, rules.secrets.form, rules.secrets.cookie + "x"]
        {
            #expect(decide { $0.cookies = ["underway-8000": wrong] } == .stranger)
        }
        #expect(decide { $0.cookies = ["underway-8001": rules.secrets.cookie] } == .stranger)
        #expect(
            decide {
                $0.cookies = [:]
                $0.token = rules.secrets.cookie
            } == .stranger)
    }

    @Test func theTokenIsExchangedByReadingOnly() {
        let welcomed = decide {
            $0.cookies = [:]
            $0.token = rules.secrets.token
        }
        #expect(welcomed == .welcomed(path: "/library"))
        let sent = decide {
            $0.cookies = [:]
            $0.token = rules.secrets.token
            $0.method = .post
            $0.origin = "http://\(host)"
        }
        #expect(sent == .stranger)
    }

    @Test func theTokenLeavesTheAddressOfWhoeverHasTheCookie() {
        #expect(decide { $0.token = "anything" } == .welcomed(path: "/library"))
    }

    @Test func aFormOfAnOwnPageIsAllowed() {
        for site in [nil, "same-origin"] {
            let decision = decide {
                $0.method = .post
                $0.origin = "http://\(host)"
                $0.fetchSite = site
            }
            #expect(decision == .allowed)
        }
    }

    @Test(arguments: [
        nil, "", "null", "https://127.0.0.1:8000", "http://127.0.0.1:8000", "http://localhost:8000",
        "http://127.0.0.1:8001", "http://127.0.0.1",
        "http://127.0.0.1:8000/", "http://127.0.0.1:8000.evil.example", "http://evil.example",
    ])
    func aFormOfAnotherOriginIsRefused(origin: String?) {
        for method in [HTTPRequest.Method.post, .put, .delete, .patch, .options] {
            let decision = decide {
                $0.method = method
                $0.origin = origin
            }
            #expect(decision == .otherOrigin)
        }
    }

    @Test(arguments: ["cross-site", "same-site", "none", ""])
    func aFormThatTheBrowserCallsForeignIsRefused(site: String) {
        let decision = decide {
            $0.method = .post
            $0.origin = "http://\(host)"
            $0.fetchSite = site
        }
        #expect(decision == .otherOrigin)
    }

    @Test func theSecretsOfARunAreLongAndDiffer() {
        var random = SystemRandomNumberGenerator()
        let runs = (0..<20).map { _ in StudySecrets(BrowserLink(), using: &random) }
        let all = runs.flatMap { [$0.token, $0.cookie, $0.form] }
        #expect(Set(all).count == all.count)
        // 256 bits in base 64, of characters that need no escape in an address, a cookie or a form.
        #expect(all.allSatisfy { $0.utf8.count == 43 })
        #expect(all.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil })
    }

    @Test func secretsAreEqualOnlyByteForByte() {
        #expect(PageSecrets.equal("abc", "abc"))
        for other in ["", "ab", "abcd", "abd", "Abc", "abc\u{0}"] {
            #expect(!PageSecrets.equal("abc", other))
        }
        // One character, two spellings: the same text for Swift, other bytes.
        #expect(!PageSecrets.equal("\u{E9}", "e\u{301}"))
    }
}
