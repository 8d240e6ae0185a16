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
    /// It is meant for tests and diagnoses: it reads every answer, a million in seconds and hundreds of megabytes. It
    /// has no effects except those of `schedules`.
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
        differences += try compareCounts()
        return ScheduleCheck(
            answerCount: answers.count, questionCount: history.count, differences: differences)
    }

    /// Compares the counts of days and domains with those of all answers, one by one.
    private func compareCounts() throws -> [String] {
        let user = user
        let hour = try learningSettings().rolloverHour
        let (days, domains) = try database.read { database in
            var counts = RecountedProgress(rolloverHour: hour)
            let banks = try String.fetchAll(
                database,
                sql: "SELECT DISTINCT bank FROM answer WHERE user = ? AND bank IS NOT NULL",
                arguments: [user])
            for bank in banks {
                let records = try ResponseStorage(database: database, user: user)
                    .rows(of: bank).map(\.record)
                try counts.add(
                    CorrectedRecords(database, user: user, bank: bank).regraded(records), bank)
            }
            return (counts.byDay, counts.byDomain)
        }
        return try compare("days", progressByDay(limit: .max), days)
            + compare("domains", progressByDomain(), domains)
    }

    private func compare(
        _ name: String, _ stored: [Progress], _ counted: [Progress]
    ) -> [String] {
        guard stored != counted else { return [] }
        let differing = Set(stored).symmetricDifference(counted)
        return [
            "\(name): \(differing.count) rows differ, such as \(differing.map(\.name).min() ?? "")"
        ]
    }
}

/// The counts of days and domains, computed from answers one by one.
private struct RecountedProgress {
    private struct Name: Hashable {
        var name: String
        var bank: String?
    }

    fileprivate struct Count {
        var answers = 0
        var correct = 0
        var questions: Set<String> = []
    }

    let rolloverHour: Int
    private var dayCounts: [Name: Count] = [:]
    private var domainCounts: [Name: Count] = [:]

    init(rolloverHour: Int) { self.rolloverHour = rolloverHour }

    mutating func add(_ records: [AnswerRecord], _ bank: String) throws {
        for record in records {
            let day = Name(name: record.review.day(rolloverHour: rolloverHour).date, bank: nil)
            let domain = Name(name: record.domain ?? "", bank: bank)
            dayCounts[day, default: Count()].add(record, bank)
            domainCounts[domain, default: Count()].add(record, bank)
        }
    }

    /// The days, the newest first.
    var byDay: [UserStore.Progress] { Self.progress(dayCounts).sorted { $0.name > $1.name } }
    /// The domains by bank and name.
    var byDomain: [UserStore.Progress] {
        Self.progress(domainCounts).sorted { ($0.bank ?? "", $0.name) < ($1.bank ?? "", $1.name) }
    }

    private static func progress(_ counts: [Name: Count]) -> [UserStore.Progress] {
        counts.map { name, count in
            UserStore.Progress(
                name: name.name, bank: name.bank, answers: count.answers, correct: count.correct,
                questions: count.questions.count)
        }
    }
}

extension RecountedProgress.Count {
    fileprivate mutating func add(_ record: AnswerRecord, _ bank: String) {
        answers += 1
        correct += record.isCorrect ? 1 : 0
        questions.insert(bank + "\n" + record.questionID)
    }
}
