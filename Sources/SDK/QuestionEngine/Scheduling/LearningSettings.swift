/// A learner's settings of scheduling, for all banks or for one.
///
/// The records ``LearningFields`` of a learner determine them: the fields of a bank's record replace those of the record
/// for all banks, and a value out of range counts as the default.
///
/// ```swift
/// var fields = LearningFields()
/// fields.newPerDay = 10
/// let settings = LearningSettings(all: fields, bank: nil)
/// print(settings.newPerDay, settings.reviewsPerDay)  // 10 200
/// ```
public struct LearningSettings: Sendable, Hashable {
    /// The hour at which a learner's day begins, the same for all banks.
    public var rolloverHour = LearningClock.standardRolloverHour
    /// The maximum number of new questions a day.
    public var newPerDay = 20
    /// The maximum number of reviews a day.
    public var reviewsPerDay = 200
    /// The number of questions a day before an exam.
    public var examPerDay = 50
    /// The probability of recall at which a question becomes due.
    public var retention = 0.9
    /// True if a wrong answer of a study session is repeated in it.
    public var repeatsToday = true
    /// True if new questions are asked even if reviews are left over.
    public var newDespiteBacklog = false
    /// The number of lapses at which a question is set aside; 0 for never.
    public var lapseLimit = 8
    /// True if due days are spread.
    public var spreads = true
    /// The weights of the days of the week when due days are spread.
    public var easyDays = EasyDays.none
    /// True if the memory model is fitted to the learner's answers.
    public var optimises = true

    /// The defaults.
    public static let standard = LearningSettings()

    /// Creates the defaults.
    public init() {}

    /// Creates the settings of a bank.
    ///
    /// - Parameters:
    ///   - all: The record for all banks; `nil` for none.
    ///   - bank: The bank's own record, whose fields replace those of `all`, except the rollover hour; `nil` for none.
    public init(all: LearningFields?, bank: LearningFields? = nil) {
        if let all { apply(all, hasRollover: true) }
        if let bank { apply(bank, hasRollover: false) }
    }

    /// Replaces the settings that a record contains.
    private mutating func apply(_ fields: LearningFields, hasRollover: Bool) {
        let (standard, bad) = (Self.standard, fields.outOfRange)
        func value<Value>(
            _ given: Value?, _ field: LearningFields.Field, _ present: Value, _ normal: Value
        ) -> Value {
            bad.contains(field) ? normal : given ?? present
        }
        if hasRollover {
            rolloverHour = value(
                fields.rolloverHour, .rolloverHour, rolloverHour, standard.rolloverHour)
        }
        newPerDay = value(fields.newPerDay, .newPerDay, newPerDay, standard.newPerDay)
        reviewsPerDay = value(
            fields.reviewsPerDay, .reviewsPerDay, reviewsPerDay, standard.reviewsPerDay)
        examPerDay = value(fields.examPerDay, .examPerDay, examPerDay, standard.examPerDay)
        retention = value(fields.retention, .retention, retention, standard.retention)
        repeatsToday = value(
            fields.repeatsToday, .repeatsToday, repeatsToday, standard.repeatsToday)
        newDespiteBacklog = value(
            fields.newDespiteBacklog, .newDespiteBacklog, newDespiteBacklog,
            standard.newDespiteBacklog)
        lapseLimit = value(fields.lapseLimit, .lapseLimit, lapseLimit, standard.lapseLimit)
        spreads = value(fields.spreads, .spreads, spreads, standard.spreads)
        easyDays = value(
            fields.easyDays.flatMap(EasyDays.init), .easyDays, easyDays, standard.easyDays)
        optimises = value(fields.optimises, .optimises, optimises, standard.optimises)
    }
}

extension LearningSettings {
    /// The settings of a scheduler for right and wrong answers.
    public var scheduling: ReviewScheduler.Settings {
        var settings = ReviewScheduler.Settings.rightOrWrong
        settings.retention = retention
        settings.hasFuzz = spreads
        settings.easyDays = easyDays
        settings.rolloverHour = rolloverHour
        return settings
    }

    /// Returns the limits of a day.
    ///
    /// - Parameter extraNew: The number of new questions that the learner asked for today, beyond the limit.
    /// - Returns: The limits.
    public func limits(extraNew: Int = 0) -> DueQueue.Limits {
        DueQueue.Limits(
            newCards: newPerDay, reviews: reviewsPerDay, newDespiteBacklog: newDespiteBacklog,
            extraNew: extraNew)
    }
}
