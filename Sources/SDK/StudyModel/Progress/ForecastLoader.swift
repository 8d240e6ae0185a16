import Foundation
import Underway

/// Reads the forecast of an exam.
struct ForecastLoader {
    private let services: StudyServices

    init(_ services: StudyServices) { self.services = services }

    /// Returns the forecast of an exam, or the reason why there is none.
    ///
    /// Cost: that of ``ExamForecast`` and of all answers to the bank, once a day and after each new answer.
    /// - Parameters:
    ///   - bank: The bank.
    ///   - blueprint: Its content.
    ///   - counts: The answers to the bank, by domain.
    ///   - examDay: The day of the exam.
    /// - Returns: The forecast; none for a bank that is no exam, below ``ExamForecast/answersMin`` answers, and
    ///   below ``ExamForecast/studyDaysMin`` days with answers.
    /// - Throws: An error of the user data.
    @concurrent
    func forecast(
        _ bank: QuestionFilter.Bank, _ blueprint: Blueprint, counts: [UserStore.Progress],
        examDay: LearningDay
    ) async throws -> ForecastState {
        let count = counts.reduce(0) { $0 + $1.answers }
        guard blueprint.kind == .exam else { return .noExam }
        guard count >= ExamForecast.answersMin else { return .tooFewAnswers(count) }
        let now = services.now
        let today = services.days.day(of: now)
        let scheduler = try await services.scheduler(of: bank)
        let key = ForecastCache.Key(
            user: services.userData.user, bank: bank.name,
            questions: blueprint.questions.filter { !$0.isRetired }.map(\.id),
            scoring: blueprint.scoring, answers: counts,
            examDay: examDay, today: today, parameters: scheduler.memory.parameters.values)
        if let cached = services.forecasts.forecast(key) { return .ready(cached) }
        let answers = try await services.userData.perform { try $0.answers(of: bank) }
        let hour = services.days.rolloverHour
        let days = StudyDayCounts(
            answers.lazy.map { min($0.review.day(rolloverHour: hour), today) }
        ).days
        guard days >= ExamForecast.studyDaysMin else { return .tooFewDays(days) }
        let studied = try await services.schedules(of: bank, now: now)
        let forecast = ExamForecast(
            blueprint, cards: studied.mapValues(\.schedule), answers: answers, examDay: examDay,
            now: now, clock: services.days, scheduler: scheduler)
        services.forecasts.keep(forecast, for: key)
        return .ready(forecast)
    }
}
