import Foundation
import HTTPTypes
import Hummingbird
import Mustache
import PageRendering
import StudyModel
import Synchronization
import Underway

/// The study app in one process: services, secrets, templates, and the line in which steps are taken.
final class StudyWebApp: Sendable {
    let services: StudyServices
    let secrets: StudySecrets
    let steps = SerialQueue()
    /// The line of the account's forms: they wait for a server, and no answer may wait for them.
    let accountSteps = SerialQueue()
    let toasts = Toasts()
    let typed = TypedNumbers()
    let work = BackgroundWork()
    let files = FileFetches()
    let announced = AnnouncedOnce()
    private let templates: MustacheLibrary
    /// The path of the style, the script and the icons.
    static let filesPath = "/files"
    /// A number in the addresses of these files that changes with them.
    let version = String(StudyFiles.version)
    private let listeningPort = Mutex(0)

    init(_ services: StudyServices, secrets: StudySecrets) throws {
        self.services = services
        self.secrets = secrets
        templates = try Templates.library()
    }

    /// The port on which the app listens; 0 before it does.
    var port: Int { listeningPort.withLock { $0 } }

    /// Notes the port on which the app listens.
    func listens(on port: Int) { listeningPort.withLock { $0 = port } }

    // MARK: Requests

    /// Returns a route's handler: reads the form of a POST and checks its secret.
    func page(
        _ body: @escaping @Sendable (PageRequest) async throws -> Response
    ) -> @Sendable (Request, StudyContext) async throws -> Response {
        { [self] request, context in
            var form = FormFields("")
            if request.method != .get, request.method != .head {
                form = try await FormFields(request, bytesMax: context.maxUploadSize)
                guard let secret = form["csrf"], PageSecrets.equal(secret, secrets.form) else {
                    throw HTTPError(.forbidden)
                }
            }
            return try await body(await reading(request, context, form: form))
        }
    }

    /// Returns what a page needs, by default for a request whose form is not read.
    func reading(
        _ request: Request, _ context: StudyContext, form: FormFields = FormFields("")
    ) async -> PageRequest {
        let settings = await services.settings.value
        return PageRequest(
            request: request, context: context, app: self, settings: settings,
            formats: await formats(of: request, settings), form: form)
    }

    private func formats(of request: Request, _ settings: StudySettings) async -> StudyFormats {
        let language =
            settings.language.map { StudyText.best(for: [$0]) }
            ?? StudyText.best(forAcceptLanguage: request.headers[.acceptLanguage] ?? "")
        return await services.formats(language: language)
    }

    // MARK: Replies

    /// Renders a page inside the navigation, or alone.
    ///
    /// - Parameters:
    ///   - template: The name of the page's template.
    ///   - title: The heading, which is the title too.
    ///   - section: The entry of the navigation; `nil` for a page without one, as a session is.
    ///   - values: The values of the template, under `page`.
    ///   - page: The request.
    ///   - status: The status.
    ///   - isPart: True for a part of a page, which shows no toast.
    ///   - titleContent: The language of a title that is an author's text.
    /// - Returns: The page.
    /// - Throws: `HTTPError` 500 for a template that does not exist.
    func render(
        _ template: String, title: String, in section: Section?, _ values: Any,
        for page: PageRequest, status: HTTPResponse.Status = .ok, isPart: Bool = false,
        titleContent: ContentLanguage? = nil
    ) async throws -> Response {
        let settings = page.settings
        let theme = settings.theme == .system ? "" : settings.theme.rawValue
        var frame = PageFrame(
            lang: page.words.language, dir: page.words.isRightToLeft ? "rtl" : "ltr",
            theme: theme, themeColors: ThemeColor.all(for: theme), manifest: AppManifest.path,
            letterKeys: settings.usesKeys ? "" : "off",
            files: Self.filesPath, title: title, titleContent: titleContent,
            appName: page.words["app.name"],
            navName: page.words["nav.label"],
            items: [], freshness: nil, banners: [],
            // A request without a body would show it to nobody.
            toast: isPart || page.request.method == .head ? nil : toasts.take(), csrf: secrets.form,
            version: version, t: page.words.nested, page: values)
        if let section {
            let isSyncing = work.isRunning(SyncPages.workName)
            await FrameLoader(services, page.formats, isSyncing: isSyncing)
                .fill(&frame, in: section)
        }
        guard let text = templates.render(frame, withTemplate: template) else {
            throw HTTPError(.internalServerError)
        }
        return CompressedReply.make(
            Array(text.utf8), type: "text/html; charset=utf-8", to: page.request, status: status)
    }
}
