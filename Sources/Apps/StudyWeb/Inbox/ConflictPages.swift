import Foundation
import Hummingbird
import PageRendering
import StudyModel
import Synchronization
import Underway

/// A conflict: both versions side by side, and the form that makes one of them.
///
/// The id of a record may be `..` or have empty parts, which browsers resolve and routers drop: collection and id are
/// one part of the path.
struct ConflictPages {
    let app: StudyWebApp
    private let decided = DecidedHere()

    init(app: StudyWebApp) { self.app = app }

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/inbox/conflicts/:record", use: app.page(conflict))
        router.post("/inbox/conflicts/:record", use: app.page(decide))
    }

    /// Returns the path of the page of a record's conflict.
    static func path(of key: RecordKey) -> String {
        "/inbox/conflicts/" + "\(key.collection)/\(key.id)".addressPart
    }

    private func conflict(_ page: PageRequest) async throws -> Response {
        let model = await ConflictModel(page.services, key: try key(page))
        await model.load()
        return try await shown(model, page)
    }

    private func decide(_ page: PageRequest) async throws -> Response {
        let key = try key(page)
        let model = await ConflictModel(page.services, key: key)
        let shown = page.form["shown"] ?? ""
        switch page.form["decision"] {
        case "mine": await model.keepMine(shown: shown)
        case "server": await model.useServer(shown: shown)
        case "edit": return try await edit(model, page)
        default: throw StudyProblem(.noResponse)
        }
        return try await ended(model, page)
    }

    private func edit(_ model: ConflictModel, _ page: PageRequest) async throws -> Response {
        await model.load()
        guard let screen = await model.screen else { return try await shown(model, page) }
        let draft = ConflictDraft(page.form, screen, page.formats)
        await model.save(draft.edit, shown: page.form["shown"] ?? "")
        guard await model.outcome == .notAccepted else { return try await ended(model, page) }
        let view = ConflictEditView(screen, draft, isRefused: true, page.formats)
        return try await app.render(
            "conflict_edit", title: page.words["conflict.edit"], in: .inbox, view, for: page,
            status: .unprocessableContent)
    }

    private func ended(_ model: ConflictModel, _ page: PageRequest) async throws -> Response {
        let done: [ConflictModel.Outcome] = [.keptMine, .usedServer, .edited]
        guard let outcome = await model.outcome, done.contains(outcome) else {
            return try await shown(model, page)
        }
        decided.add(model.key)
        app.toasts.show(.init(sentence: page.words[outcome.key]))
        return .redirect(to: "/inbox")
    }

    /// Returns the page of a conflict as it is now.
    private func shown(_ model: ConflictModel, _ page: PageRequest) async throws -> Response {
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else {
            let isMine = decided.contains(model.key)
            return try await app.render(
                "conflict_settled", title: page.words["conflict.gone"], in: .inbox,
                ConflictSettledView(
                    text: isMine ? nil : page.words["conflict.settledElsewhere"]), for: page)
        }
        if page.query("edit") != nil, screen.canEdit, await model.outcome == nil {
            let view = ConflictEditView(
                screen, ConflictDraft(screen, calendar: page.formats.calendar), isRefused: false,
                page.formats)
            return try await app.render(
                "conflict_edit", title: page.words["conflict.edit"], in: .inbox, view, for: page)
        }
        let hasChanged = await model.outcome == .serverChanged
        let view = ConflictView(screen, hasChanged: hasChanged, page.formats)
        return try await app.render(
            "conflict", title: view.heading, in: .inbox, view, for: page,
            status: hasChanged ? .conflict : .ok)
    }

    private func key(_ page: PageRequest) throws -> RecordKey {
        let text = try page.part("record")
        guard let slash = text.firstIndex(of: "/") else { throw HTTPError(.notFound) }
        return RecordKey(String(text[..<slash]), String(text[text.index(after: slash)...]))
    }
}

/// The conflicts that were decided on this device since it was started.
private final class DecidedHere: Sendable {
    private let keys = Mutex<Set<RecordKey>>([])

    func add(_ key: RecordKey) { keys.withLock { _ = $0.insert(key) } }
    func contains(_ key: RecordKey) -> Bool { keys.withLock { $0.contains(key) } }
}

/// The values of the page of a conflict that was decided.
struct ConflictSettledView {
    var text: String?
}
