import Foundation
import QuestionEngine

/// FSRS on a sequence of reviews that is read from a file: lines of card, rating and days.
enum SchedulingBenchmark {
    private static func histories(_ path: String) throws -> [[Review]] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var cards: [Int: [Review]] = [:]
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ",").compactMap { Int($0) }
            guard fields.count == 3, let rating = Rating(rawValue: fields[1]) else { continue }
            let last = cards[fields[0]]?.last?.date ?? start
            let date = last.addingTimeInterval(Double(fields[2]) * 86_400)
            cards[fields[0], default: []].append(Review(rating, at: date))
        }
        return cards.keys.sorted().compactMap { cards[$0] }
    }

    static func run(reviews path: String) throws {
        let histories = try histories(path)
        let scheduler = try ReviewScheduler()
        let count = histories.reduce(0) { $0 + $1.count }
        var sum = 0.0
        let times = (0..<7).map { _ in
            EngineBenchmarks.seconds {
                for history in histories {
                    var schedule = CardSchedule.new
                    for review in history {
                        schedule = scheduler.schedule(
                            schedule, after: review.rating, at: review.date)
                    }
                    sum += schedule.memory?.stability ?? 0
                }
            }
        }
        try EngineBenchmarks.report([
            "reviews": count, "seconds": times.sorted()[3], "stability": sum / 7,
        ])
    }

    static func fit(reviews path: String) throws {
        let histories = try histories(path)
        var fit = FSRSOptimizer.fit([])
        let seconds = EngineBenchmarks.seconds { fit = FSRSOptimizer.fit(histories) }
        try EngineBenchmarks.report([
            "before": fit.before.logLoss, "after": fit.after.logLoss, "seconds": seconds,
            "steps": fit.stepCount, "parameters": fit.parameters.values,
        ])
    }

}
