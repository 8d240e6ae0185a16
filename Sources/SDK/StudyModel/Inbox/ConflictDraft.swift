public import Foundation
import Underway

/// Both versions of a record while the learner merges them.
///
/// It begins with the learner's version, and with the server's value for fields that it lacks.
public struct ConflictDraft: Sendable, Hashable {
    /// The texts of the fields by name; for a field with choices the chosen value.
    public var texts: [String: String] = [:]
    /// The day and the time of the fields that are exam dates.
    public var dates: [String: BookingDate] = [:]
    private let screen: ConflictScreen
    private let calendar: Calendar
    private let firstTexts: [String: String]
    private let firstDates: [String: BookingDate]

    /// Creates a draft of a conflict.
    public init(_ screen: ConflictScreen, calendar: Calendar) {
        self.screen = screen
        self.calendar = calendar
        for field in screen.fields {
            let value = field.mine ?? field.server ?? .null
            if field.kind == .examDate {
                dates[field.name] = Self.entered(value, calendar)
            } else {
                texts[field.name] = field.kind == .list ? ConflictEdit.mine : Self.text(value)
            }
        }
        (firstTexts, firstDates) = (texts, dates)
    }

    /// The fields to write, with the names of those whose text is invalid.
    public var edit: ConflictEdit {
        // What was not touched stays as it is stored, also where its text would be read otherwise.
        var values = texts.filter { firstTexts[$0.key] != $0.value }
        for field in screen.fields where dates[field.name] != firstDates[field.name] {
            if let date = dates[field.name] { values[field.name] = stored(date, field) }
        }
        return ConflictEdit(values, of: screen) { text in
            try? Double(
                text.replacing(",", with: "."), format: .number.locale(Locale(identifier: "en_US")))
        }
    }

    /// Returns the text of a value as a field of a form has it.
    private static func text(_ value: FieldValue) -> String {
        switch value {
        case .null, .list: ""
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .decimal(let number): String(number)
        case .text(let text): text
        }
    }

    /// Returns a date as a form has it.
    private static func entered(_ value: FieldValue, _ calendar: Calendar) -> BookingDate {
        ExamDate(text(value)).map { BookingDate($0, calendar: calendar) }
            ?? BookingDate(day: "", time: "")
    }

    /// Returns an entered date as it is stored: one that was not changed as it is, a text that is none for
    /// one that cannot be booked.
    private func stored(_ date: BookingDate, _ field: ConflictScreen.Field) -> String {
        for value in [field.mine, field.server].compactMap(\.self)
        where Self.entered(value, calendar) == date {
            return Self.text(value)
        }
        return (try? date.examDate(now: screen.now, calendar: calendar))?.text ?? ""
    }
}
