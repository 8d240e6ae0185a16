import Foundation

/// One step of fitting the memory model to a learner: it tests the last fit on the reviews after it, and fits again.
///
/// A fit predicts the reviews from which it was made too well, so it becomes a candidate, and only later reviews decide.
/// Equal reviews and records give equal bytes on all devices.
///
/// ```swift
/// let histories: [[Review]] = []
/// let step = ParameterStep(histories, record: nil, today: LearningClock().day(of: .now))
/// if case .fitted(let record, let change) = step.outcome { print(record.reviews, change) }
/// ```
public struct ParameterStep: Sendable, Hashable {
    /// The change of the parameters that are used.
    public enum Change: String, Sendable, Hashable {
        /// The parameters stay.
        case none
        /// A share of the candidate is used from now on.
        case adopted
        /// The defaults are used again.
        case dropped
    }

    /// The result of a step.
    public enum Outcome: Sendable, Hashable {
        /// More reviews are needed for a fit or a test, or, with 0, more days.
        case waiting(reviewsNeeded: Int)
        /// The record to save, with the next candidate.
        case fitted(MemoryRecord, Change)
    }

    /// The minimum number of reviews after a fit that test it; those on the day of the review before do not count.
    public static let trialReviewsMin = 200
    /// The minimum number of learner's days from the last review of a fit to its test.
    public static let trialDaysMin = 30
    /// The shares of a candidate that are tested.
    public static let shares = [0.25, 0.5, 0.75, 1]
    /// The number of standard errors by which a share must beat the defaults.
    public static let errorsMin = 2.0

    /// The result.
    public let outcome: Outcome

    /// Runs the step.
    ///
    /// Cost: a fit of all reviews, about 0.1 s for 12,000 (x86-64, release build).
    /// - Parameters:
    ///   - histories: The reviews of each card of all banks, in any order.
    ///   - record: The learner's record; `nil` for none.
    ///   - today: The learner's day.
    ///   - rolloverHour: The hour at which it begins.
    ///   - isRequested: True if the learner asked for the step, which does not wait for days.
    public init(
        _ histories: [[Review]], record: MemoryRecord?, today: LearningDay,
        rolloverHour: Int = LearningClock.standardRolloverHour, isRequested: Bool = false
    ) {
        let cards = histories.map { $0.inOrder(now: .distantFuture) }
            .sorted { $0.lexicographicallyPrecedes($1, by: Self.precedes) }
        guard let record, let candidate = record.validCandidate else {
            let missing = FSRSOptimizer.reviewsMin - cards.reduce(0) { $0 + $1.count }
            outcome =
                missing > 0
                ? .waiting(reviewsNeeded: missing)
                : .fitted(Self.fit(cards, rolloverHour), .none)
            return
        }
        let trial = ParameterTrial(cards, after: record.through, rolloverHour: rolloverHour)
        guard trial.reviewCount >= Self.trialReviewsMin else {
            outcome = .waiting(reviewsNeeded: Self.trialReviewsMin - trial.reviewCount)
            return
        }
        let fitDay = Self.lastDay(cards, through: record.through, rolloverHour) ?? today
        guard isRequested || today - fitDay >= Self.trialDaysMin else {
            outcome = .waiting(reviewsNeeded: 0)
            return
        }
        let verdict = trial.verdict(of: candidate, used: record.used)
        var next = Self.fit(cards, rolloverHour)
        switch verdict {
        case .none: (next.parameters, next.share) = (record.parameters, record.share)
        case .share(let share, let parameters):
            (next.parameters, next.share) = (parameters.values, share)
        case .defaults: break
        }
        outcome = .fitted(next, verdict.change)
    }

    /// Returns false if a step would only wait, by the number of all reviews and the age of the last fit.
    ///
    /// - Parameters:
    ///   - reviewCount: The number of reviews of all banks.
    ///   - record: The learner's record; `nil` for none.
    ///   - today: The learner's day.
    ///   - clock: The conversion of moments to days. A fit in another time zone may be of a day later.
    /// - Returns: True if a step may fit or test, so that the histories are worth reading.
    public static func canFit(
        _ reviewCount: Int, record: MemoryRecord?, today: LearningDay, in clock: LearningClock
    ) -> Bool {
        guard let record, record.validCandidate != nil else {
            return reviewCount >= FSRSOptimizer.reviewsMin
        }
        let fitDay = clock.day(of: Date(timeIntervalSince1970: Double(record.through) / 1000))
        return reviewCount - record.reviews >= trialReviewsMin && today - fitDay >= trialDaysMin - 1
    }

    private static func fit(_ cards: [[Review]], _ rolloverHour: Int) -> MemoryRecord {
        let fit = FSRSOptimizer.fit(cards, rolloverHour: rolloverHour)
        return MemoryRecord(
            candidate: fit.parameters,
            through: cards.compactMap(\.last?.date).max() ?? .distantPast,
            reviewCount: cards.reduce(0) { $0 + $1.count })
    }

    /// Returns the day of the last review of a fit.
    private static func lastDay(
        _ cards: [[Review]], through: Int64, _ rolloverHour: Int
    ) -> LearningDay? {
        cards.joined().filter { $0.date.wholeMilliseconds <= through }
            .map { $0.day(rolloverHour: rolloverHour) }.max()
    }

    private static func precedes(_ left: Review, _ right: Review) -> Bool {
        (left.date, left.rating.rawValue, left.offsetMinutes)
            < (right.date, right.rating.rawValue, right.offsetMinutes)
    }
}
