import Accounts
import ContentServer
import Foundation
import HTTPTypes
import Ledger
import PageRendering
import TestSupport
import Testing

@testable import DeskWeb

/// Who gets in, and what a browser must send.
struct DeskAccessTests {
    /// Who may take each route: an author (a), a publisher (p), an administrator (m), or anybody (-).
    private static let table = [
        "GET ": "apm",
        "GET /account": "apm",
        "POST /account/theme": "apm",
        "POST /account/end-sessions": "apm",
        "POST /sign-out": "apm",
        "GET /sign-in": "-",
        "POST /sign-in": "-",
        "GET /questions": "ap",
        "GET /questions/duplicates": "ap",
        "GET /questions/new": "a",
        "POST /questions/new": "a",
        "POST /questions/change": "a",
        "GET /questions/:bank/:id": "ap",
        "POST /questions/:bank/:id": "a",
        "GET /questions/:bank/:id/check": "ap",
        "POST /questions/:bank/:id/check": "a",
        "POST /questions/:bank/:id/delete": "a",
        "GET /questions/:bank/:id/history": "ap",
        "GET /media/:bank": "ap",
        "GET /announcements": "a",
        "GET /announcements/new": "a",
        "POST /announcements": "a",
        "GET /announcements/:number": "a",
        "POST /announcements/:number": "a",
        "GET /assets": "a",
        "GET /assets/file": "a",
        "GET /assets/picture": "a",
        "POST /assets/file": "a",
        "GET /import": "a",
        "POST /import": "a",
        "POST /import/undo": "a",
        "GET /publish": "ap",
        "POST /publish": "p",
        "POST /publish/approve": "ap",
        "POST /publish/regrade": "a",
        "GET /releases": "apm",
        "GET /releases/:number/roll-back": "p",
        "POST /releases/:number/roll-back": "p",
        "GET /proposals": "ap",
        "GET /proposals/:number": "ap",
        "POST /proposals/:number/confirm": "a",
        "POST /proposals/:number/dismiss": "a",
        "GET /reports": "ap",
        "GET /accounts": "m",
        "POST /accounts/roles": "m",
        "GET /audit": "m",
    ]

    private static func letter(_ roles: Set<Role>) -> String {
        roles.contains(.author) ? "a" : roles.contains(.publisher) ? "p" : "m"
    }

    @Test func everyRouteAdmitsItsRolesAndNobodyElse() async throws {
        let world = try await DeskWorld()
        var browsers: [(roles: Set<Role>, browser: DeskBrowser)] = []
        let all: [Set<Role>] = [[], [.author], [.publisher], [.administrator]]
        for (index, roles) in all.enumerated() {
            let browser =
                roles.isEmpty
                ? DeskBrowser(world: world, cookie: nil)
                : try await world.browser(roles, email: "p\(index)@example.org")
            browsers.append((roles, browser))
        }

        let names = world.desk.routes.map { "\($0.method) \($0.path)" }
        #expect(Set(names) == Set(Self.table.keys))
        for (name, route) in zip(names, world.desk.routes) {
            let admitted = try #require(Self.table[name])
            // These end the session with which the next route is asked.
            guard admitted != "-", !["/sign-out", "/account/end-sessions"].contains(route.path)
            else { continue }
            let path = "/desk" + route.path.replacing(/:\w+/, with: "1")
            for (roles, browser) in browsers {
                let reply =
                    route.method == .get
                    ? try await browser.get(path) : try await browser.post(path)
                let isIn = !roles.isEmpty && admitted.contains(Self.letter(roles))
                let isSentAway = reply.location?.hasPrefix("/desk/sign-in") == true
                let isRefused = reply.status == 403 && reply.body.contains("another role")
                #expect(
                    isIn ? !isSentAway && !isRefused : roles.isEmpty ? isSentAway : isRefused,
                    "\(route.method) \(path) for \(roles): \(reply.status)")
            }
        }
    }

    @Test func signingInSetsAStrictCookieAndLeadsOn() async throws {
        let world = try await DeskWorld()
        try await world.account("ada@example.org", [.author])
        let browser = DeskBrowser(world: world, cookie: nil)

        let reply = try await browser.post(
            "/desk/sign-in?next=/desk/proposals",
            [("email", "ada@example.org"), ("password", DeskWorld.password)])

        #expect(reply.status == 303)
        #expect(reply.location == "/desk/proposals")
        let cookie = try #require(reply.headers[.setCookie])
        for part in ["Path=/desk;", "HttpOnly", "SameSite=Strict", "Secure", "Max-Age=43200"] {
            #expect(cookie.contains(part))
        }
    }

    @Test func aFormThatWasCutIsRefusedAndSaysSo() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let most = FormFields.countMax - 1
        let path = "/desk/questions/change"
        func form(_ count: Int) -> [(String, String)] {
            [("do", "retire"), ("q", "int/made q1")]
                + Array(repeating: ("more", ""), count: count - 2)
        }

        let cut = try await browser.post(path, form(most + 1))
        #expect(cut.status == 413)
        #expect(cut.body.contains("more than a form may have. Nothing was changed."))
        #expect(try await !browser.get("/desk/questions").body.contains("Retired</span>"))
        #expect(try await browser.post(path, form(most)).status == 303)
        #expect(try await browser.get("/desk/questions").body.contains("Retired</span>"))
        let odd = try await browser.post("/desk/publish/regrade", [])
        #expect(odd.status == 400 && odd.body.contains("Nothing was changed; load the page anew."))
    }

    @Test func allFailuresOfASignInSayTheSame() async throws {
        let world = try await DeskWorld()
        try await world.account("ada@example.org", [.author])
        try await world.account("eve@example.org", [])
        let browser = DeskBrowser(world: world, cookie: nil)
        var bodies: Set<String> = []
        for (email, password) in [
            ("ada@example.org", "a wrong password"), ("nobody@example.org", DeskWorld.password),
            ("eve@example.org", DeskWorld.password),
        ] {
            let reply = try await browser.post(
                "/desk/sign-in", [("email", email), ("password", password)])
            #expect(reply.status == 401)
            #expect(reply.headers[.setCookie] == nil)
            bodies.insert(reply.body.replacing(email, with: ""))
        }

        #expect(bodies.count == 1)
    }

    /// The clock stands still: a machine that takes seconds for a try would earn new ones meanwhile.
    @Test func manyFailuresHaveToWait() async throws {
        let world = try await DeskWorld(clock: { [now = Date()] in now })
        try await world.account("ada@example.org", [.author])
        let browser = DeskBrowser(world: world, cookie: nil)
        var status = 0
        for _ in 0..<40 where status != 429 {
            status = try await browser.post(
                "/desk/sign-in", [("email", "ada@example.org"), ("password", "wrong one")]
            ).status
        }

        #expect(status == 429)
    }

    @Test(arguments: [
        "//evil.example", "https://evil.example", "/\\evil.example", "/desk/../api", "/api/x",
        "javascript:alert(1)", "/desk//evil.example", "/desk/sign-in", "/desk\r\nSet-Cookie: a=b",
    ]) func signingInLeadsNowhereElse(next: String) {
        #expect(
            SignInPages.ownPath(next) == "/desk" || SignInPages.ownPath(next).hasPrefix("/desk/"))
        #expect(!SignInPages.ownPath(next).contains("evil"))
        #expect(!SignInPages.ownPath(next).contains(".."))
    }

    @Test func formsOfOtherOriginsAndWithoutTheSecretAreRefused() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let path = "/desk/proposals/1/dismiss"

        let foreign = try await browser.post(path, [], [.origin: "https://evil.example"])
        let crossSite = try await browser.post(path, [], [.fetchSite: "cross-site"])
        let stale = try await browser.post(path, [], secret: "0000")
        let other = try await world.send(
            .get, "/desk/proposals", [.cookie: browser.cookie ?? ""], host: "evil.example")

        #expect(
            [foreign.status, crossSite.status, stale.status, other.status] as [Int] == [
                403, 403, 403, 403,
            ])
        #expect(stale.body.contains("Nothing was changed"))
    }

    @Test func pagesAreBoundToTheirOrigin() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        for path in ["/desk/proposals", "/desk/sign-in", "/desk/nothing", "/desk/files/desk.css"] {
            let reply = try await browser.get(path)
            #expect(reply.headers[.contentSecurityPolicy] == PageHeaders.policy)
            #expect(reply.headers[.xContentTypeOptions] == "nosniff")
        }
    }

    @Test func aTokenOfADeviceIsNoCookieAndACookieIsNoToken() async throws {
        let world = try await DeskWorld()
        let browser = try await world.browser([.author])
        let tokens = try await world.users.signIn(
            email: "ada@example.org", password: DeskWorld.password, address: "192.0.2.1")
        let impostor = DeskBrowser(world: world, cookie: "desk=\(tokens.accessToken)")

        #expect(
            try await impostor.get("/desk/proposals").location?.hasPrefix("/desk/sign-in") == true)
        let token = try #require(browser.cookie).dropFirst("desk=".count)
        await #expect(throws: RequestError.self) {
            try await world.users.authentication.authenticatedUser("Bearer \(token)")
        }
    }

    @Test func aSessionEndsBySignOutByRevocationByItsAgeAndWithTheRole() async throws {
        let clock = ManualClock()
        let world = try await DeskWorld(clock: { clock.now })
        let one = try await world.browser([.author])
        var two = DeskBrowser(world: world, cookie: nil)
        func signIn() async throws -> String? {
            try await DeskBrowser(world: world, cookie: nil).post(
                "/desk/sign-in",
                [("email", "ada@example.org"), ("password", DeskWorld.password)]
            ).cookie
        }
        func isIn(_ browser: DeskBrowser) async throws -> Bool {
            try await browser.get("/desk/proposals").status == 200
        }
        two.cookie = try await signIn()
        #expect(one.cookie != two.cookie)

        _ = try await one.post("/desk/sign-out")
        #expect(try await !isIn(one))
        #expect(try await isIn(two))

        var three = two
        three.cookie = try await signIn()
        _ = try await two.post("/desk/account/end-sessions")
        #expect(try await !isIn(two))
        #expect(try await !isIn(three))

        three.cookie = try await signIn()
        clock.advance(DeskApp.sessionSeconds + 1)
        #expect(try await !isIn(three))

        three.cookie = try await signIn()
        let user = try #require(try await world.users.findUser("ada@example.org")).id
        _ = try await world.users.administration?.set(
            .author, isGranted: false, of: user, by: "operator:test")
        #expect(try await !isIn(three))
    }

    @Test func aLinkOfAnotherSiteLandsWithTheCookie() async throws {
        let world = try await DeskWorld()
        let reply = try await DeskBrowser(world: world, cookie: nil).get(
            "/desk/proposals", [.fetchSite: "cross-site"])

        #expect(reply.status == 200)
        #expect(reply.body.contains("url=/desk/proposals"))
    }

    @Test(arguments: [
        ("https://desk.example.org", true), ("https://desk.example.org:8443/", true),
        ("http://127.0.0.1:8080", true), ("http://localhost", true),
        ("http://desk.example.org", false), ("https://desk.example.org/x", false),
        ("ftp://desk.example.org", false), ("", false),
    ]) func originsWithoutTLSAreOfThisMachine(text: String, isValid: Bool) {
        #expect((DeskOrigin(text) != nil) == isValid)
    }
}
