package import Foundation
import GRDB
package import QuestionEngine

/// The result of comparing stored schedules and counts with a replay of the answers.
package struct ScheduleCheck: Sendable, Hashable {
    /// The number of answers to the bank that were replayed.
    package var answerCount: Int
    /// The number of questions that were answered.
    package var questionCount: Int
    /// One line for each schedule, day or domain that differs; empty when all agree.
    package var differences: [String]
}

extension UserStore {
    /// Compares the stored schedules and statistics with a full replay of all answers.
    ///
    /// For tests and diagnoses: it reads every answer, a million in seconds and hundreds of megabytes. It changes nothing beside what `schedules` does.
    /// - Parameters:
    ///   - bank: The bank whose schedules are compared; days and domains are those of all banks.
    ///   - scheduler: The scheduler.
    ///   - now: The wall clock.
    /// - Returns: The differences.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func verifySchedules(
        of bank: QuestionFilter.Bank, by scheduler: ReviewScheduler, now: Date
    ) throws -> ScheduleCheck {
        let stored = try schedules(of: bank, by: scheduler, now: now)
        let answers = try answers(of: bank)
        let history = Dictionary(grouping: answers, by: \.questionID)
        var differences = Set(stored.keys).subtracting(history.keys).sorted().map {
            "\($0): stored, but never answered"
        }
        for (question, answers) in history.sorted(by: { $0.key < $1.key }) {
            let replayed = StudiedQuestion(
                question: question, answerCount: answers.count,
                schedule: scheduler.fuzzed(
                    scheduler.replay(answers.map(\.review), now: now), card: question,
                    reviewCount: answers.count))
            if stored[question] != replayed {
                differences.append("\(question): not as a replay of its answers")
            }
        }
        differences += try compare(
            "days", progressByDay(limit: .max),
            """
            SELECT coalesce(date(milliseconds / 1000, 'unixepoch', 'localtime'), '9999-12-31') AS day,
                NULL, count(*), sum(isCorrect), count(DISTINCT bank || char(10) || question)
            FROM answer WHERE user = ? AND bank IS NOT NULL GROUP BY day ORDER BY day DESC
            """)
        differences += try compare(
            "domains", progressByDomain(),
            """
            SELECT coalesce(domain, '') AS name, bank, count(*), sum(isCorrect),
                count(DISTINCT question)
            FROM answer WHERE user = ? AND bank IS NOT NULL GROUP BY bank, name ORDER BY bank, name
            """)
        return ScheduleCheck(
            answerCount: answers.count, questionCount: history.count, differences: differences)
    }

    private func compare(
        _ name: String, _ stored: [Progress], _ sql: String
    ) throws -> [String] {
        let counted = try progress(sql, [user])
        guard stored != counted else { return [] }
        let differing = Set(stored).symmetricDifference(counted)
        return [
            "\(name): \(differing.count) rows differ, such as \(differing.map(\.name).min() ?? "")"
        ]
    }
}
