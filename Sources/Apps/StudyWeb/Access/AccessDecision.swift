import Foundation
import HTTPTypes
import PageRendering

/// The part of a request by which access is decided.
struct AccessRequest: Sendable {
    var method: HTTPRequest.Method
    var path: String
    var token: String?
    var host: String?
    var origin: String?
    var fetchSite: String?
    var cookies: [String: String]
}

/// The decision about a request, before anything else is read of it.
enum AccessDecision: Sendable, Hashable {
    /// The request is the learner's.
    case allowed
    /// The token is valid: the browser gets the cookie and is sent to a path.
    case welcomed(path: String)
    /// The request names another host: a foreign page found the port.
    case otherHost
    /// The form comes from another origin.
    case otherOrigin
    /// The cookie and the token are missing or wrong.
    case stranger
}

/// The rules of access to the study app: the app's own host name only, the learner's cookie, own forms only.
struct AccessRules: Sendable {
    let secrets: StudySecrets
    let port: Int

    /// The name of the cookie, of its own for each port: cookies are shared by all ports of a host.
    var cookieName: String { "underway-\(port)" }

    /// Decides about a request.
    func decide(_ request: AccessRequest) -> AccessDecision {
        // A rebound name of another site would send that name here (DNS rebinding).
        guard let name = request.host, isOwn(name) else { return .otherHost }
        let isReading = request.method == .get || request.method == .head
        let isOwnForm = PageAccess.isOwnForm(
            origin: request.origin, fetchSite: request.fetchSite, own: "http://\(host)")
        if !isReading, !isOwnForm { return .otherOrigin }
        if let cookie = request.cookies[cookieName],
            PageSecrets.equal(cookie, secrets.cookie)
        {
            return request.token == nil ? .allowed : .welcomed(path: ownPath(request))
        }
        if isReading, let token = request.token, PageSecrets.equal(token, secrets.token) {
            return .welcomed(path: ownPath(request))
        }
        return .stranger
    }

    /// Returns true for the name and port of this app.
    func isOwn(_ host: String) -> Bool { host.lowercased() == self.host }

    /// Returns the path of a request; `/` for one that a browser would take for another host, as `//name`.
    private func ownPath(_ request: AccessRequest) -> String {
        let isOther = ["//", "/\\"].contains { request.path.hasPrefix($0) }
        return isOther || !request.path.hasPrefix("/") ? "/" : request.path
    }

    private var host: String { "\(secrets.link.host):\(port)" }
}
