public import Foundation
import Underway

/// The figures of the progress page: of all subjects, or of one.
///
/// Every number that the page shows or draws is a value here, or the formatted form of one.
public struct ProgressScreen: Sendable, Hashable {
    /// A subject: a bank in which the learner has answers or an open session.
    public struct Subject: Sendable, Hashable, Identifiable {
        /// The name of the bank.
        public var bank: String
        /// The title of an exam, or a language's own name; `nil` for an exam that is not on the device.
        public var title: String?
        /// The language's code; `nil` for an exam.
        public var language: String?
        /// True when the content is not, or no longer, on the device.
        public var isMissing: Bool
        /// The counts; for missing content only the answers.
        public var figures: ProgressFigures

        /// The name of the bank.
        public var id: String { bank }
        /// The title, or the name of the bank without one.
        public var name: String { title ?? bank }
    }

    /// The moment of the figures.
    public var now: Date
    /// All subjects, by name.
    public var subjects: [Subject]
    /// The shown bank; `nil` for all.
    public var selected: String?
    /// The counts of the shown subjects.
    public var figures: ProgressFigures
    /// The time in seconds for the questions due today, at the learner's pace.
    public var secondsOfDue: TimeInterval
    /// The number of days with answers.
    public var studiedDays: Int
    /// The number of such days in a row, up to today or yesterday.
    public var streak: Int
    /// The longest run of such days.
    public var longestStreak: Int
    /// The number of cards that become due on each of the next 14 days.
    ///
    /// The first day is today, as in ``ProgressFigures/dueToday``: with overdue cards and new questions, within the
    /// day's limits. Tomorrow is what Today will say then. The number of new questions on later days is not known.
    public var dueDays: [DueDay]
    /// The answers of each day of the last 26 weeks.
    public var calendar: AnswerCalendar
    /// The share of right answers of each domain, in the order of subjects and of the author.
    public var domains: [DomainShare]
    /// The forecast of the next exam.
    public var forecast: ForecastState

    /// The subjects whose content is not on the device.
    public var missing: [Subject] { subjects.filter(\.isMissing) }
    /// The first of the days with the most due cards; `nil` when none is due.
    public var busiestDueDay: DueDay? {
        let most = dueDays.map(\.cards).max() ?? 0
        return most > 0 ? dueDays.first { $0.cards == most } : nil
    }
    /// The domain with the lowest share, if its whole interval lies below the share of all answers: it is weaker than
    /// chance explains.
    public var weakestDomain: DomainShare? {
        let answers = domains.reduce(0) { $0 + $1.answers }
        let right = domains.reduce(0) { $0 + $1.right }
        guard domains.count > 1, answers > 0,
            let lowest = domains.filter({ $0.answers > 0 }).min(by: { $0.share < $1.share })
        else { return nil }
        return lowest.interval.high < Double(right) / Double(answers) ? lowest : nil
    }
}

/// The counts of a subject, or of several.
public struct ProgressFigures: Sendable, Hashable {
    /// The number of questions that Today offers, within the day's limits: those due by the end of today, and new ones.
    public var dueToday = 0
    /// The number of new questions among them.
    public var newToday = 0
    /// The number of questions that were answered at least once and can be asked again.
    public var seen = 0
    /// The number of questions that can be asked; 0 for missing content.
    public var questions = 0
    /// The number of answers, including those to removed questions.
    public var answers = 0
    /// The number of seen questions that were last answered before today.
    public var rested = 0
    /// The sum of the chances of recall over the rested questions, now.
    public var recallSum = 0.0

    /// Creates the counts of a learner without answers.
    public init() {}

    /// The mean chance of recall now over the questions last answered before today; `nil` without any.
    ///
    /// An answer of an hour ago is no evidence about memory.
    public var remembered: Double? { rested > 0 ? recallSum / Double(rested) : nil }
    /// The chance of recall at which a card is due: the target of ``remembered``; of several subjects the mean over their
    /// rested questions.
    public var aim = LearningSettings.standard.retention

    /// Adds figures, of which the first say the aim if none has a rested question.
    static func + (one: Self, other: Self) -> Self {
        var sum = one
        if one.aim != other.aim, other.rested > 0 {
            let share = Double(other.rested) / Double(one.rested + other.rested)
            sum.aim = one.aim * (1 - share) + other.aim * share
        }
        sum.dueToday += other.dueToday
        sum.newToday += other.newToday
        sum.seen += other.seen
        sum.questions += other.questions
        sum.answers += other.answers
        sum.rested += other.rested
        sum.recallSum += other.recallSum
        return sum
    }
}

/// The number of cards that become due on a day, if none is answered before.
public struct DueDay: Sendable, Hashable {
    /// The number of days that the progress page shows.
    public static let dayCount = 14

    /// The start of the day.
    public var date: Date
    /// The number of cards.
    public var cards: Int
}

/// The share of right answers to the questions of a domain.
///
/// Each answer counts, so a question that was asked often has more weight.
public struct DomainShare: Sendable, Hashable {
    /// The name of the bank.
    public var bank: String
    /// The id of the domain; empty for questions without one.
    public var domain: String
    /// The title of the domain; `nil` when the content does not name it.
    public var title: String?
    /// The number of answers.
    public var answers: Int
    /// The number of right answers.
    public var right: Int

    /// The share of right answers; 0 without answers.
    public var share: Double { answers > 0 ? Double(right) / Double(answers) : 0 }
    /// The 95 % interval of the share.
    public var interval: WilsonInterval { WilsonInterval(right, of: answers) }
}

/// The forecast of an exam, or the reason why there is none.
public enum ForecastState: Sendable, Hashable {
    /// The bank has too few answers: their number, below ``ExamForecast/answersMin``.
    case tooFewAnswers(Int)
    /// The bank has too few days with answers: their number, below ``ExamForecast/studyDaysMin``.
    case tooFewDays(Int)
    /// The learner has no date, from today on, for an exam of the shown subjects.
    case noDate
    /// The shown subject has no exam, such as a placement test, or its content is missing.
    case noExam
    /// The forecast.
    case ready(ExamForecast)
}
