import Foundation
import Testing

@testable import QuestionEngine

@Suite struct FSRSOptimizerTests {
    @Test func tooFewReviewsGiveTheDefaults() {
        let histories = SimulatedReviews.histories(cards: 40, reviewsPerCard: 12, seed: 1)
        let fit = FSRSOptimizer.fit(histories)
        #expect(fit.parameters == .standard)
        #expect(fit.stepCount == 0)
        #expect(FSRSOptimizer.fit([]).after.reviewCount == 0)
    }

    @Test func logLossFollowsItsDefinition() throws {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let history = [
            Review(.good, at: start), Review(.good, at: start.addingTimeInterval(3600)),
            Review(.again, at: start.addingTimeInterval(3 * 86_400 + 3600)),
        ]
        let fsrs = FSRS()
        var memory = fsrs.memory(after: .good, from: nil, afterDays: 0)
        memory = fsrs.memory(after: .good, from: memory, afterDays: 0)
        let p = fsrs.retrievability(of: memory, afterDays: 3)
        let evaluation = FSRSEvaluation(.standard, on: [history, []])
        #expect(evaluation.reviewCount == 1)
        #expect(isNear(evaluation.logLoss, -log(1 - p), absolute: 1e-12))
    }

    /// Slopes against differences of the plain formulas.
    @Test func slopesAreExact() {
        let histories = SimulatedReviews.histories(cards: 5, reviewsPerCard: 8, seed: 3)
        let steps = histories.map { ReviewStep.steps($0) }
        let values = FSRSParameters.standard.values.map { $0 * 1.01 }
        func probabilities(_ values: [Double]) -> [Double] {
            var result: [Double] = []
            let model = FSRSModel(values)
            for card in steps {
                ReviewStep.predict(card, with: model) { p, _ in result.append(p) }
            }
            return result
        }
        var slopes: [DualNumber] = []
        let model = FSRSModel(values.enumerated().map { DualNumber.parameter($0, $1) })
        for card in steps { ReviewStep.predict(card, with: model) { p, _ in slopes.append(p) } }
        #expect(slopes.map(\.value) == probabilities(values))
        for index in values.indices {
            var up = values
            var down = values
            up[index] += 1e-6
            down[index] -= 1e-6
            for (slope, pair) in zip(slopes, zip(probabilities(up), probabilities(down))) {
                let difference = (pair.0 - pair.1) / 2e-6
                #expect(
                    isNear(
                        slope.slopes[index], difference, absolute: 1e-6 + 1e-4 * abs(difference)),
                    "parameter \(index)")
            }
        }
    }

    @Test func aFitComesCloseToTheTruth() throws {
        let histories = SimulatedReviews.histories(cards: 300, reviewsPerCard: 10, seed: 7)
        let fit = FSRSOptimizer.fit(histories)
        let truth = FSRSEvaluation(SimulatedReviews.truth, on: histories)
        #expect(fit.after.logLoss < fit.before.logLoss - 0.005)
        #expect(fit.after.logLoss <= truth.logLoss + 1e-4)
        #expect(
            abs(FSRSOptimizer.fit(histories.reversed()).after.logLoss - fit.after.logLoss) < 1e-6)
        #expect(throws: Never.self) { try FSRSParameters(fit.parameters.values) }
    }

    @Test func oneSidedHistoriesStayWithinTheBounds() {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        for rating in Rating.allCases {
            let histories = (0..<60).map { card in
                (0..<10).map {
                    Review(
                        rating, at: start.addingTimeInterval(Double($0 * (card % 5 + 1)) * 86_400))
                }
            }
            let fit = FSRSOptimizer.fit(histories)
            #expect(fit.after.logLoss.isFinite && fit.after.logLoss <= fit.before.logLoss)
        }
    }
}
