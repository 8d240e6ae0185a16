import Foundation
import QuestionEngine
import TestSupport

/// Learners whose memory follows FSRS with parameters that are not the defaults.
enum SimulatedReviews {
    static let truth: FSRSParameters = {
        var values = FSRSParameters.standard.values
        for (index, value) in [
            (0, 0.6), (2, 4.5), (3, 14), (6, 2.2), (8, 1.4), (9, 0.28), (11, 2.0), (14, 1.1),
            (20, 0.35),
        ] { values[index] = value }
        // Numbers within the published bounds.
        return (try? FSRSParameters(values)) ?? .standard
    }()

    static func histories(cards: Int, reviewsPerCard: Int, seed: UInt64) -> [[Review]] {
        var random = SeededGenerator(seed: seed)
        let model = FSRS(truth)
        return (0..<cards).map { _ in
            var date = Date(timeIntervalSince1970: 1_800_000_000)
            var memory: MemoryState?
            var days = 0
            return (0..<reviewsPerCard).map { _ in
                let rating: Rating
                if let memory {
                    let p = model.retrievability(of: memory, afterDays: days)
                    let isRecalled = Double.random(in: 0..<1, using: &random) < p
                    rating =
                        isRecalled
                        ? [.hard, .good, .good, .easy].randomElement(using: &random) ?? .good
                        : .again
                } else {
                    rating = Rating.allCases.randomElement(using: &random) ?? .good
                }
                let next = model.memory(after: rating, from: memory, afterDays: days)
                let review = Review(rating, at: date)
                memory = next
                days = max(1, Int(next.stability * Double.random(in: 0.5...2.5, using: &random)))
                date += Double(days) * 86_400
                return review
            }
        }
    }
}
