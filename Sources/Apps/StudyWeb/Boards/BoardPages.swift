import Foundation
import Hummingbird
import PageRendering
import StudyModel
import Underway

/// The boards: the list, one board, and the learner's name on all of them.
struct BoardPages {
    static let path = "/boards"
    static let profilePath = "/settings/boards"

    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/boards", use: app.page(list))
        router.get("/boards/{name}", use: app.page(board))
        router.get("/settings/boards", use: app.page(profile))
        router.post("/settings/boards", use: app.page(changeProfile))
    }

    private func list(_ page: PageRequest) async throws -> Response {
        let model = await BoardListModel(page.services)
        await model.load()
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        return try await app.render(
            "boards", title: page.words["board.list"], in: .progress,
            BoardListView(screen, page.formats), for: page)
    }

    private func board(_ page: PageRequest) async throws -> Response {
        let period = page.query("period").map { BoardPeriod(rawValue: $0) }
        // A period that there is not is an old link, and no board.
        if case .some(nil) = period { throw HTTPError(.notFound) }
        let model = await BoardModel(page.services, id: try page.part("name"))
        await model.load(period ?? nil)
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        return try await app.render(
            "board", title: screen.title, in: .progress, BoardView(screen, page.formats),
            for: page, status: screen.obstacle == .missing ? .notFound : .ok)
    }

    // MARK: Profile

    private func profile(_ page: PageRequest) async throws -> Response {
        let model = await BoardProfileModel(page.services)
        await model.load()
        return try await shown(model, page)
    }

    private func changeProfile(_ page: PageRequest) async throws -> Response {
        let model = await BoardProfileModel(page.services)
        await app.accountSteps.run { await change(model, page.form) }
        guard let outcome = await model.outcome else { return try await shown(model, page) }
        app.toasts.show(.init(sentence: page.words[outcome.key]))
        return .redirect(to: Self.profilePath)
    }

    private func change(_ model: BoardProfileModel, _ form: FormFields) async {
        switch form["action"] {
        case "leave": await model.leave()
        case "join": await model.join()
        default: await model.save(name: form["name"] ?? "")
        }
    }

    private func shown(_ model: BoardProfileModel, _ page: PageRequest) async throws -> Response {
        let isForm = page.request.method == .post
        let view = BoardProfileView(
            await model.profile, await model.obstacle, isForm ? page.form : nil, page.words)
        return try await app.render(
            "board_name", title: page.words["board.profile"], in: .settings, view, for: page,
            status: isForm ? .unprocessableContent : .ok)
    }
}
