import Foundation
public import Underway

/// The names and values of a record's fields as text for a learner.
public struct FieldText: Sendable {
    /// A value that a field can have, with its name.
    public struct Choice: Sendable, Hashable, Identifiable {
        /// The text that ``ConflictEdit`` reads.
        public var value: String
        /// The name.
        public var name: String

        /// The text that ``ConflictEdit`` reads.
        public var id: String { value }
    }

    private let screen: ConflictScreen
    private let formats: StudyFormats
    private var words: StudyText { formats.words }

    /// Creates the names and values of a conflict's fields.
    public init(_ screen: ConflictScreen, _ formats: StudyFormats) {
        self.screen = screen
        self.formats = formats
    }

    /// Returns a field's name: in the learner's language for the built-in collections.
    public func name(_ field: ConflictScreen.Field) -> String {
        switch (screen.key.collection, field.name) {
        case (Reservation.collection.name, "date"): words["booking.date"]
        case (Reservation.collection.name, "status"): words["booking.status"]
        case (Reservation.collection.name, "exam"): words["booking.exam"]
        case (Favourite.collection.name, "bank"): words["progress.subject"]
        case (_, "note"): words["booking.note"]
        case (_, "place"): words["booking.place"]
        default: field.name
        }
    }

    /// Returns a value of a field; a word for none.
    public func text(_ value: FieldValue?, of field: ConflictScreen.Field) -> String {
        let plain = plain(value, of: field)
        return plain.isEmpty ? words["conflict.blank"] : plain
    }

    /// Returns the sentence about the server's value; `nil` if both versions agree.
    public func serverHas(_ field: ConflictScreen.Field) -> String? {
        guard field.differs else { return nil }
        return words.text("conflict.serverHas", ["value": text(field.server, of: field)])
    }

    /// Returns the values from which the learner chooses; none for a field that is typed or fixed.
    public func choices(_ field: ConflictScreen.Field) -> [Choice] {
        switch field.kind {
        case .flag:
            [
                Choice(value: "true", name: words["app.on"]),
                Choice(value: "false", name: words["app.off"]),
            ]
        case .status:
            [Reservation.Status.planned, .booked, .taken, .cancelled].map {
                Choice(value: $0.rawValue, name: words.status($0))
            }
        case .list:
            [
                Choice(
                    value: ConflictEdit.mine,
                    name: "\(words["conflict.mine"]): \(text(field.mine, of: field))"),
                Choice(
                    value: ConflictEdit.server, name: serverHas(field) ?? words["conflict.server"]),
            ]
        case .text, .number, .examDate, .subject: []
        }
    }

    private func plain(_ value: FieldValue?, of field: ConflictScreen.Field) -> String {
        switch (field.kind, value) {
        case (.examDate, .text(let text)?):
            ExamDate(text).map { formats.text($0, now: screen.now) } ?? text
        case (.status, .text(let text)?):
            Reservation.Status(rawValue: text).map(words.status) ?? text
        case (.subject, .text(let name)?): screen.subjects[name] ?? name
        default: value.map(generic) ?? ""
        }
    }

    private func generic(_ value: FieldValue) -> String {
        switch value {
        case .null: ""
        case .bool(let flag): words[flag ? "app.on" : "app.off"]
        case .integer(let number): number.formatted(.number.locale(words.locale))
        case .decimal(let number): number.formatted(.number.locale(words.locale))
        case .text(let text): text
        case .list(let values): formats.list(values.map(generic))
        }
    }
}
