public import Foundation

/// A scheduler that determines the due date after each review.
///
/// Steps, rounding and clamps are those of py-fsrs 6.3.2; day intervals are rounded half to even.
///
/// ```swift
/// let scheduler = try ReviewScheduler(.rightOrWrong)
/// let card = scheduler.schedule(.new, after: Review(.good, at: .now))
/// let today = LearningClock().day(of: .now)
/// print(card.dueDay?.date ?? "in ten minutes", scheduler.retrievability(of: card, on: today))
/// ```
public struct ReviewScheduler: Sendable {
    /// The settings of a learner or an app.
    public struct Settings: Sendable, Hashable, Codable {
        /// The desired retention: the probability of recall at which a card is due, from 0.5 to 0.99.
        public var retention: Double
        /// The intervals, in seconds, before a new card gets intervals of days.
        public var learningSteps: [TimeInterval]
        /// The intervals, in seconds, before a forgotten card gets intervals of days.
        public var relearningSteps: [TimeInterval]
        /// The maximum interval, in days.
        public var intervalDaysMax: Int
        /// True to spread intervals of at least three days, see ``ReviewScheduler/fuzzed(_:card:reviewCount:)``.
        public var hasFuzz: Bool
        /// The weights of the days of the week for that spread.
        public var easyDays: EasyDays
        /// The hour at which a learner's day begins, from 0 to 23.
        public var rolloverHour: Int

        /// Creates settings; the defaults are those of py-fsrs, without fuzz.
        public init(
            retention: Double = 0.9, learningSteps: [TimeInterval] = [60, 600],
            relearningSteps: [TimeInterval] = [600], intervalDaysMax: Int = 36_500,
            hasFuzz: Bool = false, easyDays: EasyDays = .none,
            rolloverHour: Int = LearningClock.standardRolloverHour
        ) {
            self.retention = retention
            self.learningSteps = learningSteps
            self.relearningSteps = relearningSteps
            self.intervalDaysMax = intervalDaysMax
            self.hasFuzz = hasFuzz
            self.easyDays = easyDays
            self.rolloverHour = rolloverHour
        }

        /// The settings for right and wrong answers: a wrong answer is repeated after ten minutes, a right one after
        /// days.
        public static let rightOrWrong = Settings(learningSteps: [600], relearningSteps: [600])
    }

    /// The maximum length of a step: thirty days.
    private static let stepSecondsMax: TimeInterval = 30 * 24 * 60 * 60

    /// The settings.
    public let settings: Settings
    /// The memory model.
    public let memory: FSRS
    private let intervalFactor: Double

    /// Creates a scheduler.
    ///
    /// - Throws: `ReviewSchedulerError` for a setting outside its range.
    public init(
        _ settings: Settings = Settings(), parameters: FSRSParameters = .standard
    ) throws(ReviewSchedulerError) {
        guard (0.5...0.99).contains(settings.retention) else {
            throw .retention(settings.retention)
        }
        for step in settings.learningSteps + settings.relearningSteps
        where !(step > 0 && step <= Self.stepSecondsMax) {
            throw .step(step)
        }
        guard (1...36_500).contains(settings.intervalDaysMax) else {
            throw .intervalDaysMax(settings.intervalDaysMax)
        }
        self.settings = settings
        memory = FSRS(parameters)
        intervalFactor = memory.intervalFactor(retention: settings.retention)
    }

    /// Returns the schedule of a card after a review, see ``fuzzed(_:card:reviewCount:)`` for the spread of due days.
    ///
    /// The memory counts learner's days, as the queue does. A review dated before the last one counts as made at the
    /// same time: clocks jump, and a memory does not decay backwards.
    /// - Parameters:
    ///   - schedule: The schedule before the review.
    ///   - review: The review.
    /// - Returns: The schedule after the review, with the next due day or moment.
    public func schedule(_ schedule: CardSchedule, after review: Review) -> CardSchedule {
        var now = review.date
        if let lastReview = schedule.lastReview, !(now >= lastReview) { now = lastReview }
        let day = review.day(rolloverHour: settings.rolloverHour)
        let state = memory.memory(
            after: review.rating, from: schedule.memory, afterDays: schedule.days(until: day))
        let place = nextPlace(schedule, review.rating)
        return CardSchedule(
            phase: place.phase, step: place.step, memory: state, lastReview: now, lastDay: day,
            dueDay: place.wait == nil
                ? day + intervalDays(stability: state.stability) : nil,
            dueMoment: place.wait.map { now.addingTimeInterval($0) },
            lapses: schedule.lapses + (isLapse(schedule, review.rating, on: day) ? 1 : 0))
    }

    /// Returns true for a wrong answer that is the first on a day, except on the card's first day.
    private func isLapse(_ schedule: CardSchedule, _ rating: Rating, on day: LearningDay) -> Bool {
        rating == .again && schedule.days(until: day) >= 1
    }

    /// Returns the schedule of a card after a review at a time.
    public func schedule(
        _ schedule: CardSchedule, after rating: Rating, at date: Date,
        in timeZone: TimeZone = .current
    ) -> CardSchedule {
        self.schedule(schedule, after: Review(rating, at: date, in: timeZone))
    }

    /// Returns a schedule with its due day spread, so that cards learnt together become due on different days.
    ///
    /// The spread depends on the card and the number of its reviews, so each device and each replay computes the same
    /// day. Other cards have no influence: due days would depend on the order in which devices exchange answers. Only an
    /// interval of at least three days is spread, within the bounds of py-fsrs 6.3.2, by the weights
    /// ``Settings/easyDays``, and only with ``Settings/hasFuzz``. Memory and the date of the last review do not change.
    /// - Parameters:
    ///   - schedule: The schedule after the card's last review.
    ///   - card: The card's name, such as the question's id.
    ///   - reviewCount: The number of its reviews.
    /// - Returns: The schedule to show and to plan with.
    public func fuzzed(_ schedule: CardSchedule, card: String, reviewCount: Int) -> CardSchedule {
        guard settings.hasFuzz, schedule.phase == .review, let lastDay = schedule.lastDay,
            let dueDay = schedule.dueDay
        else { return schedule }
        var spread = schedule
        spread.dueDay = IntervalFuzz.dueDay(
            of: (lastDay, dueDay - lastDay), maximum: settings.intervalDaysMax,
            easyDays: settings.easyDays, card: card, reviewCount: reviewCount)
        return spread
    }

    /// Returns the day on which a card is due by this scheduler, if another one of the same memory model and steps made
    /// its schedule.
    ///
    /// - Parameters:
    ///   - schedule: The schedule after the card's last review.
    ///   - card: The card's name, such as the question's id.
    ///   - reviewCount: The number of its reviews.
    /// - Returns: The day, spread as by ``fuzzed(_:card:reviewCount:)``; `nil` for a new card.
    public func dueDay(
        of schedule: CardSchedule, card: String, reviewCount: Int
    ) -> LearningDay? {
        guard schedule.phase == .review, let lastDay = schedule.lastDay,
            let state = schedule.memory
        else { return schedule.nextDay }
        var moved = schedule
        moved.dueDay = lastDay + intervalDays(stability: state.stability)
        return fuzzed(moved, card: card, reviewCount: reviewCount).dueDay
    }

    /// Returns the probability of recall on a day; 0 for a new card.
    public func retrievability(of schedule: CardSchedule, on day: LearningDay) -> Double {
        guard let state = schedule.memory else { return 0 }
        return memory.retrievability(of: state, afterDays: schedule.days(until: day))
    }

    /// Returns the interval in whole days for a stability.
    public func intervalDays(stability: Double) -> Int {
        let days = (stability * intervalFactor).rounded(.toNearestOrEven)
        guard !days.isNaN else { return 1 }
        return Int(min(max(days, 1), Double(settings.intervalDaysMax)))
    }

    /// Returns the next phase and step; a wait of `nil` is an interval of days.
    private func nextPlace(
        _ schedule: CardSchedule, _ rating: Rating
    ) -> (phase: CardSchedule.Phase, step: Int, wait: TimeInterval?) {
        switch schedule.phase {
        case .review:
            guard rating == .again, let first = settings.relearningSteps.first else {
                return (.review, 0, nil)
            }
            return (.relearning, 0, first)
        case .new, .learning:
            return nextStep(.learning, schedule.step, settings.learningSteps, rating)
        case .relearning:
            return nextStep(.relearning, schedule.step, settings.relearningSteps, rating)
        }
    }

    private func nextStep(
        _ phase: CardSchedule.Phase, _ step: Int, _ steps: [TimeInterval], _ rating: Rating
    ) -> (phase: CardSchedule.Phase, step: Int, wait: TimeInterval?) {
        guard let first = steps.first, rating == .again || steps.indices.contains(step) else {
            return (.review, 0, nil)
        }
        switch rating {
        case .again: return (phase, 0, first)
        case .hard:
            guard step == 0 else { return (phase, step, steps[step]) }
            return (phase, 0, steps.count == 1 ? first * 1.5 : (first + steps[1]) / 2)
        case .good:
            guard steps.indices.contains(step + 1) else { return (.review, 0, nil) }
            return (phase, step + 1, steps[step + 1])
        case .easy: return (.review, 0, nil)
        }
    }
}
