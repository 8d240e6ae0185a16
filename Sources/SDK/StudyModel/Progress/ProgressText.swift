public import Foundation
import Underway

/// The findings and figures of the progress screen as text for a learner.
public struct ProgressText: Sendable {
    /// A figure with its name and its measure.
    public struct Figure: Sendable, Hashable, Identifiable {
        /// The name.
        public var name: String
        /// The figure.
        public var number: String
        /// The measure; empty for none.
        public var note: String

        /// The name.
        public var id: String { name }
    }

    private let screen: ProgressScreen
    private let formats: StudyFormats
    private var words: StudyText { formats.words }

    /// Creates the texts of a screen in a language.
    public init(_ screen: ProgressScreen, _ formats: StudyFormats) {
        self.screen = screen
        self.formats = formats
    }

    // MARK: Figures

    /// The figures at the head of the screen.
    public var figures: [Figure] {
        let (counts, percent) = (screen.figures, formats.percent)
        return [
            Figure(
                name: words["progress.dueToday"], number: formats.number(counts.dueToday),
                note: dueNote),
            Figure(
                name: words["progress.remembered"],
                number: counts.remembered.map(percent) ?? words["progress.noValue"],
                note: counts.remembered == nil && counts.seen > 0
                    ? words["progress.rememberedTomorrow"]
                    : words.text("progress.aim", ["share": percent(counts.aim)])),
            Figure(
                name: words["progress.daysInRow"], number: formats.number(screen.streak),
                note: words.text(
                    "progress.longest", ["number": formats.number(screen.longestStreak)])),
            Figure(
                name: words["progress.seen"], number: formats.number(counts.seen),
                note: words.text("progress.ofTotal", ["total": formats.number(counts.questions)])),
        ]
    }

    private var dueNote: String {
        guard screen.figures.dueToday > 0 else { return "" }
        let new = screen.figures.newToday
        return [
            formats.about(.seconds(screen.secondsOfDue)),
            new > 0 ? words.count("today.new", new) : nil,
        ].compactMap { $0 }.joined(separator: " · ")
    }

    // MARK: Forecast

    /// The sentence shown instead of a forecast with too few answers or days; `nil` if it has enough.
    public var whatForecastNeeds: String? {
        switch screen.forecast {
        case .tooFewAnswers:
            words.text(
                "progress.tooFew",
                [
                    "number": formats.number(ExamForecast.answersMin),
                    "days": formats.number(ExamForecast.studyDaysMin),
                ])
        case .tooFewDays:
            words.text("progress.tooFewDays", ["number": formats.number(ExamForecast.studyDaysMin)])
        case .noDate, .noExam, .ready: nil
        }
    }

    /// Returns the finding of a forecast.
    public func finding(of forecast: ExamForecast) -> String {
        let share = formats.percent(forecast.exam.expected)
        guard let passes = forecast.passes, let pass = forecast.passFraction else {
            return words.text("progress.wouldScore", ["share": share])
        }
        return words.text(
            passes ? "progress.wouldPass" : "progress.wouldNotPass",
            ["share": share, "pass": formats.percent(pass)])
    }

    /// Returns the sentence with the exam day and the band of a forecast.
    public func hint(of forecast: ExamForecast) -> String {
        words.text(
            "progress.forecast",
            [
                "date": formats.date(forecast.examDay, now: screen.now),
                "low": formats.percent(forecast.exam.low),
                "high": formats.percent(forecast.exam.high),
            ])
    }

    // MARK: Days and domains

    /// The finding of the next days.
    public var dueFinding: String {
        guard let busiest = screen.busiestDueDay else { return words["progress.noneDue"] }
        return words.text("progress.busiest", ["day": name(of: busiest.date)])
    }

    /// The finding of the calendar.
    public var calendarFinding: String {
        words.text(
            "progress.calendar",
            [
                "active": formats.number(screen.calendar.studiedDayCount),
                "total": formats.number(screen.calendar.dayCount),
            ])
    }

    /// The finding of the domains.
    public var domainFinding: String {
        screen.weakestDomain.map { words.text("progress.weakest", ["domain": name(of: $0)]) }
            ?? words["progress.domains"]
    }

    /// Returns the name of a day.
    public func name(of day: Date) -> String { formats.dateWithWeekday(day, now: screen.now) }

    /// Returns a domain's title, with its subject if several are shown.
    public func name(of domain: DomainShare) -> String {
        let subject = screen.subjects.first { $0.bank == domain.bank }?.name ?? domain.bank
        let title = domain.title ?? domain.domain
        guard screen.selected == nil, screen.subjects.count > 1 else {
            return title.isEmpty ? subject : title
        }
        return title.isEmpty ? subject : "\(subject) · \(title)"
    }
}
