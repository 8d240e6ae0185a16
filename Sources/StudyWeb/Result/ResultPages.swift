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
        let words = formats.words
        crumbs = [
            words[Self.kind(screen.mode)], "\u{2068}\(screen.subject.title)\u{2069}",
            formats.dateAndTime(screen.startedAt, now: screen.startedAt),
            formats.minutes(.seconds(screen.secondsTaken)),
        ].joined(separator: " · ")
        (title, lead) = Self.finding(screen, formats)
        regraded =
            screen.formerCorrectCount == screen.correctCount
            ? nil
            : words.text(
                "result.itWas", ["points": formats.number(screen.formerCorrectCount)])
        timeOver = screen.isTimeOver ? words["simulation.timeOver"] : nil
        bank = screen.subject.id
        reviewPath = "/session/\(screen.id)/review"
        reviewAction = words.count("result.review", screen.reviewed.count)
        studyAction =
            screen.placement?.level.map { words.text("result.studyFrom", ["level": $0]) }
            ?? words["result.studyOn"]
        parts = screen.parts.map { Part($0, formats) }
        hasParts = !parts.isEmpty
        levelScale = screen.placement.flatMap { LevelScaleView($0, formats) }
        missed = screen.missed.prefix(3).map { ReviewView.Row($0, formats) }
        hasMissed = !missed.isEmpty
    }

    private static func kind(_ mode: SessionMode) -> String {
        switch mode {
        case .study: "result.session"
        case .exam: "result.simulation"
        case .placement: "result.placement"
        }
    }

    /// Returns the finding as a heading, and the sentence that says how sure it is.
    private static func finding(
        _ screen: ResultScreen, _ formats: StudyFormats
    ) -> (String, String) {
        let words = formats.words
        if let placement = screen.placement { return level(placement, formats) }
        let points = formats.number(screen.correctCount)
        let total = formats.number(screen.questionCount)
        if let hasPassed = screen.hasPassed, let needed = screen.passCount {
            let key = hasPassed ? "result.passed" : "result.notPassed"
            return (
                words.text(
                    key,
                    ["points": points, "total": total, "needed": formats.number(needed)]), ""
            )
        }
        return (words.text("result.rightOf", ["right": points, "total": total]), "")
    }

    private static func level(
        _ placement: PlacementOutcome, _ formats: StudyFormats
    ) -> (String, String) {
        let words = formats.words
        guard let level = placement.level, let low = placement.likelyLevels.first,
            let high = placement.likelyLevels.last
        else { return (words["result.tooFew"], words["result.tooFewHint"]) }
        let share = formats.percent(PlacementOutcome.likelihood)
        let range = words.text(
            low == high ? "result.rangeOne" : "result.range",
            ["share": share, "low": low, "high": high])
        return (
            words.text("result.level", ["level": level]),
            range + " " + words.count("result.rangeWhy", placement.questionCount)
        )
    }
}

extension ResultView.Part {
    init(_ part: ResultScreen.Part, _ formats: StudyFormats) {
        name = part.title
        score = formats.words.text(
            "app.share",
            [
                "part": formats.number(part.correctCount),
                "total": formats.number(part.questionCount),
            ])
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
        let (question, words) = (reviewed.question, formats.words)
        stem = TextRun.runs(of: question.stem)
        isCorrect = reviewed.isCorrect
        icon = isCorrect ? "check" : "cross"
        tone = isCorrect ? "is-right" : "is-wrong"
        let given = reviewed.response.map { Self.text($0, question) } ?? ""
        let right = Self.text(question.correctResponse, question)
        outcome =
            if isCorrect {
                words.text("session.yourRightAnswer", [:])
            } else if given.isEmpty {
                words.text("result.unanswered", ["right": right])
            } else {
                words.text("result.youAndRight", ["given": given, "right": right])
            }
        why = TextRun.runs(of: question.explanation ?? "")
        hasWhy = !why.isEmpty
    }

    private static func text(_ response: QuestionResponse, _ question: Question) -> String {
        switch response {
        case .options(let ids):
            ids.compactMap { id in question.options.first { $0.id == id }?.text }
                .joined(separator: ", ").replacing("`", with: "")
        case .number(let number): number.description
        case .unknown: ""
        }
    }
}
