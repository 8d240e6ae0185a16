import Foundation
import Hummingbird
import StudyModel

/// The progress page.
struct ProgressPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/progress", use: app.page(progress))
    }

    private func progress(_ page: PageRequest) async throws -> Response {
        let model = await ProgressModel(page.services)
        await model.load(subject: page.query("subject"))
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        var view = ProgressView(screen, page.formats)
        view.hasBoards = page.services.sendsUserData
        return try await app.render(
            "progress", title: page.words["progress.title"], in: .progress, view, for: page)
    }
}
