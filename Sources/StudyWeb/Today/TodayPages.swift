import Foundation
import Hummingbird
import StudyModel
import Underway

/// The first page.
struct TodayPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/", use: app.page(today))
    }

    private func today(_ page: PageRequest) async throws -> Response {
        let model = await TodayModel(page.services)
        await model.load()
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        var view = TodayView(screen, page.formats)
        view.sheet = await AnnouncementPages.sheet(for: page)
        return try await app.render(
            "today", title: page.words["today.title"], in: .today, view, for: page)
    }
}

/// The values of the first page.
struct TodayView {
    struct Stopped {
        var path: String
        var when: String
        var name: String
        var place: String
        var done: Int
        var count: Int
    }

    struct Row {
        var bank: String
        var name: String
        var language: String?
        var details: String
        var action: String
        /// The button's name for a screen reader.
        var label: String
    }

    struct Exam {
        var name: String
        var text: String
        /// The sentence about the score to expect.
        var forecast: String?
    }

    var lead: String
    var stopped: Stopped?
    var rows: [Row]
    var hasRows: Bool
    var allAction: String
    /// The bank with the most due, with which studying everything begins.
    var allBank: String
    var isAllFilled: Bool
    /// True when one session asks everything that is due.
    var hasAll: Bool
    var isDone: Bool
    var doneText: String
    var isNew: Bool
    var exams: [Exam]
    var hasExams: Bool
    /// The context of `part_sheet`; `nil` when there is nothing to announce.
    var sheet: AnnouncementView.Sheet?

    init(_ screen: TodayScreen, _ formats: StudyFormats) {
        let words = formats.words
        let date = formats.dateWithWeekday(screen.now, now: screen.now)
        let duration = formats.about(.seconds(screen.secondsOfDue))
        lead =
            screen.dueCount == 0
            ? date
            : words.count("today.summary", screen.dueCount, ["date": date, "duration": duration])
        stopped = screen.stopped.map { Stopped($0, screen.now, formats) }
        rows = screen.due.map { Row($0, screen.now, formats) }
        hasRows = !screen.due.isEmpty
        allAction = words.text("today.studyAll", ["number": formats.number(screen.dueCount)])
        allBank = screen.due.first?.subject.id ?? ""
        // One session asks one subject, and not more than its most.
        hasAll = screen.due.count == 1 && screen.dueCount <= SessionStart.studyQuestionsMax
        isAllFilled = screen.stopped == nil
        isDone = screen.hasStarted && screen.due.isEmpty
        doneText =
            screen.dueTomorrow == 0
            ? words["today.done"] : words.count("today.doneTomorrow", screen.dueTomorrow)
        isNew = !screen.hasStarted
        exams = screen.booked.map { booked in
            Exam(
                name: words.text(
                    "today.exam", ["date": formats.text(booked.date, now: screen.now)]),
                text: booked.subject.title, forecast: Self.forecast(booked, formats))
        }
        hasExams = !exams.isEmpty
    }

    /// Returns the score to expect and the one that passes; `nil` where one is not known.
    private static func forecast(
        _ booked: TodayScreen.Booked, _ formats: StudyFormats
    ) -> String? {
        guard let forecast = booked.forecast, let pass = forecast.passFraction else { return nil }
        return formats.words.text(
            "today.forecast",
            ["share": formats.percent(forecast.exam.expected), "pass": formats.percent(pass)])
    }
}

extension TodayView.Stopped {
    init(_ stopped: TodayScreen.Stopped, _ now: Date, _ formats: StudyFormats) {
        path = "/session/\(stopped.id)"
        when = formats.sentence("today.stopped", stopped.stoppedAt, now: now)
        name = stopped.subject.title
        place = formats.words.text(
            stopped.isCountMost ? "session.titleOfMost" : "today.question",
            [
                "number": formats.number(stopped.index + 1),
                "total": formats.number(stopped.count),
            ])
        done = stopped.index
        count = stopped.count
    }
}

extension TodayView.Row {
    init(_ due: TodayScreen.Due, _ now: Date, _ formats: StudyFormats) {
        let words = formats.words
        bank = due.subject.id
        name = due.subject.title
        language = due.subject.language
        var parts: [String] = []
        let reviewCount = due.count - due.newCount
        if reviewCount > 0 { parts.append(words.count("today.due", reviewCount)) }
        if due.newCount > 0 { parts.append(words.count("today.new", due.newCount)) }
        details = parts.joined(separator: " · ")
        let asked = formats.number(min(due.count, SessionStart.studyQuestionsMax))
        action = words.text("today.study", ["number": asked])
        label = words.text(
            "today.studySubject",
            ["number": asked, "subject": due.subject.title])
    }
}
