import Hummingbird
import PageRendering
import StudyModel
import Underway

/// The learner's consent to the use of first answers: asked once on a result, changed in the settings.
struct ConsentPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.post("/consent", use: app.page(answer))
    }

    private func answer(_ page: PageRequest) async throws -> Response {
        let form = page.form
        let place = try await place(page)
        let model = await ConsentModel(page.services)
        if let undo = form["undo"] {
            guard let former = ConsentUndo(rawValue: undo) else { throw HTTPError(.badRequest) }
            await model.restore(former.answer)
        } else {
            await model.answer(form["consent"] == "on")
        }
        if let problem = await model.problem { throw problem }
        if form["undo"] == nil, place != Self.settings { await announce(model, place, page) }
        return .redirect(to: place)
    }

    private static let settings = "/settings"

    /// Returns the page on which the question stood: the result of a session of this device, or the settings.
    private func place(_ page: PageRequest) async throws -> String {
        guard let id = page.form["session"] ?? page.query("session") else { return Self.settings }
        guard try await page.services.userData.savedSession(id: id) != nil else {
            throw HTTPError(.notFound)
        }
        return "/session/\(id)/result"
    }

    private func announce(_ model: ConsentModel, _ place: String, _ page: PageRequest) async {
        let isGiven = page.form["consent"] == "on"
        let session = page.form["session"] ?? ""
        app.toasts.show(
            .init(
                sentence: page.words[isGiven ? "consent.thanks" : "consent.declined"],
                undo: .init(
                    action: "/consent?session=\(session)", title: page.words["app.undo"],
                    value: ConsentUndo(await model.former).rawValue)))
    }
}

/// The answer before a step, in the text of an Undo.
enum ConsentUndo: String {
    case yes, no, none

    init(_ answer: Bool?) { self = answer.map { $0 ? .yes : .no } ?? .none }

    var answer: Bool? { self == .none ? nil : self == .yes }
}

/// The values of the question, and of its switch.
struct ConsentView {
    /// The session on whose result the question stands.
    var session: String
    var isGiven: Bool

    /// Shows the question on a result, where it is asked.
    static func question(on result: ResultScreen, _ page: PageRequest) async -> ConsentView? {
        // Only a page that is seen has asked.
        guard page.request.method == .get else { return nil }
        let model = await ConsentModel(page.services)
        await model.load(after: result)
        guard let screen = await model.screen, screen.isAsked else { return nil }
        return ConsentView(session: result.id, isGiven: false)
    }

    /// Shows the switch, where there is a server.
    static func choice(_ page: PageRequest) async -> ConsentView? {
        let model = await ConsentModel(page.services)
        await model.load()
        guard let screen = await model.screen else { return nil }
        return ConsentView(session: "", isGiven: screen.isGiven == true)
    }
}
