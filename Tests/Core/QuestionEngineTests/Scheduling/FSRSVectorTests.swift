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
            var schedule = CardSchedule.new
            for (index, step) in trace.reviews.enumerated() {
                let place: Comment = "\(name), review \(index)"
                let date = Date(timeIntervalSince1970: step.atSeconds)
                if let expected = step.retrievabilityBefore {
                    let r = scheduler.retrievability(of: schedule, at: date)
                    #expect(
                        isNear(r, expected, absolute: vectors.tolerance.retrievabilityAbs), place)
                    #expect(schedule.days(until: date) == step.elapsedWholeDays, place)
                }
                schedule = scheduler.schedule(schedule, after: step.rating, at: date)
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
        let wait = schedule.due?.timeIntervalSince(date) ?? -1
        #expect(isNear(wait, step.intervalSeconds, absolute: 1e-6), place)
        #expect(Int((wait + 1e-6) / 86_400) == step.intervalDays, place)
    }

    @Test func replayingWithOtherParametersAgrees() throws {
        let trace = try #require(vectors.traces["good6_again2_good5_at_due"])
        let reviews = trace.reviews.map {
            Review($0.rating, at: Date(timeIntervalSince1970: $0.atSeconds))
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
            let last = try #require(schedule.lastReview)
            #expect(
                CardSchedule.days(last, try #require(schedule.due))
                    == expected.dueMinusLastReviewDays)
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
