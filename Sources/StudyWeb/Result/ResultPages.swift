import Foundation
import Hummingbird
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
        guard let saved = try await page.services.userData.session(id: id),
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
        let view = ResultView(try await screen(page), page.formats)
        return try await app.render(
            "result", title: view.title, in: .library, view, for: page)
    }

    private func review(_ page: PageRequest) async throws -> Response {
        if let reply = try await unfinished(page) { return reply }
        let screen = try await screen(page)
        let view = ReviewView(screen, page.formats)
        return try await app.render(
            "review", title: page.words.count("result.review", screen.reviewed.count), in: .library,
            view, for: page)
    }
}

/// The values of a result.
struct ResultView {
    struct Part {
        var name: String
        var score: String
        var right: Int
        var count: Int
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

    init(_ screen: ResultScreen, _ formats: StudyFormats) {
        let words = ResultWords(screen, formats)
        (title, lead, crumbs) = (words.finding, words.certainty, words.crumbs)
        (regraded, timeOver) = (words.correction, words.timeOver)
        bank = screen.subject.id
        reviewPath = "/session/\(screen.id)/review"
        (reviewAction, studyAction) = (words.review, words.studyOn)
        parts = screen.parts.map { Part($0, formats) }
        hasParts = !parts.isEmpty
        levelScale = screen.placement.flatMap { LevelScaleView($0, formats) }
        missed = screen.missed.prefix(3).map { ReviewView.Row($0, formats) }
        hasMissed = !missed.isEmpty
    }
}

extension ResultView.Part {
    init(_ part: ResultScreen.Part, _ formats: StudyFormats) {
        name = part.title
        score = part.score(formats)
        right = part.correctCount
        count = part.questionCount
    }
}

/// The values of a review.
struct ReviewView {
    struct Row {
        var stem: [TextRun]
        var outcome: String
        var isCorrect: Bool
        var icon: String
        var tone: String
        var why: [TextRun]
        var hasWhy: Bool
    }

    var backPath: String
    var rows: [Row]

    init(_ screen: ResultScreen, _ formats: StudyFormats) {
        backPath = "/session/\(screen.id)/result"
        rows = screen.reviewed.map { Row($0, formats) }
    }
}

extension ReviewView.Row {
    init(_ reviewed: ResultScreen.Reviewed, _ formats: StudyFormats) {
        let question = reviewed.question
        stem = TextRun.runs(of: question.stem)
        isCorrect = reviewed.isCorrect
        icon = isCorrect ? "check" : "cross"
        tone = isCorrect ? "is-right" : "is-wrong"
        outcome = reviewed.outcome(formats.words)
        why = TextRun.runs(of: question.explanation ?? "")
        hasWhy = !why.isEmpty
    }
}
