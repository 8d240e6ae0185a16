import HTTPTypes
import Hummingbird
import PageRendering
import Testing
import Underway

@testable import StudyModel
@testable import StudyWeb

/// Every route of the app, asked by those who may not.
@Suite struct AccessRoutesTests {
    /// All routes. A new one is written here by whoever has made sure that a GET changes nothing, and that a
    /// POST goes through `StudyWebApp.page`, which compares the form's secret.
    static let table: Set<String> = [
        "POST /corrections/{id}",
        "GET /", "GET /account", "GET /account/answers", "GET /account/create",
        "POST /account/create",
        "GET /account/delete", "POST /account/delete", "GET /account/export",
        "GET /app.webmanifest",
        "GET /account/sign-in", "POST /account/sign-in", "GET /account/sign-out",
        "POST /account/sign-out", "GET /boards", "GET /boards/{name}", "GET /bookings",
        "POST /bookings", "GET /events/{name}", "POST /events/{name}", "GET /favourites",
        "POST /favourites", "POST /favourites/study", "GET /files/{name}", "GET /freshness",
        "GET /inbox",
        "POST /inbox/again", "GET /inbox/conflicts/{record}", "POST /inbox/conflicts/{record}",
        "POST /inbox/dismiss", "GET /inbox/messages/{id}", "POST /inbox/messages/{id}",
        "GET /inbox/messages/{id}/open", "GET /inbox/messages/{id}/picture", "GET /library",
        "GET /library/{name}", "POST /library/{name}/files", "GET /library/{name}/{exam}",
        "POST /library/{name}/{exam}/files", "POST /library/study", "POST /notes", "POST /aside",
        "GET /media/{first}", "GET /media/{first}/{second}",
        "GET /media/{first}/{second}/{third}", "GET /picture/{checksum}", "GET /progress",
        "POST /session",
        "GET /session/{id}", "POST /session/{id}/finish", "POST /session/{id}/undo",
        "GET /session/{id}/overview",
        "GET /session/{id}/result", "GET /session/{id}/review", "GET /session/{id}/{number}",
        "GET /session/{id}/{number}/report", "POST /session/{id}/{number}/report", "POST /consent",
        "POST /session/{id}/{number}", "POST /session/{id}/{number}/favourite", "GET /settings",
        "POST /settings", "POST /settings/files", "GET /settings/log", "POST /sync",
        "GET /settings/boards", "POST /settings/boards",
        "GET /settings/learning", "POST /settings/learning",
        "GET /updates",
    ]

    private struct Route: CustomStringConvertible {
        var method: HTTPRequest.Method
        var template: String
        /// The address with a value at each place.
        var path: String {
            template.split(separator: "/").map { $0.hasPrefix("{") || $0 == "**" ? "1" : $0 }
                .reduce("") { "\($0)/\($1)" } + (template == "/" ? "/" : "")
        }
        var description: String { "\(method) \(template)" }
    }

    private let browser: StudyBrowser
    private let routes: [Route]

    init() throws {
        browser = try StudyBrowser([StudyPagesTests.exam()])
        routes = StudyApplication.router(browser.app).routes.map {
            Route(method: $0.method, template: "/" + $0.path.description.trimmingPrefix("/"))
        }
    }

    @Test func theTableNamesEveryRoute() {
        #expect(Set(routes.map(\.description)) == Self.table)
        #expect(Set(routes.map(\.method)).isSubset(of: [.get, .post]))
    }

    @Test func everyRouteRefusesWhoeverIsNotTheLearner() async throws {
        let cookie = browser.app.secrets.cookie
        let strangers: [HTTPFields] = [
            [.cookie: ""], [.cookie: "underway-8000="], [.cookie: "underway-8000=\(cookie)x"],
            [.cookie: "underway-8001=\(cookie)"],
            [.cookie: "underway-8000=\(browser.app.secrets.form)"],
        ]
        for route in routes {
            for fields in strangers {
                let reply = try await browser.send(route.method, route.path, fields)
                expectNothing(in: reply, route)
            }
        }
        try expectNothingChanged()
    }

    @Test func everyRouteRefusesAnotherHost() async throws {
        for route in routes {
            for host in ["evil.example", "evil.example:8000", "127.0.0.1:8000", "localhost:8000"] {
                let reply = try await browser.send(
                    route.method, route.path, form: browser.app.secrets.form, host: host)
                expectNothing(in: reply, route)
            }
        }
        try expectNothingChanged()
    }

    @Test func everyFormRefusesAnotherOrigin() async throws {
        let elsewhere: [HTTPFields] = [
            [.origin: "http://evil.example"], [.origin: "null"],
            [.origin: "http://127.0.0.1:8001"], [.fetchSite: "cross-site"],
            [.fetchSite: "same-site"],
        ]
        for route in routes where route.method == .post {
            for fields in elsewhere {
                let reply = try await browser.send(
                    .post, route.path, fields, form: browser.app.secrets.form)
                expectNothing(in: reply, route)
            }
        }
        try expectNothingChanged()
    }

    @Test func everyFormNeedsItsSecret() async throws {
        let secrets = browser.app.secrets
        for route in routes where route.method == .post {
            for secret in [nil, "", "x", secrets.cookie, secrets.token, secrets.form + "x"] {
                let reply = try await browser.send(.post, route.path, form: secret)
                #expect(reply.status == 403, "\(route) with \(secret ?? "none")")
                expectBound(reply, route)
            }
        }
        try expectNothingChanged()
    }

    @Test func everyReplyIsBoundToItsOrigin() async throws {
        for route in routes {
            let reply = try await browser.send(
                route.method, route.path, form: browser.app.secrets.form)
            #expect(reply.status != 500, "\(route)")
            expectBound(reply, route)
        }
    }

    @Test func noAddressOfAFormChangesAnythingByGet() async throws {
        for route in routes where route.method == .post {
            let query = "?csrf=\(browser.app.secrets.form)&bank=int/sums&mode=study"
            _ = try await browser.get(route.path + query)
        }
        try expectNothingChanged()
    }

    // MARK: Expectations

    /// A refusal is one sentence: nothing of the app, no cookie.
    private func expectNothing(in reply: StudyBrowser.Reply, _ route: Route) {
        #expect(reply.status == 403, "\(route)")
        #expect(reply.headers[.contentType] == "text/plain; charset=utf-8", "\(route)")
        #expect(reply.headers[.setCookie] == nil, "\(route)")
        #expect(!reply.body.contains("Sums"), "\(route)")
        expectBound(reply, route)
    }

    private func expectBound(_ reply: StudyBrowser.Reply, _ route: Route) {
        let policy = reply.headers[.contentSecurityPolicy] ?? ""
        #expect(policy.contains("default-src 'none'"), "\(route)")
        #expect(!policy.contains("unsafe") && !policy.contains("*"), "\(route)")
        #expect(reply.headers[.xContentTypeOptions] == "nosniff", "\(route)")
        #expect(reply.headers[.referrerPolicy] == "same-origin", "\(route)")
        #expect(reply.headers[.crossOriginOpenerPolicy] == "same-origin", "\(route)")
        #expect(reply.headers[.crossOriginResourcePolicy] == "same-origin", "\(route)")
    }

    private func expectNothingChanged() throws {
        #expect(try browser.userData.openSessions().isEmpty)
        #expect(try browser.userData.status().waitingCount == 0)
    }
}

extension StudyBrowser {
    /// Sends a request with a form that would begin a session, and a secret of the test's choice.
    fileprivate func send(
        _ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields = [:],
        form secret: String?, host: String = host
    ) async throws -> Reply {
        let begins = [("bank", "int/sums"), ("mode", "study")]
        let form = begins + (secret.map { [("csrf", $0)] } ?? [])
        return try await send(method, path, fields, method == .post ? form : [], host: host)
    }
}
