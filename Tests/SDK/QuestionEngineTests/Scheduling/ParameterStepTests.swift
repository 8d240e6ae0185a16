import Foundation
import Testing

@testable import QuestionEngine

@Suite struct ParameterStepTests {
    private static let today = LearningDay(30_000)

    /// A learner who remembers longer than the defaults say, and forgets now and then.
    private static let histories: [[Review]] = {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        return (0..<110).map { card in
            [0, 4, 30, 90, 200, 400, 700, 1_100].enumerated().map { place, days in
                Review(
                    (card + 3 * place) % 13 == 0 ? .again : .good,
                    at: start + Double(days * 86_400 + card), offsetMinutes: 0)
            }
        }
    }()

    /// The first five reviews of each card.
    private static let earlier = histories.map { Array($0.prefix(5)) }

    /// The step of the earlier reviews, computed once for all tests.
    private static let first = ParameterStep(earlier, record: nil, today: today).outcome

    private func record() throws -> MemoryRecord {
        guard case .fitted(let record, .none) = Self.first else { throw Missing() }
        return record
    }

    private struct Missing: Error {}

    private func trial() throws -> ParameterTrial {
        ParameterTrial(Self.histories, after: try record().through, rolloverHour: 4)
    }

    @Test func aCandidateIsNotUsedBeforeItsTrial() throws {
        let record = try record()
        #expect(record.parameters == nil && record.used == .standard)
        #expect(record.candidate != FSRSParameters.standard.values)
        #expect(record.through == Self.earlier.joined().map(\.date.wholeMilliseconds).max())
        #expect(record.reviews == Self.earlier.joined().count)
        func waiting(_ histories: [[Review]], _ record: MemoryRecord?) -> ParameterStep.Outcome {
            ParameterStep(histories, record: record, today: Self.today, isRequested: true).outcome
        }
        #expect(waiting([], nil) == .waiting(reviewsNeeded: 512))
        #expect(waiting(Self.earlier, record) == .waiting(reviewsNeeded: 200))
    }

    @Test func aCandidateThatWinsItsTrialIsUsedWithItsShare() throws {
        let first = try record()
        let day = try #require(Self.earlier.joined().map { $0.day() }.max())
        let soon = ParameterStep(Self.histories, record: first, today: day + 29)
        #expect(soon.outcome == .waiting(reviewsNeeded: 0))
        let step = ParameterStep(Self.histories, record: first, today: day + 30)
        guard case .fitted(let record, let change) = step.outcome else { throw Missing() }
        #expect(change == .adopted)
        let share = try #require(record.share)
        #expect(ParameterStep.shares.contains(share))
        let mixed = FSRSParameters.standard.mixed(
            with: try FSRSParameters(first.candidate), share: share)
        #expect(record.used == mixed)
        #expect(record.candidate != first.candidate)
        #expect(record.reviews == Self.histories.joined().count)
        let trial = try trial()
        #expect(ParameterTrial.beats(trial.losses(mixed), trial.losses(.standard)))
    }

    @Test func nothingIsAdoptedThatLosesItsTrial() throws {
        let trial = try trial()
        let good = try FSRSParameters(record().candidate)
        // As far from the learner as the defaults, on the other side.
        let bad = FSRSParameters.standard.mixed(with: good, share: -1)
        #expect(trial.verdict(of: bad, used: .standard) == .none)
        #expect(trial.verdict(of: bad, used: bad) == .defaults, "the defaults beat what is used")
        #expect(trial.verdict(of: bad, used: good) == .none)
        #expect(trial.verdict(of: .standard, used: .standard) == .none)
        let best = trial.verdict(of: good, used: .standard)
        guard case .share(let share, let parameters) = best else { throw Missing() }
        #expect(parameters == .standard.mixed(with: good, share: share))
        #expect(best.change == .adopted)
        #expect(trial.verdict(of: good, used: parameters) == .none)
    }

    @Test func equalAnswersGiveEqualBytes() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let other = Self.earlier.reversed().map { Array($0.reversed()) }
        let outcome = ParameterStep(other, record: nil, today: Self.today).outcome
        guard case .fitted(let record, _) = outcome else { throw Missing() }
        #expect(try encoder.encode(record) == encoder.encode(self.record()))
    }

    @Test func trialReviewsAreThoseAfterTheFitWithAnElapsedDay() {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        func review(_ rating: Rating, _ days: Double) -> Review {
            Review(rating, at: start + days * 86_400, offsetMinutes: 0)
        }
        let cards = [
            [review(.good, 0), review(.good, 3), review(.again, 9), review(.good, 9.001)],
            [review(.good, 5), review(.good, 8)], [review(.good, 1)],
        ]
        let through = review(.good, 4).date.wholeMilliseconds
        let trial = ParameterTrial(cards, after: through, rolloverHour: 4)
        #expect(trial.reviewCount == 2 && trial.losses(.standard).count == 2)
        let model = FSRS()
        let first = model.memory(after: .good, from: nil, afterDays: 0)
        let second = model.memory(after: .good, from: first, afterDays: 3)
        let recall = model.retrievability(of: second, afterDays: 6)
        #expect(isNear(trial.losses(.standard)[0], -log(1 - recall), absolute: 1e-12))
    }

    @Test func aStepIsTakenOnlyWhenItMayFitOrTest() {
        let clock = LearningClock(timeZone: .gmt)
        let through = Date(timeIntervalSince1970: 1_800_000_000)
        let day = clock.day(of: through)
        #expect(!ParameterStep.canFit(511, record: nil, today: day, in: clock))
        #expect(ParameterStep.canFit(512, record: nil, today: day, in: clock))
        var record = MemoryRecord(candidate: .standard, through: through, reviewCount: 600)
        func canTest(_ reviews: Int, days: Int) -> Bool {
            ParameterStep.canFit(reviews, record: record, today: day + days, in: clock)
        }
        #expect(canTest(800, days: 30) && !canTest(799, days: 30))
        // A day early, since the fit may be of another time zone.
        #expect(canTest(800, days: 29) && !canTest(800, days: 28))
        record.model = "fsrs-7"
        #expect(canTest(600, days: 0))
    }

    @Test func theThresholdIsTwoStandardErrorsOfThePairedDifference() {
        // Mean .2, deviation .4: an error of .1 for 16 pairs, .2 for 4.
        let gains = [0.6, 0.6, -0.2, -0.2]
        let others = (0..<400).map { _ in 1.0 }
        func losses(_ count: Int) -> [Double] { (0..<count).map { 1 - gains[$0 % 4] } }
        #expect(ParameterTrial.beats(losses(40), others))
        #expect(!ParameterTrial.beats(losses(16), others))
        #expect(!ParameterTrial.beats([0.1], [1]) && !ParameterTrial.beats(others, others))
    }

    @Test func parametersOfAnotherModelOrOutOfBoundsAreTheDefaults() throws {
        var record = try record()
        record.parameters = SimulatedReviews.truth.values
        #expect(record.used == SimulatedReviews.truth)
        record.model = "fsrs-7"
        #expect(record.used == .standard && record.validCandidate == nil)
        record.model = MemoryRecord.currentModel
        record.parameters = [1, 2, 3]
        #expect(record.used == .standard)
        record.parameters = Array(repeating: 1_000, count: 21)
        #expect(record.used == .standard)
    }
}
