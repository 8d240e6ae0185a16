import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PageRendering

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
            response =
                PageAccess.comesFromElsewhere(fetchSite: request.headers[.fetchSite])
                ? PageAccess.landing(path, title: "Underway") : .redirect(to: path)
            response.headers[.setCookie] =
                "\(rules.cookieName)=\(rules.secrets.cookie); Path=/; HttpOnly; SameSite=Strict"
        case let refusal: response = strangerPage(refusal)
        }
        PageHeaders.add(to: &response)
        return request.method == .head ? response.createHeadResponse() : response
    }
}

extension AccessRequest {
    init(_ request: Request) {
        method = request.method
        path = request.uri.path
        token = FormFields(queryOf: request)["token"]
        host = request.head.authority
        origin = request.headers[.origin]
        fetchSite = request.headers[.fetchSite]
        cookies = request.cookieValues
    }
}
