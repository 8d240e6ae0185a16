import Foundation
import StudyModel
import Underway

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
        /// The reason for nothing new; `nil` for none.
        var backlog: String?
        var action: String
        /// The button's name for a screen reader.
        var label: String
    }

    struct Offer {
        var bank: String
        var kind: String
        /// The language of the subject's name; `nil` for that of the page.
        var language: String?
        /// The subject, and the time that it takes.
        var name: String
        var duration: String
        var action: String
        /// The button's name for a screen reader.
        var label: String
        var isFilled: Bool
    }

    struct Aside {
        var name: String
        var sentence: String
        var href: String
    }

    struct Corrected {
        var action: String
        var text: String
    }

    struct Missing {
        var name: String
        var language: String?
    }

    struct Exam {
        var name: String
        var text: String
        /// The sentence about the score to expect.
        var forecast: String?
    }

    var lead: String
    var stopped: Stopped?
    var stoppedBefore: [Stopped]
    var hasStoppedBefore: Bool
    var corrected: Corrected?
    var missing: [Missing]
    var hasMissing: Bool
    var rows: [Row]
    var hasRows: Bool
    var allAction: String
    /// The bank with which studying everything begins.
    var allBank: String
    /// The sentence that says how several subjects are studied.
    var allHint: String?
    var isAllFilled: Bool
    /// True when one button begins with everything that is due.
    var hasAll: Bool
    var isDone: Bool
    var doneText: String
    var offers: [Offer]
    var hasOffers: Bool
    var aside: [Aside]
    var hasAside: Bool
    var isNew: Bool
    var exams: [Exam]
    var hasExams: Bool
    /// The context of `part_sheet`; `nil` when there is nothing to announce.
    var sheet: AnnouncementView.Sheet?

    init(_ screen: TodayScreen, _ formats: StudyFormats) {
        let words = formats.words
        let date = formats.dateWithWeekday(screen.day, now: screen.now)
        let duration = formats.about(.seconds(screen.secondsOfDue))
        lead =
            screen.dueCount == 0
            ? date
            : words.count("today.summary", screen.dueCount, ["date": date, "duration": duration])
        stopped = screen.stopped.map { Stopped($0, screen.now, formats) }
        stoppedBefore = screen.stoppedBefore.map { Stopped($0, screen.now, formats) }
        hasStoppedBefore = !stoppedBefore.isEmpty
        let today = TodayText(screen, formats)
        if let corrected = screen.corrected, let text = today.corrected {
            self.corrected = Corrected(action: "/corrections/\(corrected.id)", text: text)
        }
        missing = screen.missing.map { Missing(name: $0.title, language: $0.language) }
        hasMissing = !missing.isEmpty
        rows = screen.due.map { Row($0, screen.now, formats) }
        hasRows = !screen.due.isEmpty
        (allAction, allHint) = (today.studyAll, today.studyAllHint)
        allBank = screen.mostUrgent?.subject.id ?? ""
        // Of one subject a session asks not more than its most; of several, each result offers the next.
        hasAll = screen.due.count > 1 || screen.dueCount <= SessionStart.studyQuestionsMax
        isAllFilled = screen.stopped == nil
        isDone = screen.hasStarted && screen.due.isEmpty
        doneText =
            screen.dueTomorrow == 0
            ? words["today.done"] : words.count("today.doneTomorrow", screen.dueTomorrow)
        offers = screen.offers.map {
            Offer($0, isFilled: screen.stopped == nil && $0 == screen.offers.first, formats)
        }
        hasOffers = isDone && !offers.isEmpty
        aside = screen.aside.map {
            Aside(
                name: $0.subject.title, sentence: $0.sentence(words),
                href: QuestionPages.path($0.subject.id, QuestionQuery(filter: .aside)))
        }
        hasAside = !aside.isEmpty
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
        place = stopped.place(formats)
        done = stopped.index
        count = stopped.count
    }
}

extension TodayView.Row {
    init(_ due: TodayScreen.Due, _ now: Date, _ formats: StudyFormats) {
        bank = due.subject.id
        name = due.subject.title
        language = due.subject.language
        details = due.details(formats)
        backlog = due.backlog?.sentence(formats)
        action = formats.words.text("today.study", ["number": formats.number(due.askedCount)])
        label = due.studyTitle(formats)
    }
}

extension TodayView.Offer {
    init(_ offer: StudyOffer, isFilled: Bool, _ formats: StudyFormats) {
        bank = offer.subject.id
        kind = offer.kind.rawValue
        language = offer.subject.language
        name = offer.subject.title
        duration = formats.about(.seconds(offer.seconds))
        self.isFilled = isFilled
        action = offer.title(formats)
        label = "\(action): \(offer.subject.title)"
    }
}
