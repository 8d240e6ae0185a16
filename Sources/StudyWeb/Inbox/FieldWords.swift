import Foundation
import StudyModel
import Underway

/// The names and values of a record's fields as a learner reads them.
struct FieldWords {
    let screen: ConflictScreen
    let formats: StudyFormats
    private var words: StudyWords { formats.words }

    /// Returns a field's name: in the learner's language for the collections that every app has.
    func name(_ field: ConflictScreen.Field) -> String {
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
    func text(_ value: FieldValue?, of field: ConflictScreen.Field) -> String {
        let plain = plain(value, of: field)
        return plain.isEmpty ? words["conflict.blank"] : plain
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
