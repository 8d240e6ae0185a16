/// The rule for one field of a collection: the subset of JSON Schema that fits flat records.
///
/// ```swift
/// let date = FieldRule([.string], lengthMin: 10, lengthMax: 10)
/// print(date.accepts("2026-05-01"), date.accepts(7))
/// ```
public struct FieldRule: Sendable, Hashable {
    /// A kind of value, with its name in JSON Schema.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case null, boolean, integer, number, string, array
    }

    /// The allowed kinds; empty for every kind.
    public var kinds: Set<Kind>
    /// The allowed values; `nil` for all.
    public var choices: [FieldValue]?
    /// The minimum of a number.
    public var minimum: Double?
    /// The maximum of a number.
    public var maximum: Double?
    /// The minimum number of characters of a text, or of values of a list.
    public var lengthMin: Int?
    /// The maximum number of characters of a text, or of values of a list.
    public var lengthMax: Int?

    /// Creates a rule.
    public init(
        _ kinds: Set<Kind> = [], choices: [FieldValue]? = nil, minimum: Double? = nil,
        maximum: Double? = nil, lengthMin: Int? = nil, lengthMax: Int? = nil
    ) {
        self.kinds = kinds
        self.choices = choices
        self.minimum = minimum
        self.maximum = maximum
        self.lengthMin = lengthMin
        self.lengthMax = lengthMax
    }

    /// Returns true for a value that satisfies the rule.
    public func accepts(_ value: FieldValue) -> Bool {
        guard kinds.isEmpty || !kinds.isDisjoint(with: Self.kinds(of: value)) else { return false }
        if let choices, !choices.contains(value) { return false }
        switch value {
        case .integer(let number): return isInRange(Double(number))
        case .decimal(let number): return isInRange(number)
        case .text(let text): return isLength(text.unicodeScalars.count)
        case .list(let values): return isLength(values.count)
        case .null, .bool: return true
        }
    }

    private func isInRange(_ number: Double) -> Bool {
        number >= minimum ?? number && number <= maximum ?? number
    }

    private func isLength(_ length: Int) -> Bool {
        length >= lengthMin ?? 0 && length <= lengthMax ?? length
    }

    private static func kinds(of value: FieldValue) -> Set<Kind> {
        switch value {
        case .null: [.null]
        case .bool: [.boolean]
        case .integer: [.integer, .number]
        case .decimal: [.number]
        case .text: [.string]
        case .list: [.array]
        }
    }
}

/// A collection with the rules that the server enforces.
///
/// ```swift
/// let notes = CollectionRules(
///     CollectionDeclaration("notes", .fieldMerge),
///     fields: ["text": FieldRule([.string], lengthMax: 2000)], required: ["text"])
/// print(notes.violation(of: [:]) ?? "accepted")
/// ```
public struct CollectionRules: Sendable, Hashable {
    /// Name, policy and version.
    public var declaration: CollectionDeclaration
    /// The rule of each field, by name.
    public var fields: [String: FieldRule]
    /// The fields that every record must contain.
    public var required: Set<String>
    /// True when records may contain other fields.
    public var allowsOtherFields: Bool
    /// The maximum number of one user's records, tombstones included.
    public var recordsMax: Int

    /// Creates the rules of a collection.
    public init(
        _ declaration: CollectionDeclaration, fields: [String: FieldRule] = [:],
        required: Set<String> = [], allowsOtherFields: Bool = true, recordsMax: Int = 10_000
    ) {
        self.declaration = declaration
        self.fields = fields
        self.required = required
        self.allowsOtherFields = allowsOtherFields
        self.recordsMax = recordsMax
    }

    /// Returns true for a change that the rules allow.
    ///
    /// A rule that was added later does not forbid stored values: unchanged fields are not checked. Under
    /// `Policy.fieldMerge`, `null` removes a field that is not required.
    ///
    /// - Parameters:
    ///   - values: The record after the change.
    ///   - known: The record before it; `nil` for a new or deleted one.
    /// - Returns: True when the collection accepts the record.
    public func accepts(
        _ values: [String: FieldValue], over known: [String: FieldValue]? = nil
    ) -> Bool {
        guard Validity.areFields(values) else { return false }
        let missing = required.filter { values[$0] == nil }
        guard missing.allSatisfy({ name in known.map { $0[name] == nil } ?? false }) else {
            return false
        }
        return values.allSatisfy { name, value in
            if known?[name] == value { return true }
            guard let rule = fields[name] else { return allowsOtherFields }
            return rule.accepts(value) || removes(name, value)
        }
    }

    private func removes(_ name: String, _ value: FieldValue) -> Bool {
        declaration.policy.abilities.mergesFields && value == .null && !required.contains(name)
    }
}

extension CollectionRules {
    /// Questions that a learner marked; the record's id is the question's id.
    public static let favourites = CollectionRules(
        CollectionDeclaration("favourites", .lastWriteWins),
        fields: [
            "bank": FieldRule([.string], lengthMin: 1, lengthMax: 200),
            "note": FieldRule([.string], lengthMax: 1_000),
        ],
        required: ["bank"])
    /// Exams that a learner has booked; two dates for one exam become a conflict that the learner resolves.
    public static let reservations = CollectionRules(
        CollectionDeclaration("reservations", .askUser),
        fields: [
            "exam": FieldRule([.string], lengthMin: 1, lengthMax: 200),
            "date": FieldRule([.string], lengthMin: 10, lengthMax: 25),
            "status": FieldRule(
                [.string], choices: ["planned", "booked", "taken", "cancelled"]),
        ],
        required: ["exam", "date", "status"], recordsMax: 500)
    /// Announcements that were shown to the user; the record's id is the announcement's id.
    public static let seenAnnouncements = CollectionRules(
        CollectionDeclaration("seenAnnouncements", .lastWriteWins),
        fields: ["at": FieldRule([.string], lengthMax: 25)], recordsMax: 1_000)
    /// The consents of a user; the record's id is a ``Consent``.
    public static let consents = CollectionRules(
        CollectionDeclaration("consents", .lastWriteWins),
        fields: ["isGiven": FieldRule([.boolean])], required: ["isGiven"], recordsMax: 50)
    /// A learner's reports about questions; the record's id is ``QuestionReport/recordID``.
    public static let questionReports = CollectionRules(
        CollectionDeclaration("questionReports", .lastWriteWins),
        fields: [
            "bank": FieldRule([.string], lengthMin: 1, lengthMax: 200),
            "question": FieldRule([.string], lengthMin: 1, lengthMax: 200),
            "version": FieldRule([.string], lengthMax: 200),
            "reason": FieldRule([.string], lengthMin: 1, lengthMax: 40),
            "text": FieldRule([.string], lengthMax: QuestionReport.textLengthMax),
        ],
        required: ["bank", "question", "version", "reason"], recordsMax: 1_000)
    /// The differences that a move of an account could not merge; the record is an `AccountDifference`.
    public static let differences = CollectionRules(
        CollectionDeclaration("underway-differences", .lastWriteWins),
        fields: [
            "kind": FieldRule([.string], choices: ["ask", "lost"]),
            "collection": FieldRule([.string], lengthMin: 1, lengthMax: 64),
            "id": FieldRule([.string], lengthMin: 1, lengthMax: 200),
            "version": FieldRule([.array], lengthMin: 1, lengthMax: 16),
        ],
        required: ["kind", "collection", "id", "version"], allowsOtherFields: false,
        recordsMax: 20_000)
    /// The collections that every app has.
    public static let builtIn: [CollectionRules] = [
        favourites, reservations, seenAnnouncements, consents, questionReports, differences,
        learning, learningExtra, setAside, memory,
    ]
}
