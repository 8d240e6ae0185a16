import Foundation
import Underway

/// Reads the forecast of an exam.
struct ForecastReading {
    private let services: StudyServices

    init(_ services: StudyServices) { self.services = services }

    /// Returns the forecast of an exam.
    ///
    /// Cost: that of ``ExamForecast`` and of all answers to the bank, once a day and after each new answer.
    /// - Parameters:
    ///   - bank: The bank.
    ///   - blueprint: Its content.
    ///   - counts: The answers to the bank, by domain.
    ///   - examDay: A moment of the day of the exam.
    /// - Returns: The forecast; `nil` for a bank that is no exam, and below ``ExamForecast/answersMin`` answers.
    /// - Throws: An error of the user data.
    @concurrent
    func forecast(
        _ bank: QuestionFilter.Bank, _ blueprint: Blueprint, counts: [UserStore.Progress],
        examDay: Date
    ) async throws -> ExamForecast? {
        let answers = counts.reduce(0) { $0 + $1.answers }
        guard blueprint.kind == .exam, answers >= ExamForecast.answersMin else { return nil }
        let (now, calendar) = (services.clock(), services.calendar)
        let key = ForecastCache.Key(
            bank: bank.name, questions: blueprint.questions.filter { !$0.isRetired }.map(\.id),
            scoring: blueprint.scoring, answers: counts,
            examDay: calendar.startOfDay(for: examDay), today: calendar.startOfDay(for: now))
        return try await services.forecasts.forecast(key) {
            let studied = try await services.userData.schedules(
                of: bank, by: StudyServices.scheduler, now: now)
            return ExamForecast(
                blueprint, cards: studied.mapValues(\.schedule),
                answers: try await services.userData.answers(of: bank), examDay: examDay, now: now,
                calendar: calendar, scheduler: StudyServices.scheduler)
        }
    }
}
