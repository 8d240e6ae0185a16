import Foundation
import OfflineStore
import QuestionEngine

/// A question in `study` without kept schedules, the baseline: every answer is read and replayed.
struct Replay {
    private let store: UserStore
    private let bank: QuestionFilter.Bank

    init(folder: String, language: String) throws {
        store = try UserStore(folder: URL(fileURLWithPath: folder))
        bank = .placement(language: language)
    }

    func run() throws {
        let scheduler = try ReviewScheduler(.rightOrWrong)
        let clock = ContinuousClock()
        var count = 0
        var due = 0
        let time = try clock.measure {
            let history = Dictionary(grouping: try store.answers(of: bank), by: \.questionID)
            let schedules = history.map { question, answers in
                count += answers.count
                return (
                    id: question,
                    schedule: scheduler.replay(answers.map(\.review), now: Date())
                )
            }
            due = DueQueue(schedules, scheduler: scheduler, now: Date()).cards.count
        }
        let seconds = Double(time / .microseconds(1)) / 1e6
        print("{\"seconds\":\(seconds),\"answers\":\(count),\"due\":\(due)}")
    }
}
