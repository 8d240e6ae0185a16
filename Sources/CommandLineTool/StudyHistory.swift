import ContentModel
import Foundation
import QuestionEngine

/// What a learner's answers to a bank say of each question.
struct StudyHistory {
    /// Right and wrong answers need no steps within a day.
    static let scheduler: ReviewScheduler = {
        // The settings are constants within their ranges.
        guard let scheduler = try? ReviewScheduler(.rightOrWrong) else {
            preconditionFailure("the settings for right and wrong answers are out of range")
        }
        return scheduler
    }()

    private let records: [String: [AnswerRecord]]

    init(_ records: [AnswerRecord]) {
        self.records = Dictionary(grouping: records, by: \.questionID)
    }

    func exposures(of question: String) -> Int { records[question]?.count ?? 0 }

    /// Replayed from all answers; the state is never kept.
    func schedule(of question: String) -> CardSchedule {
        Self.scheduler.replay((records[question] ?? []).map(\.review), now: Date())
    }

    /// What was done since midnight.
    func doneToday(now: Date) -> DueQueue.Done {
        let midnight = Calendar.current.startOfDay(for: now)
        var done = DueQueue.Done()
        for answers in records.values {
            let today = answers.count { $0.date >= midnight }
            guard today > 0 else { continue }
            if today == answers.count {
                done.newCards += 1
                done.reviews += today - 1
            } else {
                done.reviews += today
            }
        }
        return done
    }

    /// The questions to review today for an exam on a day.
    static func plan(
        _ questions: [Question], _ history: StudyHistory, deadline: Date, limit: Int
    ) -> [String] {
        let cards = questions.map { question in
            let schedule = history.schedule(of: question.id)
            return DeadlinePlanner.Card(
                id: question.id, memory: schedule.memory,
                daysSinceReview: schedule.days(until: Date()))
        }
        let days = Int((deadline.timeIntervalSinceNow / 86_400).rounded(.up))
        let plan = DeadlinePlanner().plan(cards, daysToExam: days, reviewsPerDay: limit)
        Console.say(
            "\(Console.count(max(0, days), "day")) left: of \(cards.count) questions you would know"
                + " \(Int(plan.expectedMarksWithoutReviews.rounded())) without reviews,"
                + " \(Int(plan.expectedMarks.rounded())) with \(limit) a day.")
        return plan.days.first ?? []
    }
}
