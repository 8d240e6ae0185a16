import Foundation
import Hummingbird
import PageRendering
import StudyModel
import Underway

/// The first page.
struct TodayPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/", use: app.page(today))
        router.post("/corrections/:id", use: app.page(correction))
    }

    private func today(_ page: PageRequest) async throws -> Response {
        let model = await TodayModel(page.services)
        await model.load()
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        if StartView.isShown(for: screen) { return try await start(page) }
        var view = TodayView(screen, page.formats)
        view.sheet = await AnnouncementPages.sheet(for: page)
        return try await app.render(
            "today", title: page.words["today.title"], in: .today, view, for: page)
    }

    /// Returns the first page of a learner who has nothing to continue yet: the choice of a subject.
    private func start(_ page: PageRequest) async throws -> Response {
        let model = await LibraryModel(page.services)
        await model.load(
            search: page.query("q") ?? "", language: page.words.language,
            region: StartView.region(of: page.request))
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        return try await app.render(
            "start", title: page.words["start.title"], in: .today,
            StartView(list: LibraryView(screen, page.formats)), for: page)
    }

    /// Notes that the learner looks at a corrected result, and leads to the corrected question.
    private func correction(_ page: PageRequest) async throws -> Response {
        let id = try page.part("id")
        let result = await ResultModel(page.services, id: id)
        await result.load()
        if let problem = await result.problem { throw problem }
        let today = await TodayModel(page.services)
        await today.see(id)
        // Announced again is no loss; the question is shown all the same.
        let place = await result.screen?.corrected.map { "#" + ReviewView.Row.place($0) } ?? ""
        return .redirect(to: "/session/\(id)/review\(place)")
    }
}
