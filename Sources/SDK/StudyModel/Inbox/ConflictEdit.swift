import Foundation
public import Underway

/// The fields of both versions, merged by the learner.
public struct ConflictEdit: Sendable, Hashable {
    /// The form value for the learner's version of a list.
    public static let mine = "mine"
    /// The form value for the server's version of a list.
    public static let server = "server"

    /// The fields to write.
    public private(set) var fields: [String: FieldValue] = [:]
    /// The names of the fields whose text is not a value of their kind.
    public private(set) var invalid: Set<String> = []

    /// Parses the entered texts; a field without one retains the learner's value, or else the server's.
    ///
    /// - Parameters:
    ///   - texts: The texts by the field's name: `true` or `false` for a truth value, ``mine`` or ``server`` for a
    ///     list, the raw value of a status, and a date in the form of `ExamDate`. An empty text is no value.
    ///   - screen: Both versions.
    ///   - numbers: Parses a number in the learner's language.
    public init(
        _ texts: [String: String], of screen: ConflictScreen,
        numbers: (String) -> Double? = { Double($0) }
    ) {
        for field in screen.fields {
            let unchanged = field.mine ?? field.server
            guard let text = texts[field.name], field.kind != .subject else {
                fields[field.name] = unchanged
                continue
            }
            switch Self.value(text, field, numbers) {
            case .some(let value): fields[field.name] = value
            case .none: invalid.insert(field.name)
            }
        }
        // A field that neither side had stays away.
        fields = fields.filter { name, value in
            value != .null || screen.fields.contains { $0.name == name && $0.hasNull }
        }
    }

    private static func value(
        _ text: String, _ field: ConflictScreen.Field, _ numbers: (String) -> Double?
    ) -> FieldValue? {
        if let same = [field.mine, field.server].first(where: { $0 == .text(text) }) {
            return same ?? .null
        }
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch field.kind {
        case .list:
            return text == mine ? field.mine ?? .null : text == server ? field.server ?? .null : nil
        case .flag: return ["true": .bool(true), "false": .bool(false), "": .null][text]
        case .examDate: return ExamDate(text).map { .text($0.text) }
        case .status: return Reservation.Status(rawValue: text).map { .text($0.rawValue) }
        case .number:
            if text.isEmpty { return .null }
            return numbers(text).flatMap { $0.isFinite ? FieldValue.decimal($0).normalized : nil }
        case .text, .subject: return text.isEmpty ? .null : .text(text)
        }
    }
}

extension ConflictScreen.Field {
    fileprivate var hasNull: Bool { mine == .null || server == .null }
}
