import ContentModel
import Foundation
import QuestionEngine

/// Sixty evenings of simulated learners: how many reviews the rules of the learner's day cost, and what is known after.
///
/// A learner answers all that is asked, in one session an evening, 20 new questions of 600 among it. Their memory is
/// FSRS-6 over real time, so that a rule which counts days in another way plans for a memory that differs from it.
enum LearningBenchmark {
    static let questionCount = 600
    static let evenings = 60
    private static let seeds: [UInt64] = [1, 2, 3, 4, 5]

    /// The time at which the learner comes each evening.
    enum Habit: String, CaseIterable {
        case eight = "20:00 ± 1 h"
        case sooner = "ten minutes sooner each day"
        case midnight = "a quarter after midnight"

        /// Returns the seconds since the start of a day.
        func seconds(_ evening: Int, _ random: inout SeededGenerator) -> Double {
            switch self {
            case .eight: 72_000 + 3_600 * Double.random(in: -1...1, using: &random)
            case .sooner: 79_200 - 600 * Double(evening)
            case .midnight: 87_300
            }
        }
    }

    /// How days are counted, and whether wrong answers are asked again.
    enum Rule: String, CaseIterable {
        /// The memory counts periods of 24 hours, the queue days of the calendar.
        case hours = "24 hours and calendar days"
        case days = "learning days"
        case repeats = "learning days with repeats"
    }

    static func run() throws {
        for habit in Habit.allCases {
            for rule in Rule.allCases {
                let outcomes = try seeds.map { seed in
                    var learner = try SimulatedLearner(habit, rule, seed: seed)
                    return try learner.live()
                }
                func mean(_ figure: (SimulatedLearner.Outcome) -> Double) -> Double {
                    outcomes.reduce(0) { $0 + figure($1) } / Double(outcomes.count)
                }
                try EngineBenchmarks.report([
                    "habit": habit.rawValue, "rule": rule.rawValue, "learners": seeds.count,
                    "reviews": mean { Double($0.reviews) },
                    "sameDay": mean { Double($0.sameDay) },
                    "repeats": mean { Double($0.repeats) },
                    "emptyDays": mean { Double($0.emptyDays) },
                    "busiest": mean { Double($0.busiest) },
                    "perCard": mean { Double($0.reviews) / Double($0.cards) },
                    "recall": mean(\.recall), "loss": mean { $0.loss / Double($0.predicted) },
                ])
            }
        }
    }
}

/// A learner with a true memory, and the schedules of a rule.
struct SimulatedLearner {
    /// What sixty evenings cost, and what was known after them.
    struct Outcome {
        /// Answers in a first place, those to new questions left out.
        var reviews = 0
        /// Reviews to which the rule gave no elapsed day although the learner had slept.
        var sameDay = 0
        /// Answers to questions that were asked again in their session.
        var repeats = 0
        /// Evenings without a question, after the first one.
        var emptyDays = 0
        /// The most reviews of an evening.
        var busiest = 0
        /// The questions that were learnt.
        var cards = 0
        /// The mean probability at which a learnt question is recalled after the last evening.
        var recall = 0.0
        /// The sum of the log losses of predicted recalls.
        var loss = 0.0
        /// The number of predicted recalls.
        var predicted = 0
    }

    /// What the learner really remembers.
    private struct Truth {
        var memory: MemoryState
        var last: Date
    }

    /// The probability of a right answer to a new question, as of a guess among three options.
    ///
    /// The published table does not say it. With this one the reviews agree; with 1/4 and 1/2 they do not.
    private static let guess = 1.0 / 3
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let habit: LearningBenchmark.Habit
    private let rule: LearningBenchmark.Rule
    private let memory = FSRS()
    private let scheduler: ReviewScheduler
    private let blueprint: Blueprint
    private var random: SeededGenerator
    private var truths: [String: Truth] = [:]
    private var cards: [String: StudyPlan.Card] = [:]
    private var outcome = Outcome()

    init(_ habit: LearningBenchmark.Habit, _ rule: LearningBenchmark.Rule, seed: UInt64) throws {
        (self.habit, self.rule) = (habit, rule)
        scheduler = try ReviewScheduler(LearningSettings.standard.scheduling)
        random = SeededGenerator(seed: seed)
        blueprint = Blueprint(
            kind: .exam, id: "ca/rules", title: "Rules", version: "1",
            questions: (1...LearningBenchmark.questionCount).map { number in
                Question(
                    id: "q\(number)", type: .singleChoice, difficulty: 1, stem: "?",
                    options: [.init(id: "a", text: "A"), .init(id: "b", text: "B")], correct: [0])
            })
    }

    /// Plays all evenings.
    mutating func live() throws -> Outcome {
        for evening in 0..<LearningBenchmark.evenings {
            let midnight = Self.start + 86_400 * Double(evening) - 28_800
            try come(at: midnight + habit.seconds(evening, &random), evening)
        }
        let end = Self.start + 86_400 * Double(LearningBenchmark.evenings)
        outcome.cards = truths.count
        outcome.recall =
            truths.values.reduce(0) { $0 + recall($1, at: end) } / Double(truths.count)
        return outcome
    }

    private mutating func come(at moment: Date, _ evening: Int) throws {
        var now = moment
        let request = StudyPlan.Request(mode: .study, cards: cards)
        let plan = StudyPlan(
            blueprint, request, scheduler: scheduler, now: now, timeZone: .gmt, using: &random)
        var session = StudySession(
            id: "s\(evening)", mode: .study, entries: plan.entries,
            repeatsToday: rule == .repeats, now: now, using: &random)
        if plan.entries.isEmpty, evening > 0 { outcome.emptyDays += 1 }
        let reviews = plan.entries.count { cards[$0.question.id] != nil }
        outcome.busiest = max(outcome.busiest, reviews)
        while let item = session.current,
            let question = blueprint.questions.first(where: { $0.id == item.questionID })
        {
            now += 8
            let isRight = answer(item, at: now)
            _ = try session.answer([isRight ? "a" : "b"], to: question, now: now, in: .gmt)
        }
    }

    /// Draws an answer by the true memory, and schedules the question by the rule.
    private mutating func answer(_ item: StudySession.Item, at now: Date) -> Bool {
        let card = item.questionID
        let truth = truths[card]
        let chance = truth.map { recall($0, at: now) } ?? Self.guess
        let isRight = Double.random(in: 0..<1, using: &random) < chance
        let rating: Rating = isRight ? .good : .again
        let before = cards[card] ?? .init(schedule: .new, answerCount: 0)
        count(item, before.schedule, isRight, at: now)
        let days = truth.map { Int((now.timeIntervalSince($0.last) / 86_400).rounded()) } ?? 0
        truths[card] = Truth(
            memory: memory.memory(after: rating, from: truth?.memory, afterDays: days), last: now)
        cards[card] = .init(
            schedule: schedule(card, before, rating, at: now), answerCount: before.answerCount + 1)
        return isRight
    }

    private mutating func count(
        _ item: StudySession.Item, _ before: CardSchedule, _ isRight: Bool, at now: Date
    ) {
        guard item.isFirst else { return outcome.repeats += 1 }
        guard let state = before.memory, let last = before.lastReview else { return }
        outcome.reviews += 1
        let days = elapsed(before, at: now)
        if days == 0, now.timeIntervalSince(last) > 21_600 { outcome.sameDay += 1 }
        let predicted = min(max(memory.retrievability(of: state, afterDays: days), 1e-6), 1 - 1e-6)
        outcome.loss -= log(isRight ? predicted : 1 - predicted)
        outcome.predicted += 1
    }

    /// Returns the days since the last review, as the rule counts them.
    private func elapsed(_ schedule: CardSchedule, at now: Date) -> Int {
        guard rule == .hours, let last = schedule.lastReview else {
            return schedule.days(until: LearningClock(timeZone: .gmt).day(of: now))
        }
        return Int(now.timeIntervalSince(last) / 86_400)
    }

    private func schedule(
        _ card: String, _ before: StudyPlan.Card, _ rating: Rating, at now: Date
    ) -> CardSchedule {
        var next = scheduler.schedule(before.schedule, after: rating, at: now, in: .gmt)
        if rule == .hours {
            let state = memory.memory(
                after: rating, from: before.schedule.memory,
                afterDays: elapsed(before.schedule, at: now))
            next.memory = state
            if let day = next.lastDay, next.phase == .review {
                next.dueDay = day + scheduler.intervalDays(stability: state.stability)
            }
        }
        return scheduler.fuzzed(next, card: card, reviewCount: before.answerCount + 1)
    }

    /// The probability of recall after real time, by the curve of FSRS-6 (open-spaced-repetition, "The Algorithm").
    private func recall(_ truth: Truth, at now: Date) -> Double {
        let decay = memory.parameters.values[20]
        let factor = pow(0.9, -1 / decay) - 1
        let days = max(0, now.timeIntervalSince(truth.last) / 86_400)
        return pow(1 + factor * days / truth.memory.stability, -decay)
    }
}
