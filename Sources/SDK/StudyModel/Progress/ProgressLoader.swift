import Foundation
import Underway

/// The reading of the progress page from content and user data.
struct ProgressLoader {
    /// A bank as it is read: its content, if it is on the device, and its cards.
    struct Bank {
        var bank: QuestionFilter.Bank
        var blueprint: Blueprint?
        var cards: [String: CardSchedule]
        var scheduler: ReviewScheduler
        var due: DueCounts
        var domains: [UserStore.Progress]

        /// The number of answers.
        var answerCount: Int { domains.reduce(0) { $0 + $1.answers } }

        /// The cards of questions that may be asked.
        var askable: [CardSchedule] {
            (blueprint?.questions ?? []).filter { !$0.isRetired }.compactMap { cards[$0.id] }
        }
    }

    private let services: StudyServices
    private let now: Date
    private let calendar: Calendar
    private let today: LearningDay

    init(_ services: StudyServices) {
        self.services = services
        now = services.now
        calendar = services.calendar
        today = services.days.day(of: now)
    }

    /// Returns the page of a subject; of all for `nil` and for an unknown one.
    @concurrent
    func screen(of subject: String?) async throws -> ProgressScreen {
        let banks = try await banks()
        let subjects = banks.map(described)
            .sorted { ($0.name, $0.bank) < ($1.name, $1.bank) }
        let selected = subjects.first { $0.bank == subject }
        let names = selected.map { [$0.bank] } ?? subjects.map(\.bank)
        let byName = Dictionary(
            banks.map { ($0.bank.name, $0) }, uniquingKeysWith: { first, _ in first })
        let shown = names.compactMap { byName[$0] }
        let days = try await dayCounts(selected == nil ? nil : shown.first?.bank)
        var none = ProgressFigures()
        none.aim = try await services.userData.perform { try $0.learningSettings().retention }
        let figures = selected?.figures ?? subjects.map(\.figures).reduce(none, +)
        return ProgressScreen(
            now: now, subjects: subjects, selected: selected?.bank, figures: figures,
            secondsOfDue: try await Double(figures.dueToday) * TodayLoader(services).pace(),
            studiedDays: days.days, streak: days.streak(on: today),
            longestStreak: days.longestStreak,
            dueDays: dueDays(shown.map(\.due)),
            calendar: AnswerCalendar(days, today: today, calendar: calendar),
            domains: shown.flatMap(domains), forecast: try await forecast(of: shown))
    }

    // MARK: Banks

    private func banks() async throws -> [Bank] {
        let (domains, open) = try await services.userData.perform {
            (try $0.progressByDomain(), try $0.openSessions().studiedBanks)
        }
        let answered = domains.compactMap { $0.bank.flatMap(QuestionFilter.Bank.init(name:)) }
        var banks: [Bank] = []
        for bank in Set(open + answered).sorted(by: { $0.name < $1.name }) {
            let learning = try await services.learning(of: bank)
            let studied = learning.studied
            let blueprint = try await blueprint(bank)
            var due = DueCounts()
            if let blueprint { due = try await DueLoader(services).counts(bank, blueprint) }
            banks.append(
                Bank(
                    bank: bank, blueprint: blueprint, cards: studied.mapValues(\.schedule),
                    scheduler: learning.scheduler,
                    due: due,
                    domains: domains.filter { $0.bank == bank.name }))
        }
        return banks
    }

    /// Returns the content of a bank; `nil` when it is not on the device or cannot be read.
    private func blueprint(_ bank: QuestionFilter.Bank) async throws -> Blueprint? {
        do {
            return try await services.content.perform { try $0.blueprint(bank).value }
        } catch let error as StoreError where error.code != .storage {
            return nil
        }
    }

    private func described(_ bank: Bank) -> ProgressScreen.Subject {
        let cards = bank.askable
        let scheduler = bank.scheduler
        var figures = ProgressFigures()
        figures.dueToday = bank.due.today
        figures.newToday = bank.due.new
        figures.seen = cards.count
        figures.questions = bank.blueprint?.questions.count { !$0.isRetired } ?? 0
        figures.answers = bank.answerCount
        let rested = cards.filter { ($0.lastDay ?? today) < today }
        figures.rested = rested.count
        figures.aim = scheduler.settings.retention
        figures.recallSum = rested.reduce(0) { $0 + scheduler.retrievability(of: $1, on: today) }
        let subject = subject(bank)
        return ProgressScreen.Subject(
            bank: bank.bank.name, title: subject?.title, language: subject?.language,
            isMissing: bank.blueprint == nil, figures: figures)
    }

    private func subject(_ bank: Bank) -> Subject? {
        if case .placement(let language) = bank.bank { return Subject(language: language) }
        return bank.blueprint.map { Subject($0, of: bank.bank) }
    }

    // MARK: Days

    private func dayCounts(_ bank: QuestionFilter.Bank?) async throws -> StudyDayCounts {
        if let bank {
            let answers = try await services.userData.perform { try $0.answers(of: bank) }
            return StudyDayCounts(
                answers.lazy.map {
                    min($0.review.day(rolloverHour: services.days.rolloverHour), today)
                })
        }
        let days = try await services.userData.perform { try $0.progressByDay(limit: Self.daysMax) }
        return StudyDayCounts(named: days.map { ($0.name, $0.answers) }, today: today)
    }

    /// The number of days with answers that are read at most: ten years.
    private static let daysMax = 3660

    private func dueDays(_ banks: [DueCounts]) -> [DueDay] {
        (0..<DueDay.dayCount).map { day in
            DueDay(
                date: services.days.midnight(of: today + day),
                cards: banks.reduce(0) { $0 + $1.days[day] })
        }
    }

    // MARK: Domains

    /// Returns the shares of a bank's domains: the author's in the author's order, then others.
    private func domains(_ bank: Bank) -> [DomainShare] {
        let named = bank.blueprint?.domains ?? []
        let order = Dictionary(
            named.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        return bank.domains.map { counts in
            DomainShare(
                bank: bank.bank.name, domain: counts.name,
                title: order[counts.name].map { named[$0].title }, answers: counts.answers,
                right: counts.correct)
        }.sorted {
            (order[$0.domain] ?? .max, $0.domain) < (order[$1.domain] ?? .max, $1.domain)
        }
    }

    // MARK: Forecast

    /// Returns the next exam of the shown banks that the learner has a date for, from today on.
    private func exam(of banks: [Bank]) async throws -> (bank: Bank, day: LearningDay)? {
        return try await services.userData.perform { try $0.records(Reservation.self) }.map(\.value)
            .filter(\.isComing)
            .compactMap { reservation -> (bank: Bank, day: LearningDay)? in
                guard let day = reservation.date.day, day >= today,
                    let bank = banks.first(where: { $0.bank.name == reservation.exam }),
                    bank.blueprint?.kind == .exam
                else { return nil }
                return (bank, day)
            }
            .min { ($0.day, $0.bank.bank.name) < ($1.day, $1.bank.bank.name) }
    }

    private func forecast(of shown: [Bank]) async throws -> ForecastState {
        let exams = shown.filter { $0.blueprint?.kind == .exam }
        guard !exams.isEmpty else { return .noExam }
        guard let exam = try await exam(of: shown), let blueprint = exam.bank.blueprint else {
            let most = exams.map(\.answerCount).max() ?? 0
            return most < ExamForecast.answersMin ? .tooFewAnswers(most) : .noDate
        }
        return try await ForecastLoader(services).forecast(
            exam.bank.bank, blueprint, counts: exam.bank.domains, examDay: exam.day)
    }
}

extension Reservation {
    /// True for an exam that was neither taken nor cancelled.
    var isComing: Bool { status == .planned || status == .booked }
}
