import Foundation

/// The test of a fit on the reviews after it.
struct ParameterTrial {
    /// The verdict about the parameters to use.
    enum Verdict: Hashable {
        /// What is used stays.
        case none
        /// A share of the candidate, mixed with the defaults, is to be used.
        case share(Double, FSRSParameters)
        /// The defaults are to be used.
        case defaults

        var change: ParameterStep.Change {
            switch self {
            case .none: .none
            case .share: .adopted
            case .defaults: .dropped
            }
        }
    }

    private struct Card {
        var steps: [ReviewStep]
        /// The index of the first review after the fit.
        var first: Int
    }

    private let cards: [Card]
    /// The number of reviews that count: those after the fit, one elapsed day or more after the review before.
    let reviewCount: Int

    /// Creates the test.
    ///
    /// - Parameters:
    ///   - histories: The reviews of each card, by time.
    ///   - through: The time of the last review of the fit, in milliseconds since 1970.
    ///   - rolloverHour: The hour at which a learner's day begins.
    init(_ histories: [[Review]], after through: Int64, rolloverHour: Int) {
        cards = histories.compactMap { history in
            let first = history.firstIndex { $0.date.wholeMilliseconds > through }
            return first.map {
                Card(steps: ReviewStep.steps(history, rolloverHour: rolloverHour), first: $0)
            }
        }
        reviewCount = cards.reduce(0) { sum, card in
            sum + card.steps.indices.count { $0 >= max(1, card.first) && card.steps[$0].days >= 1 }
        }
    }

    /// Returns the loss of each review that counts, in nats.
    func losses(_ parameters: FSRSParameters) -> [Double] {
        let model = FSRSModel(parameters.values)
        var losses: [Double] = []
        losses.reserveCapacity(reviewCount)
        for card in cards {
            // Predictions are made for the reviews after the first that have an elapsed day.
            let earlier = card.steps.prefix(card.first).dropFirst().count { $0.days >= 1 }
            var number = 0
            ReviewStep.predict(card.steps, with: model) { probability, isRecalled in
                number += 1
                guard number > earlier else { return }
                losses.append(-log(ReviewStep.probability(probability, of: isRecalled)))
            }
        }
        return losses
    }

    /// Returns the verdict about a candidate.
    ///
    /// The share with the lowest loss is adopted if it beats the defaults by more than two standard errors of the paired
    /// difference, and what is used at all.
    func verdict(of candidate: FSRSParameters, used: FSRSParameters) -> Verdict {
        let defaults = losses(.standard)
        let present = used == .standard ? defaults : losses(used)
        let tried = ParameterStep.shares.map { share in
            let parameters = FSRSParameters.standard.mixed(with: candidate, share: share)
            return (share: share, parameters: parameters, losses: losses(parameters))
        }
        let best = tried.min { Self.mean($0.losses) < Self.mean($1.losses) }
        if let best, Self.beats(best.losses, defaults),
            Self.mean(best.losses) < Self.mean(present)
        {
            return .share(best.share, best.parameters)
        }
        return Self.mean(defaults) < Self.mean(present) ? .defaults : .none
    }

    /// Returns true if losses are lower than others by more than `ParameterStep.errorsMin` standard errors of the mean
    /// of the paired differences.
    static func beats(_ losses: [Double], _ others: [Double]) -> Bool {
        let gains = zip(others, losses).map { $0 - $1 }
        guard gains.count > 1 else { return false }
        let mean = mean(gains)
        let squares = gains.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let error = (squares / Double(gains.count - 1) / Double(gains.count)).squareRoot()
        return mean > ParameterStep.errorsMin * error
    }

    private static func mean(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }
}

extension FSRSParameters {
    /// Returns parameters between these and others.
    ///
    /// - Parameters:
    ///   - other: The parameters for a share of 1.
    ///   - share: The share of the others, from 0 to 1.
    /// - Returns: The mixed parameters.
    func mixed(with other: FSRSParameters, share: Double) -> FSRSParameters {
        FSRSParameters(clamping: zip(values, other.values).map { $0 + share * ($1 - $0) })
    }
}
