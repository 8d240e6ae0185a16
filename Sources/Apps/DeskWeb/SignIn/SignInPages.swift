import Accounts
import ContentServer
import Foundation
import HTTPTypes
import Hummingbird
import Ledger
import PageRendering
import ServiceAPI

/// Signing in and out, and the page of the own account.
struct SignInPages {
    static let path = DeskApp.prefix + "/sign-in"

    let app: DeskApp

    var routes: [DeskRoute] {
        [
            .get("", .anyRole, home), .get("/sign-in", .anyone, show),
            .post("/sign-in", .anyone, formBytesMax: 8 * 1024, signIn),
            .post("/sign-out", .anyRole, signOut), .get("/account", .anyRole, account),
            .post("/account/theme", .anyRole, theme),
            .post("/account/end-sessions", .anyRole, endSessions),
        ]
    }

    private struct View {
        var action: String
        var email: String
        var problem: String?
    }

    /// Returns the page for signing in, which leads to a path afterwards.
    static func path(thenTo path: String) -> String {
        let next = ownPath(path)
        let allowed = CharacterSet.alphanumerics.union(.init(charactersIn: "/-._~"))
        return next == DeskApp.prefix
            ? self.path
            : self.path + "?next="
                + (next.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")
    }

    /// Returns a path of the desk; its first page for anything else, as `//host` or another scheme.
    static func ownPath(_ path: String) -> String {
        let isOwn =
            path.wholeMatch(of: /\/desk(\/[A-Za-z0-9._~%-]+)*(\?[A-Za-z0-9._~%&=+\/-]*)?/) != nil
            && !path.hasPrefix(self.path)
            && !path.split(separator: "/").contains { $0.allSatisfy { $0 == "." } }
        return isOwn ? path : DeskApp.prefix
    }

    /// Leads to the first page that the account may see.
    private func home(_ page: DeskRequest) async throws -> Response {
        let roles = try page.signedIn().roles
        let first = DeskSection.groups.flatMap(\.sections).first { $0.access.admits(roles) }
        return .redirect(to: first?.path ?? DeskApp.prefix + "/account")
    }

    private func show(_ page: DeskRequest) async throws -> Response {
        if page.user != nil { return .redirect(to: Self.ownPath(page.query("next") ?? "")) }
        return try form(page, next: page.query("next") ?? "")
    }

    private func form(
        _ page: DeskRequest, next: String, email: String = "", problem: String? = nil,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        try app.render(
            "desk_sign_in", title: "Sign in to the desk", in: nil,
            View(action: Self.path(thenTo: next), email: email, problem: problem), for: page,
            status: status)
    }

    private func signIn(_ page: DeskRequest) async throws -> Response {
        let email = page.form["email"] ?? ""
        let next = page.query("next") ?? ""
        do {
            let (user, token) = try await app.users.openPages(
                DeskCookie.name, email: email, password: page.form["password"] ?? "",
                address: page.address, seconds: DeskApp.sessionSeconds)
            // The same words as for a wrong password: nobody learns from here whose password is right.
            guard try await !app.administration.roles(of: user).isEmpty else {
                try await app.users.closePages(
                    try await app.users.pageUser(token, of: DeskCookie.name))
                return try form(
                    page, next: next, email: email, problem: Self.failure, status: .unauthorized)
            }
            var response = Response.redirect(to: Self.ownPath(next))
            response.headers[.setCookie] = DeskCookie.field(token, app.origin)
            return response
        } catch let error as RequestError where error.code == .wrongCredentials {
            return try form(
                page, next: next, email: email, problem: Self.failure, status: .unauthorized)
        } catch let error as RequestError where error.code == .tooManyRequests {
            return try form(
                page, next: next, email: email,
                problem: "Too many attempts. Try again in a minute.", status: .tooManyRequests)
        }
    }

    /// The one sentence for all failures.
    private static let failure =
        "This email and password do not open the desk. An account needs a role, which an administrator gives."

    private func signOut(_ page: DeskRequest) async throws -> Response {
        try await app.users.closePages(try page.signedIn().session)
        return leaving()
    }

    private func endSessions(_ page: DeskRequest) async throws -> Response {
        try await app.users.revokeAll(of: try page.signedIn().id)
        return leaving()
    }

    private func leaving() -> Response {
        var response = Response.redirect(to: Self.path)
        response.headers[.setCookie] = DeskCookie.field(nil, app.origin)
        return response
    }

    // MARK: The own account

    private struct AccountView {
        struct Theme {
            var value: String
            var name: String
            var isChosen: Bool
        }

        var roles: String
        var themes: [Theme]
    }

    private func account(_ page: DeskRequest) async throws -> Response {
        let user = try page.signedIn()
        let chosen = DeskCookie.value("desk-theme", of: page.request) ?? "system"
        let view = AccountView(
            roles: Role.allCases.filter { user.roles.contains($0) }.map(\.meaning)
                .joined(separator: " "),
            themes: [("system", "As the system"), ("light", "Light"), ("dark", "Dark")].map {
                .init(value: $0.0, name: $0.1, isChosen: $0.0 == chosen)
            })
        return try app.render("desk_account", title: user.name, in: nil, view, for: page)
    }

    private func theme(_ page: DeskRequest) async throws -> Response {
        let theme = page.form["theme"] ?? ""
        guard ["system", "light", "dark"].contains(theme) else { throw HTTPError(.badRequest) }
        var response = Response.redirect(to: DeskApp.prefix + "/account")
        response.headers[.setCookie] =
            "desk-theme=\(theme); Path=\(DeskApp.prefix); Max-Age=31536000; HttpOnly; SameSite=Strict"
            + (app.origin.isSecure ? "; Secure" : "")
        return response
    }
}

extension Role {
    /// The permission of a role, as a sentence.
    var meaning: String {
        switch self {
        case .author: "As an author you edit content."
        case .publisher: "As a publisher you ship it."
        case .administrator: "As an administrator you give roles and see the audit log."
        }
    }
}
