/// The fields of a record of settings, for all banks or for one; a field that is `nil` changes nothing.
///
/// A value of another kind, such as a text where a number belongs, counts as out of range, so that one bad field does not
/// discard the others.
///
/// ```swift
/// var fields = LearningFields()
/// fields.retention = 1.5
/// print(fields.outOfRange)  // retention
/// ```
public struct LearningFields: Sendable, Hashable {
    /// The name of a field.
    public enum Field: String, Sendable, Hashable, CaseIterable, CodingKey {
        case rolloverHour, newPerDay, reviewsPerDay, examPerDay, retention, repeatsToday
        case newDespiteBacklog, lapseLimit, spreads, easyDays, optimises
    }

    /// The hour at which a learner's day begins, 0 to 23; only the record for all banks has it.
    public var rolloverHour: Int?
    /// The maximum number of new questions a day, 0 to 999.
    public var newPerDay: Int?
    /// The maximum number of reviews a day, 0 to 9,999.
    public var reviewsPerDay: Int?
    /// The number of questions a day before an exam, 1 to 500.
    public var examPerDay: Int?
    /// The probability of recall at which a question becomes due, 0.7 to 0.97.
    public var retention: Double?
    /// True if a wrong answer of a study session is repeated in it.
    public var repeatsToday: Bool?
    /// True if new questions are asked even if reviews are left over.
    public var newDespiteBacklog: Bool?
    /// The number of lapses at which a question is set aside, 3 to 99; 0 for never.
    public var lapseLimit: Int?
    /// True if due days are spread.
    public var spreads: Bool?
    /// The weights of the days of the week from Monday, each 0, 50 or 100.
    public var easyDays: [Int]?
    /// True if the memory model is fitted to the learner's answers.
    public var optimises: Bool?
    /// The fields whose values were of another kind.
    private var unreadable: Set<Field> = []

    /// Creates fields that change nothing.
    public init() {}

    /// Creates the fields in which settings differ from those that they replace.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - inherited: The settings without these fields.
    public init(_ settings: LearningSettings, differingFrom inherited: LearningSettings) {
        func given<Value: Equatable>(_ path: KeyPath<LearningSettings, Value>) -> Value? {
            let value = settings[keyPath: path]
            return value == inherited[keyPath: path] ? nil : value
        }
        rolloverHour = given(\.rolloverHour)
        newPerDay = given(\.newPerDay)
        reviewsPerDay = given(\.reviewsPerDay)
        examPerDay = given(\.examPerDay)
        retention = given(\.retention)
        repeatsToday = given(\.repeatsToday)
        newDespiteBacklog = given(\.newDespiteBacklog)
        lapseLimit = given(\.lapseLimit)
        spreads = given(\.spreads)
        easyDays = given(\.easyDays)?.weights
        optimises = given(\.optimises)
    }

    /// The ranges of the fields with a number.
    ///
    /// A retention is a percentage here. A lapse limit of 0, for never, is outside of its range and allowed.
    public static let ranges: [Field: ClosedRange<Int>] = [
        .rolloverHour: 0...23, .newPerDay: 0...999, .reviewsPerDay: 0...9_999,
        .examPerDay: 1...500, .retention: 70...97, .lapseLimit: 3...99,
    ]

    /// The fields whose values are out of range and count as the defaults.
    public var outOfRange: Set<Field> {
        func isOutside(_ value: Int?, _ field: Field) -> Bool {
            value.map { Self.ranges[field]?.contains($0) == false } ?? false
        }
        func isOutside(share: Double?) -> Bool {
            guard let share, let range = Self.ranges[.retention] else { return false }
            return share < Double(range.lowerBound) / 100 || share > Double(range.upperBound) / 100
        }
        let rules: [(Field, Bool)] = [
            (.rolloverHour, isOutside(rolloverHour, .rolloverHour)),
            (.newPerDay, isOutside(newPerDay, .newPerDay)),
            (.reviewsPerDay, isOutside(reviewsPerDay, .reviewsPerDay)),
            (.examPerDay, isOutside(examPerDay, .examPerDay)),
            (.retention, isOutside(share: retention)),
            (.lapseLimit, lapseLimit != 0 && isOutside(lapseLimit, .lapseLimit)),
            (.easyDays, easyDays.map { EasyDays($0) == nil } ?? false),
        ]
        return unreadable.union(rules.filter(\.1).map(\.0))
    }
}

extension LearningFields: Codable {
    /// Decodes the fields; a value of another kind counts as out of range.
    ///
    /// - Throws: `DecodingError` if the record is no object.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Field.self)
        var unreadable: Set<Field> = []
        func value<Value: Decodable>(_ type: Value.Type, _ field: Field) -> Value? {
            do {
                return try container.decodeIfPresent(type, forKey: field)
            } catch {
                unreadable.insert(field)
                return nil
            }
        }
        rolloverHour = value(Int.self, .rolloverHour)
        newPerDay = value(Int.self, .newPerDay)
        reviewsPerDay = value(Int.self, .reviewsPerDay)
        examPerDay = value(Int.self, .examPerDay)
        retention = value(Double.self, .retention)
        repeatsToday = value(Bool.self, .repeatsToday)
        newDespiteBacklog = value(Bool.self, .newDespiteBacklog)
        lapseLimit = value(Int.self, .lapseLimit)
        spreads = value(Bool.self, .spreads)
        easyDays = value([Int].self, .easyDays)
        optimises = value(Bool.self, .optimises)
        self.unreadable = unreadable
    }

    /// Encodes the fields that are set.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        try container.encodeIfPresent(rolloverHour, forKey: .rolloverHour)
        try container.encodeIfPresent(newPerDay, forKey: .newPerDay)
        try container.encodeIfPresent(reviewsPerDay, forKey: .reviewsPerDay)
        try container.encodeIfPresent(examPerDay, forKey: .examPerDay)
        try container.encodeIfPresent(retention, forKey: .retention)
        try container.encodeIfPresent(repeatsToday, forKey: .repeatsToday)
        try container.encodeIfPresent(newDespiteBacklog, forKey: .newDespiteBacklog)
        try container.encodeIfPresent(lapseLimit, forKey: .lapseLimit)
        try container.encodeIfPresent(spreads, forKey: .spreads)
        try container.encodeIfPresent(easyDays, forKey: .easyDays)
        try container.encodeIfPresent(optimises, forKey: .optimises)
    }
}
