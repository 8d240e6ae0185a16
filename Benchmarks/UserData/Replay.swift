import Foundation
import Underway

/// A question in `study` without kept schedules, the baseline: every answer is read and replayed.
struct Replay {
    private let store: UserStore
    private let bank: QuestionFilter.Bank

    init(folder: String, bank: String) throws {
        store = try UserStore(folder: URL(fileURLWithPath: folder))
        self.bank = QuestionFilter.Bank(name: bank) ?? .placement(language: bank)
    }

    /// What `study` does instead, for a profile without the rest of the tool.
    func runKept() throws {
        let scheduler = try ReviewScheduler(.rightOrWrong)
        let clock = ContinuousClock()
        var lines: [String] = []
        for name in ["schedules", "schedules again", "days", "domains"] {
            let time = try clock.measure {
                switch name {
                case "days": _ = try store.progressByDay()
                case "domains": _ = try store.progressByDomain()
                default:
                    _ = try store.schedules(of: bank, by: scheduler, now: Date())
                    _ = try store.usage(on: LearningClock().day(of: Date()), in: bank)
                }
            }
            lines.append("\"\(name)\":\(Double(time / .microseconds(1)) / 1e6)")
        }
        print("{\(lines.joined(separator: ","))}")
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
