import Accounts
package import ContentServer
import Foundation
import HTTPTypes
package import Hummingbird
package import Ledger
import Mustache
import PageRendering
package import Review
import ServiceAPI
import Synchronization
import Workflows

/// The author's desk: pages on the server, for accounts with a role.
///
/// It renders pages from values. Decisions, releases and corrections are those of `Workflows`, which the commands use
/// too. Edits change the content folder, never served files.
public final class DeskApp: Sendable {
    /// The life of a session, in seconds.
    static let sessionSeconds: TimeInterval = 12 * 3600
    /// The address of all pages.
    static let prefix = "/desk"

    private static let threads = BoundedThreadPool(threads: 4, waitingMax: 64)

    let options: DeskOptions
    /// The folders and the data that workflows change.
    let workplace: Workplace
    let users: UserBackend
    let administration: AdministrationService
    let review: ReviewStorage
    let approvals: Approvals
    let shares: ItemFacilities
    let imports = DeskImport.Turn()
    /// The files whose imports are shown and not written yet.
    let uploads = ImportUploads()
    /// The last readings of imports, by which the next ones show what they changed.
    let readings = ImportReadings()
    let toasts = DeskToasts()
    let files: PageFiles
    /// The threads on which files are read and written, and git runs; those of learners' requests are others.
    let gate = threads
    /// The questions of the content folder.
    let content: ContentIndex
    private let proxies: ProxyTrust
    private let listening: Mutex<DeskOrigin>
    private let templates: MustacheLibrary

    /// Opens a desk.
    ///
    /// - Parameters:
    ///   - options: The configuration.
    ///   - users: The service of accounts; its storage must have roles and proposals.
    ///   - shares: The facilities of questions, if the process reviews keys.
    ///   - proxies: The proxies whose report of a client's address is trusted.
    /// - Throws: An error of the templates.
    package init?(
        _ options: DeskOptions, users: UserBackend, shares: ItemFacilities = ItemFacilities(),
        proxies: ProxyTrust
    ) throws {
        guard let administration = users.administration, let review = users.review else {
            return nil
        }
        self.options = options
        self.users = users
        var workplace = Workplace(
            content: options.content, release: options.release, keys: options.keys, users: users)
        workplace.threads = Self.threads
        self.workplace = workplace
        self.administration = administration
        self.review = review
        self.shares = shares
        approvals = Approvals(administration: administration)
        content = ContentIndex(options, gate: gate)
        self.proxies = proxies
        listening = Mutex(options.origin)
        files = PageFiles(DeskTemplates.files)
        templates = try PageTemplates.library(DeskTemplates.sources)
    }

    /// The desk's own origin.
    var origin: DeskOrigin { listening.withLock { $0 } }

    /// Stores the port on which the server listens, if the options left it open.
    ///
    /// - Returns: The address of the desk.
    package func listens(on port: Int) -> String {
        listening.withLock { $0 = $0.at(port: port) }
        return origin.text + Self.prefix
    }

    /// The routes, of which each says who may take it.
    var routes: [DeskRoute] {
        let pages = [
            SignInPages(app: self).routes, QuestionPages(app: self).routes,
            PublishPages(app: self).routes,
            ReleasePages(app: self).routes, ProposalPages(app: self).routes,
            ReportPages(app: self).routes, AccountPages(app: self).routes,
            AuditPages(app: self).routes, AnnouncementPages(app: self).routes,
            AssetPages(app: self).routes, ImportPages(app: self).routes,
        ]
        return pages.flatMap(\.self)
    }

    /// Adds all routes.
    package func addRoutes(to router: Router<ServerContext>) {
        for route in routes {
            router.on(RouterPath(Self.prefix + route.path), method: route.method) {
                try await self.respond($0, $1, route)
            }
            if route.method == .get {
                router.on(RouterPath(Self.prefix + route.path), method: .head) {
                    try await self.respond($0, $1, route).createHeadResponse()
                }
            }
        }
        router.get(RouterPath(Self.prefix + "/files/:name")) { _, context -> Response in
            guard let name = context.parameters.get("name"),
                var file = self.files.response(name)
            else { throw HTTPError(.notFound) }
            PageHeaders.add(to: &file)
            return file
        }
        let missing = DeskRoute.get("/**", .anyRole) { _ in throw HTTPError(.notFound) }
        router.get(RouterPath(Self.prefix + "/**")) { try await self.respond($0, $1, missing) }
    }

    /// Answers a request: decides about access, reads the form, and shows what fails as a page.
    private func respond(
        _ request: Request, _ context: ServerContext, _ route: DeskRoute
    ) async throws -> Response {
        var page = DeskRequest(
            request: request, context: context, app: self, user: nil, form: FormFields(""),
            address: proxies.network(of: request, context))
        var response: Response
        do {
            page.user = try await user(of: request)
            response = try await allowed(page, route)
        } catch {
            response = try problem(error, page)
        }
        PageHeaders.add(to: &response)
        return response
    }

    private func allowed(_ page: DeskRequest, _ route: DeskRoute) async throws -> Response {
        var page = page
        let decision = DeskDecision(
            DeskAccessRequest(page.request), roles: page.user?.roles, access: route.access,
            origin: origin)
        guard decision == .allowed else { return try refusal(decision, page) }
        if page.request.method == .post {
            page.form = try await FormFields(page.request, bytesMax: route.formBytesMax)
            if let user = page.user, route.access != .anyone {
                guard let secret = page.form["csrf"],
                    PageSecrets.equal(secret, user.formSecret)
                else { throw DeskProblem.staleForm }
            }
        }
        return try await route.handler(page)
    }

    /// Returns who is signed in; `nil` for nobody, also when the session ended.
    private func user(of request: Request) async throws -> DeskUser? {
        guard let token = DeskCookie.token(of: request) else { return nil }
        let session: AuthenticatedUser
        do {
            session = try await users.pageUser(token, of: DeskCookie.name)
        } catch let error as RequestError
            where error.code == .unauthorized || error.code == .noAccount
        {
            return nil
        }
        let roles = try await administration.roles(of: session.id)
        guard !roles.isEmpty else { return nil }
        let methods = try await users.signInMethods(of: session.id)
        let name = methods.first { $0.issuer == nil }?.name ?? session.id
        return DeskUser(session: session, name: name, roles: roles, token: token)
    }

    /// Renders a template.
    ///
    /// - Throws: `HTTPError` 500 for a template that does not exist.
    func text(_ template: String, _ values: Any) throws -> String {
        guard let text = templates.render(values, withTemplate: template) else {
            throw HTTPError(.internalServerError)
        }
        return text
    }
}

extension BoundedThreadPool: BlockingThreads {}
