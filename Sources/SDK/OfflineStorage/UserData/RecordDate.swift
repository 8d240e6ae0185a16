import Foundation

/// The text of a `Date` in a record: a time of RFC 3339 in UTC, with milliseconds where it has any, such as
/// `2026-12-24T09:00:00Z` and `2026-12-24T09:00:00.250Z`.
enum RecordDate {
    /// Returns the text of a date, rounded to milliseconds; `nil` for one that is not finite, or too far.
    static func text(_ date: Date) -> String? {
        let rounded = (date.timeIntervalSince1970 * 1000).rounded(.toNearestOrAwayFromZero)
        guard let milliseconds = Int64(exactly: rounded) else { return nil }
        let rest = (milliseconds % 1000 + 1000) % 1000
        let seconds = Date(timeIntervalSince1970: Double((milliseconds - rest) / 1000))
        let text = seconds.formatted(.iso8601)
        let digits = "\(1000 + rest)".dropFirst()
        return rest > 0 ? "\(text.dropLast()).\(digits)Z" : text
    }

    /// Parses a text with or without a fraction of a second; `nil` for any other.
    static func date(_ text: String) -> Date? {
        guard let point = text.firstIndex(of: ".") else {
            return try? Date(text, strategy: .iso8601)
        }
        let digits = text[point...].dropFirst().prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, digits.endIndex < text.endIndex,
            let fraction = Double("0.\(digits)"),
            let second = try? Date(text[..<point] + text[digits.endIndex...], strategy: .iso8601)
        else { return nil }
        let milliseconds = second.timeIntervalSince1970 * 1000 + (fraction * 1000).rounded()
        return Date(timeIntervalSince1970: milliseconds / 1000)
    }

    /// Encodes a date as its text.
    static func encode(_ date: Date, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard let text = text(date) else {
            // Not the date: Foundation's description of one that is not finite ends the program.
            throw EncodingError.invalidValue(
                date.timeIntervalSince1970,
                EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: "The date is not finite."))
        }
        try container.encode(text)
    }

    /// Decodes a date from its text.
    static func decode(from decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        guard let date = date(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "The text is not a date as ISO 8601 writes it.")
        }
        return date
    }
}
