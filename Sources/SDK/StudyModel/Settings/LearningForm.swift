public import Underway

/// The learner's settings as a form has them: numbers as texts, which can be wrong.
public struct LearningForm: Sendable, Hashable {
    /// The fields with a typed whole number in the order of the form; the retention is in percent.
    public static let numbers: [LearningFields.Field] = [
        .newPerDay, .reviewsPerDay, .examPerDay, .retention, .lapseLimit,
    ]

    /// The typed numbers.
    public var texts: [LearningFields.Field: String]
    /// The hour at which a day begins, 0 to 23.
    public var rolloverHour: Int
    /// True if new questions are asked even if reviews are left over.
    public var newDespiteBacklog: Bool
    /// True if due days are spread.
    public var spreads: Bool
    /// True if a wrong answer of a study session is repeated in it.
    public var repeatsToday: Bool
    /// True if the memory model is fitted to the learner's answers; only the form for all banks shows it.
    public var optimises: Bool
    /// The weights of the days of the week, from Monday.
    public var easyDays: [Int]

    /// Creates the form of settings.
    public init(_ settings: LearningSettings) {
        texts = [
            .newPerDay: "\(settings.newPerDay)", .reviewsPerDay: "\(settings.reviewsPerDay)",
            .examPerDay: "\(settings.examPerDay)", .lapseLimit: "\(settings.lapseLimit)",
            .retention: "\(Int((settings.retention * 100).rounded()))",
        ]
        rolloverHour = settings.rolloverHour
        newDespiteBacklog = settings.newDespiteBacklog
        spreads = settings.spreads
        repeatsToday = settings.repeatsToday
        optimises = settings.optimises
        easyDays = settings.easyDays.weights
    }

    /// Returns settings with the values of the form.
    ///
    /// - Parameter settings: The settings; what the form does not show stays.
    /// - Returns: The settings, and the fields whose values are no number or out of range, which stay as well.
    public func applied(
        to settings: LearningSettings
    ) -> (settings: LearningSettings, wrong: Set<LearningFields.Field>) {
        func number(_ field: LearningFields.Field) -> Int? {
            texts[field].flatMap { Int($0.filter { !$0.isWhitespace }) }
        }
        var fields = LearningFields(settings, differingFrom: .standard)
        fields.rolloverHour = rolloverHour
        fields.newDespiteBacklog = newDespiteBacklog
        fields.spreads = spreads
        fields.repeatsToday = repeatsToday
        fields.optimises = optimises
        fields.easyDays = easyDays
        fields.newPerDay = number(.newPerDay)
        fields.reviewsPerDay = number(.reviewsPerDay)
        fields.examPerDay = number(.examPerDay)
        fields.lapseLimit = number(.lapseLimit)
        fields.retention = number(.retention).map { keptShare($0, settings.retention) }
        let missing = Self.numbers.filter { number($0) == nil }
        return (LearningSettings(all: fields), fields.outOfRange.union(missing))
    }

    /// Returns the share of a percentage, or the present one if it is shown by that percentage: 0.885 stays.
    private func keptShare(_ percent: Int, _ present: Double) -> Double {
        percent == Int((present * 100).rounded()) ? present : Double(percent) / 100
    }
}
