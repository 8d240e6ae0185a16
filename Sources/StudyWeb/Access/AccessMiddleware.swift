import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Lets the learner's requests pass, and answers all others; adds the fields that bind a page to its origin.
struct AccessMiddleware: RouterMiddleware {
    typealias Context = StudyContext

    let rules: @Sendable () -> AccessRules
    let strangerPage: @Sendable (AccessDecision) -> Response

    @concurrent func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let rules = rules()
        var response: Response
        switch rules.decide(AccessRequest(request)) {
        case .allowed: response = try await next(request, context)
        case .welcomed(let path):
            response = Self.comesFromElsewhere(request) ? Self.landing(path) : .redirect(to: path)
            response.headers[.setCookie] =
                "\(rules.cookieName)=\(rules.secrets.cookie); Path=/; HttpOnly; SameSite=Strict"
        case let refusal: response = strangerPage(refusal)
        }
        for (name, value) in Self.fields where response.headers[name] == nil {
            response.headers[name] = value
        }
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// Tells whether a link of another site led here, as in a terminal that is a web page: browsers follow its
    /// redirect without a strict cookie.
    private static func comesFromElsewhere(_ request: Request) -> Bool {
        ["cross-site", "same-site"].contains(request.headers[.fetchSite])
    }

    /// Returns a page that goes on by itself, now with the cookie.
    private static func landing(_ path: String) -> Response {
        let path = ScalarEscaping().escapeText(path)
        let page = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>Underway</title>\
            <meta http-equiv="refresh" content="0; url=\(path)"><a href="\(path)">Underway</a>
            """
        return Response(
            status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
    }

    /// The policy allows nothing but own files: no inline code or style, no frame, no other host.
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
        "media-src 'self'", "connect-src 'self'", "form-action 'self'", "base-uri 'none'",
        "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private static let fields: [(HTTPField.Name, String)] = [
        (.contentSecurityPolicy, policy), (.xContentTypeOptions, "nosniff"),
        (.cacheControl, "no-store"), (.referrerPolicy, "same-origin"),
        (.crossOriginOpenerPolicy, "same-origin"),
        (.crossOriginResourcePolicy, "same-origin"),
    ]
}

extension HTTPField.Name {
    private static func named(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is no name") }
        return name
    }

    static let referrerPolicy = named("Referrer-Policy")
    static let crossOriginOpenerPolicy = named("Cross-Origin-Opener-Policy")
    static let fetchSite = named("Sec-Fetch-Site")
}

extension AccessRequest {
    init(_ request: Request) {
        method = request.method
        path = request.uri.path
        token = request.uri.queryParameters["token"].map(String.init)
        host = request.head.authority
        origin = request.headers[.origin]
        fetchSite = request.headers[.fetchSite]
        cookies = [:]
        for pair in (request.headers[.cookie] ?? "").split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            cookies[parts[0].trimmingCharacters(in: .whitespaces)] = String(parts[1])
        }
    }
}

extension Response {
    /// Sends the browser to another page by GET, whatever the method was (303).
    static func redirect(to path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path])
    }
}
