import Foundation
import Testing

@testable import QuestionEngine

@Suite struct FSRSVectorTests {
    private let vectors: FSRSVectors
    private let model = FSRSModel(FSRSParameters.standard.values)

    init() throws {
        vectors = try FSRSVectors.load()
    }

    @Test func defaultsAndBoundsAreThePublishedOnes() {
        #expect(FSRSParameters.standard.values == vectors.defaults.parameters)
        #expect(FSRSParameters.bounds.map(\.lowerBound) == vectors.defaults.lowerBounds)
        #expect(FSRSParameters.bounds.map(\.upperBound) == vectors.defaults.upperBounds)
    }

    @Test func firstReviewsAgree() throws {
        for (rating, expected) in vectors.pureFunctions.initial {
            let rating = try #require(Int(rating).flatMap(Rating.init(rawValue:)))
            let memory = FSRS().memory(after: rating, from: nil, afterDays: 0)
            #expect(agrees(memory, expected))
        }
        let constants = vectors.pureFunctions.constants
        #expect(isNear(model.decay, constants.decay, relative: 1e-12))
        #expect(isNear(model.factor, constants.factor, relative: 1e-12))
    }

    @Test func pureFunctionsAgree() throws {
        let all = vectors.pureFunctions
        for one in all.retrievability {
            let r = model.retrievability(days: one.elapsedDays, stability: one.stability)
            #expect(isNear(r, one.r, absolute: vectors.tolerance.retrievabilityAbs))
        }
        for one in all.nextInterval {
            let scheduler = try ReviewScheduler(.init(retention: one.desiredRetention))
            #expect(scheduler.intervalDays(stability: one.stability) == one.days)
            let exact = scheduler.memory.interval(
                stability: one.stability, retention: one.desiredRetention)
            #expect(isNear(exact, one.unrounded, relative: 1e-9))
        }
        for one in all.nextDifficulty {
            let next = model.nextDifficulty(one.difficulty, one.rating)
            #expect(isNear(next, one.next, absolute: vectors.tolerance.difficultyAbs))
        }
        for one in all.shortTermStability {
            let next = model.shortTermStability(one.stability, one.rating)
            #expect(isNear(next, one.next, relative: vectors.tolerance.stabilityRel))
        }
    }

    @Test func stabilitiesAfterDaysAgree() throws {
        for one in vectors.pureFunctions.recallStability {
            let next = model.recallStability(
                .init(stability: one.stability, difficulty: one.difficulty), one.retrievability,
                try #require(one.rating))
            #expect(isNear(next, one.next, relative: vectors.tolerance.stabilityRel))
        }
        for one in vectors.pureFunctions.forgetStability {
            let next = model.forgetStability(
                .init(stability: one.stability, difficulty: one.difficulty), one.retrievability)
            #expect(isNear(next, one.next, relative: vectors.tolerance.stabilityRel))
        }
    }

    @Test func tracesAgreeReviewByReview() throws {
        #expect(vectors.traces.count == 9)
        for (name, trace) in vectors.traces {
            let scheduler = try trace.scheduler.scheduler
            let dates = Self.dates(trace.reviews)
            var schedule = CardSchedule.new
            for (index, step) in trace.reviews.enumerated() {
                let place: Comment = "\(name), review \(index)"
                let date = dates[index]
                if let expected = step.retrievabilityBefore {
                    let day = Review(.good, at: date, offsetMinutes: 0).day()
                    let r = scheduler.retrievability(of: schedule, on: day)
                    #expect(
                        isNear(r, expected, absolute: vectors.tolerance.retrievabilityAbs), place)
                    #expect(schedule.days(until: day) == step.elapsedWholeDays, place)
                }
                schedule = scheduler.schedule(
                    schedule, after: Review(step.rating, at: date, offsetMinutes: 0))
                expect(schedule, step, at: date, place)
            }
        }
    }

    private func expect(
        _ schedule: CardSchedule, _ step: FSRSVectors.Step, at date: Date, _ place: Comment
    ) {
        let expected = FSRSVectors.Memory(stability: step.stability, difficulty: step.difficulty)
        #expect(schedule.memory.map { agrees($0, expected) } == true, place)
        #expect(schedule.phase.rawValue == step.state.lowercased(), place)
        if let number = step.step { #expect(schedule.step == number, place) }
        if let moment = schedule.dueMoment {
            let wait = moment.timeIntervalSince(date)
            #expect(isNear(wait, step.intervalSeconds, absolute: 1e-6), place)
        } else {
            #expect(schedule.dueDay.map { schedule.days(until: $0) } == step.intervalDays, place)
        }
    }

    /// Returns dates whose learner's days are as far apart as the periods of 24 hours between the reviews: each at
    /// noon, and a second later than the one before.
    private static func dates(_ steps: [FSRSVectors.Step]) -> [Date] {
        var day = 20_000
        return steps.enumerated().map { index, step in
            day += step.elapsedWholeDays ?? 0
            return Date(timeIntervalSince1970: Double(day * 86_400 + 43_200 + index))
        }
    }

    @Test func replayingWithOtherParametersAgrees() throws {
        let trace = try #require(vectors.traces["good6_again2_good5_at_due"])
        let reviews = zip(trace.reviews, Self.dates(trace.reviews)).map {
            Review($0.rating, at: $1, offsetMinutes: 0)
        }
        for (name, expected) in vectors.reschedule {
            let scheduler = try ReviewScheduler(
                .init(retention: expected.desiredRetention),
                parameters: FSRSParameters(expected.parameters))
            let schedule = scheduler.replay(reviews.shuffled(), now: .distantFuture)
            let memory = FSRSVectors.Memory(
                stability: expected.stability, difficulty: expected.difficulty)
            #expect(schedule.memory.map { agrees($0, memory) } == true, "\(name)")
            #expect(schedule.phase.rawValue == expected.state.lowercased(), "\(name)")
            let due = try #require(schedule.dueDay)
            #expect(schedule.days(until: due) == expected.dueMinusLastReviewDays)
        }
    }

    private func agrees(_ memory: MemoryState, _ expected: FSRSVectors.Memory) -> Bool {
        isNear(memory.stability, expected.stability, relative: vectors.tolerance.stabilityRel)
            && isNear(
                memory.difficulty, expected.difficulty,
                absolute: vectors.tolerance.difficultyAbs)
    }
}

extension FSRSVectors.Scheduler {
    var scheduler: ReviewScheduler {
        get throws {
            try ReviewScheduler(
                .init(
                    retention: desiredRetention, learningSteps: learningSteps,
                    relearningSteps: relearningSteps, intervalDaysMax: maximumInterval),
                parameters: FSRSParameters(parameters))
        }
    }
}
