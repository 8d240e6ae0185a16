import Foundation
import Hummingbird
import PageRendering
import StudyModel

/// Check now, and the log of syncs.
struct SyncPages {
    /// The name of the sync among the app's background work.
    static let workName = "sync"

    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.post("/sync", use: app.page(sync))
        router.get("/settings/log", use: app.page(log))
        router.get("/freshness", use: app.page(freshness))
    }

    /// Begins a sync, unless one is under way, and goes back at once.
    private func sync(_ page: PageRequest) async throws -> Response {
        app.syncInBackground()
        return .redirect(to: page.formPage)
    }

    /// Returns the line of freshness alone.
    private func freshness(_ page: PageRequest) async throws -> Response {
        try await app.render(
            "part_freshness", title: "", in: .today, [String: String](), for: page, isPart: true)
    }

    private func log(_ page: PageRequest) async throws -> Response {
        let entries = await page.services.syncLog.value.entries
        return try await app.render(
            "sync_log", title: page.words["settings.log"], in: .settings,
            SyncLogView(entries, now: page.services.clock(), page.formats), for: page)
    }
}

extension StudyWebApp {
    /// Begins a sync as work of the app; does nothing while one is under way, or without a server.
    func syncInBackground() {
        guard let sync = services.sync else { return }
        work.start(SyncPages.workName) { await sync.syncNow() }
    }
}

extension PageRequest {
    /// The path of the page of this app from which the form was sent; the first page where none is named.
    var formPage: String {
        guard let text = request.headers[.referer], let parts = URLComponents(string: text),
            parts.scheme == "http", let host = parts.host, let port = parts.port,
            AccessRules(secrets: app.secrets, port: app.port).isOwn("\(host):\(port)"),
            // "//example.org" would be another host.
            parts.percentEncodedPath.hasPrefix("/"), !parts.percentEncodedPath.hasPrefix("//")
        else { return "/" }
        return parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    }
}

/// The values of the log of syncs.
struct SyncLogView {
    struct Row {
        var date: String
        var timestamp: String
        var icon: String
        var tone: String
        var sentences: [String]
        var codes: String?
    }

    var entries: [Row]
    var isEmpty: Bool

    init(_ entries: [SyncLog.Entry], now: Date, _ formats: StudyFormats) {
        self.entries = SyncLogLine.lines(of: entries, now: now, formats).map { Row($0, formats) }
        isEmpty = entries.isEmpty
    }
}

extension SyncLogView.Row {
    init(_ line: SyncLogLine, _ formats: StudyFormats) {
        date = line.when
        timestamp = formats.timestamp(line.date)
        icon = line.isFailed ? (line.isOffline ? "cloud-off" : "warning") : "check"
        tone = line.isFailed ? "" : "is-right"
        (sentences, codes) = (line.sentences, line.codes)
    }
}
