import Accounts
import HTTPTypes
import PageRendering

/// The access to a route.
enum DeskAccess: Sendable, Hashable {
    /// Open to everybody, such as for signing in.
    case anyone
    /// Accounts with any role.
    case anyRole
    /// Accounts with one of some roles.
    case roles(Set<Role>)

    /// Returns true when somebody may take the route.
    func admits(_ roles: Set<Role>) -> Bool {
        switch self {
        case .anyone: true
        case .anyRole: !roles.isEmpty
        case .roles(let wanted): !wanted.isDisjoint(with: roles)
        }
    }
}

/// The part of a request by which access is decided.
struct DeskAccessRequest: Sendable {
    var method: HTTPRequest.Method
    var host: String?
    var origin: String?
    var fetchSite: String?

    /// True for a request that changes nothing.
    var isReading: Bool { method == .get || method == .head }
}

/// The decision about a request, before its form is read.
enum DeskDecision: Sendable, Hashable {
    /// The request is allowed.
    case allowed
    /// The request names another host.
    case otherHost
    /// The form comes from another origin.
    case otherOrigin
    /// The browser came from another site, so it did not send the cookie.
    case fromElsewhere
    /// The user is not signed in.
    case signIn
    /// The account lacks the role.
    case forbidden

    /// Decides about a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - roles: The roles of who is signed in; `nil` for nobody.
    ///   - access: Who may take the route.
    ///   - origin: The desk's own origin.
    init(
        _ request: DeskAccessRequest, roles: Set<Role>?, access: DeskAccess, origin: DeskOrigin
    ) {
        guard request.host?.lowercased() == origin.host else { self = .otherHost; return }
        let isOwnForm = PageAccess.isOwnForm(
            origin: request.origin, fetchSite: request.fetchSite, own: origin.text)
        if !request.isReading, !isOwnForm { self = .otherOrigin; return }
        if access == .anyone { self = .allowed; return }
        guard let roles else {
            let isFromElsewhere =
                request.isReading
                && PageAccess.comesFromElsewhere(fetchSite: request.fetchSite)
            self = isFromElsewhere ? .fromElsewhere : .signIn
            return
        }
        self = access.admits(roles) ? .allowed : .forbidden
    }
}
