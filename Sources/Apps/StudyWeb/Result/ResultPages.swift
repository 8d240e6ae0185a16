import Foundation
import Hummingbird
import PageRendering
import StudyModel
import Underway

/// The results of sessions, and the review of their answers.
struct ResultPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/session/:id/result", use: app.page(result))
        router.get("/session/:id/review", use: app.page(review))
    }

    private func screen(_ page: PageRequest) async throws -> ResultScreen {
        let model = await ResultModel(page.services, id: try page.part("id"))
        await model.load()
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        return screen
    }

    /// Returns where a session that has not ended goes on; it ends there when nothing is left to ask.
    private func unfinished(_ page: PageRequest) async throws -> Response? {
        let id = try page.part("id")
        guard let saved = try await page.services.userData.savedSession(id: id),
            saved.session.state != .finished
        else { return nil }
        let model = await SessionModel(page.services, id: id)
        await app.steps.run { await model.load() }
        if let screen = await model.screen {
            return .redirect(to: "/session/\(id)/\(screen.index + 1)")
        }
        if await !model.isOver { await app.steps.run { await model.finish() } }
        return nil
    }

    private func result(_ page: PageRequest) async throws -> Response {
        if let reply = try await unfinished(page) { return reply }
        let screen = try await screen(page)
        var view = ResultView(screen, page.formats)
        view.consent = await ConsentView.question(on: screen, page)
        return try await app.render(
            "result", title: view.title, in: .library, view, for: page)
    }

    private func review(_ page: PageRequest) async throws -> Response {
        if let reply = try await unfinished(page) { return reply }
        let screen = try await screen(page)
        let selection = page.query("show").flatMap(ResultScreen.Selection.init) ?? .all
        let topic = page.query("topic")
        let part = screen.parts.first { $0.id == topic }
        let notes = await NoteModel(page.services).notes(of: screen.subject.bank)
        let pictures = await ReviewPictures(
            screen.reviewed(selection, of: part).map(\.question), of: screen.subject.bank, page)
        let view = ReviewView(
            screen, selection, part, pictures, notes: notes, page.formats)
        return try await app.render("review", title: view.title, in: .library, view, for: page)
    }
}

/// The values of a result.
struct ResultView {
    struct Part {
        var name: String
        var score: String
        var right: Int
        var count: Int
        /// The review of its answers.
        var path: String
    }

    struct Next {
        var bank: String
        var title: String
    }

    struct Link {
        var path: String
        var title: String
    }

    var title: String
    var crumbs: String
    var lead: String
    var regraded: String?
    var timeOver: String?
    var bank: String
    var reviewPath: String
    var reviewAction: String
    var studyAction: String
    var parts: [Part]
    var hasParts: Bool
    var levelScale: LevelScaleView?
    var missed: [ReviewView.Row]
    var hasMissed: Bool
    /// The next subject that is due.
    var next: Next?
    var corrected: Link?
    /// The live event of which the session is a round.
    var event: Link?
    var allMissed: Link?
    /// The button that takes the newest answer back; `nil` without one.
    var undo: UndoView?
    /// The question for consent; `nil` where it is not asked.
    var consent: ConsentView?

    init(_ screen: ResultScreen, _ formats: StudyFormats) {
        let words = ResultText(screen, formats)
        (title, lead, crumbs) = (words.finding, words.certainty, words.crumbs)
        (regraded, timeOver) = (words.correction, words.timeOver)
        bank = screen.subject.id
        reviewPath = "/session/\(screen.id)/review"
        (reviewAction, studyAction) = (words.review, words.studyOn)
        parts = screen.parts.map { Part($0, of: screen, formats) }
        hasParts = !parts.isEmpty
        levelScale = screen.placement.flatMap { LevelScaleView($0, formats) }
        missed = screen.missed.prefix(ResultScreen.missedListedMax).map {
            ReviewView.Row($0, screen, formats)
        }
        hasMissed = !missed.isEmpty
        undo = UndoView(screen.undoKey, session: screen.id, formats.words)
        if let next = screen.next, let title = words.studyNext {
            self.next = Next(bank: next.subject.id, title: title)
        }
        if let corrected = screen.corrected, let title = words.whyCorrected {
            self.corrected = Link(
                path: reviewPath + "#" + ReviewView.Row.place(corrected), title: title)
        }
        event = screen.event.map { Link(path: EventView.path($0.id), title: $0.title) }
        if screen.missed.count > missed.count {
            allMissed = Link(path: reviewPath + "?show=missed", title: words.allMissed)
        }
    }
}

extension ResultView.Part {
    init(_ part: ResultScreen.Part, of screen: ResultScreen, _ formats: StudyFormats) {
        path = ReviewView.path(screen, part)
        name = part.title
        score = part.score(formats)
        right = part.correctCount
        count = part.questionCount
    }
}
