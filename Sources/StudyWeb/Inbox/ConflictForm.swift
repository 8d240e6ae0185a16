import Foundation
import StudyModel
import Underway

/// The form that edits both versions into one: its texts, and the fields that they make.
struct ConflictForm {
    /// The texts of each field: one, or day and time of a date.
    private(set) var texts: [String: String] = [:]
    private(set) var dates: [String: BookingDate] = [:]
    /// The fields to write.
    let edit: ConflictEdit

    /// Fills the form with the own version, and with the server's where there is no own value.
    init(_ screen: ConflictScreen, _ formats: StudyFormats) {
        for field in screen.fields {
            let value = field.mine ?? field.server ?? .null
            if field.kind == .examDate {
                dates[field.name] = Self.entered(value, formats)
            } else {
                texts[field.name] = field.kind == .list ? ConflictEdit.mine : Self.text(value)
            }
        }
        edit = ConflictEdit([:], of: screen)
    }

    /// Reads a sent form.
    init(_ form: FormFields, _ screen: ConflictScreen, _ formats: StudyFormats) {
        var entered: [String: String] = [:]
        for field in screen.fields where field.kind != .subject {
            if field.kind == .examDate {
                let date = BookingDate(
                    day: form["day:\(field.name)"] ?? "", time: form["time:\(field.name)"] ?? "")
                dates[field.name] = date
                entered[field.name] = Self.stored(date, field, screen, formats)
            } else if let text = form["field:\(field.name)"] {
                texts[field.name] = text
                // Lines of a form end with CR and LF, stored ones with LF.
                entered[field.name] = text.replacing("\r\n", with: "\n")
            }
        }
        edit = ConflictEdit(entered, of: screen) { text in
            try? Double(
                text.replacing(",", with: "."), format: .number.locale(Locale(identifier: "en_US")))
        }
    }

    /// Returns the text of a value as a field of the form has it.
    static func text(_ value: FieldValue) -> String {
        switch value {
        case .null, .list: ""
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .decimal(let number): String(number)
        case .text(let text): text
        }
    }

    /// Returns a date as the form has it.
    private static func entered(_ value: FieldValue, _ formats: StudyFormats) -> BookingDate {
        ExamDate(text(value)).map { BookingDate($0, calendar: formats.calendar) }
            ?? BookingDate(day: "", time: "")
    }

    /// Returns an entered date as it is stored: one that was not changed as it is, a text that is none for
    /// one that cannot be booked.
    private static func stored(
        _ date: BookingDate, _ field: ConflictScreen.Field, _ screen: ConflictScreen,
        _ formats: StudyFormats
    ) -> String {
        for value in [field.mine, field.server].compactMap(\.self)
        where entered(value, formats) == date {
            return text(value)
        }
        let valid = try? date.examDate(now: screen.now, calendar: formats.calendar)
        return valid?.text ?? ""
    }
}

/// The values of the page of that form.
struct ConflictEditView {
    struct Choice {
        var value: String
        var name: String
        var isChosen: Bool
    }

    struct Field {
        var id: String
        var name: String
        var label: String
        var serverHas: String?
        var error: String?
        var isText = false
        var isNumber = false
        var isDate = false
        var isFixed = false
        var isChoice = false
        var value = ""
        var day = ""
        var time = ""
        var choices: [Choice] = []
    }

    var path: String
    var tag: String
    var details: String
    var refusal: String?
    var fields: [Field]

    init(
        _ screen: ConflictScreen, _ form: ConflictForm, isRefused: Bool, _ formats: StudyFormats
    ) {
        path = ConflictPages.path(of: screen.key)
        tag = screen.tag
        details = formats.words.details(screen.topic)
        refusal = isRefused ? formats.words["conflict.notAccepted"] : nil
        let names = FieldWords(screen: screen, formats: formats)
        fields = screen.fields.enumerated().map { index, field in
            Field("field-\(index)", field, form, names)
        }
    }
}

extension ConflictEditView.Field {
    init(
        _ id: String, _ field: ConflictScreen.Field, _ form: ConflictForm, _ names: FieldWords
    ) {
        let words = names.formats.words
        (self.id, name, label) = (id, field.name, names.name(field))
        if field.differs {
            serverHas = words.text(
                "conflict.serverHas", ["value": names.text(field.server, of: field)])
        }
        if form.edit.invalid.contains(field.name) { error = words["conflict.invalidField"] }
        value = form.texts[field.name] ?? ""
        switch field.kind {
        case .text: isText = true
        case .number: isNumber = true
        case .examDate:
            isDate = true
            (day, time) = (form.dates[field.name]?.day ?? "", form.dates[field.name]?.time ?? "")
        case .subject:
            isFixed = true
            value = names.text(field.mine, of: field)
        case .flag:
            choose(from: [("true", words["app.on"]), ("false", words["app.off"])])
        case .status:
            let all: [Reservation.Status] = [.planned, .booked, .taken, .cancelled]
            choose(from: all.map { ($0.rawValue, words.status($0)) })
        case .list:
            choose(from: [
                (
                    ConflictEdit.mine,
                    "\(words["conflict.mine"]): \(names.text(field.mine, of: field))"
                ), (ConflictEdit.server, serverHas ?? words["conflict.server"]),
            ])
        }
    }

    private mutating func choose(from choices: [(value: String, name: String)]) {
        isChoice = true
        self.choices = choices.map {
            .init(value: $0.value, name: $0.name, isChosen: $0.value == value)
        }
    }
}
