import ContentModel
import Foundation
import ServiceAPI
import UserData

/// User data as text.
enum UserDataText {
    static func key(_ key: RecordKey) -> String { "\(key.collection)/\(key.id)" }

    static func fields(_ values: [String: FieldValue]) -> String {
        values.sorted { $0.key < $1.key }
            .map { "\($0.key): \(value($0.value))" }.joined(separator: ", ")
    }

    /// Returns the fields of a record, or the fact that it is deleted.
    static func fieldsOrDeleted(_ values: [String: FieldValue]?) -> String {
        values.map(fields) ?? "deleted"
    }

    static func record(_ record: UserRecord) -> String {
        fieldsOrDeleted(record.isDeleted ? nil : record.values)
    }

    static func change(_ change: Change) -> String {
        switch change {
        case .put(let values): fields(values)
        case .delete: "deleted"
        case .count(let field, let tally):
            "\(field): \(tally.added) added, \(tally.removed) removed in all"
        case .restore(let record): "restored: " + self.record(record)
        }
    }

    static func time(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
    }

    /// Returns a time in the local time zone, as `2026-11-21 10:02`.
    static func localTime(_ milliseconds: Int64) -> String {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        let parts = Calendar(identifier: .gregorian)
            .dateComponents([.year, .month, .day, .hour, .minute], from: date)
        return String(
            format: "%04d-%02d-%02d %02d:%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0,
            parts.hour ?? 0, parts.minute ?? 0)
    }

    static func value(_ value: FieldValue) -> String {
        switch value {
        case .null: "not set"
        case .bool(let value): value ? "yes" : "no"
        case .integer(let value): String(value)
        case .decimal(let value): String(value)
        case .text(let value): value
        case .list(let values): "[" + values.map { self.value($0) }.joined(separator: ", ") + "]"
        }
    }

    static func json(_ record: UserRecord?) -> JSONValue {
        guard let record, !record.isDeleted else { return .null }
        return FieldWire.json(record.values)
    }
}
