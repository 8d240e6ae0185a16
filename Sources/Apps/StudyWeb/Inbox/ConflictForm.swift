import Foundation
import PageRendering
import StudyModel
import Underway

extension ConflictDraft {
    /// Reads a sent form.
    init(_ form: FormFields, _ screen: ConflictScreen, _ formats: StudyFormats) {
        self.init(screen, calendar: formats.calendar)
        for field in screen.fields where field.kind != .subject {
            if field.kind == .examDate {
                dates[field.name] = BookingDate(
                    day: form["day:\(field.name)"] ?? "", time: form["time:\(field.name)"] ?? "")
            } else if let text = form["field:\(field.name)"] {
                // Lines of a form end with CR and LF, stored ones with LF.
                texts[field.name] = text.replacing("\r\n", with: "\n")
            }
        }
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
        _ screen: ConflictScreen, _ draft: ConflictDraft, isRefused: Bool,
        _ formats: StudyFormats
    ) {
        path = ConflictPages.path(of: screen.key)
        tag = screen.tag
        details = formats.words.details(screen.topic)
        refusal = isRefused ? formats.words["conflict.notAccepted"] : nil
        let names = FieldText(screen, formats)
        let invalid = isRefused ? draft.edit.invalid : []
        fields = screen.fields.enumerated().map { index, field in
            var shown = Field("field-\(index)", field, draft, names)
            if invalid.contains(field.name) { shown.error = formats.words["conflict.invalidField"] }
            return shown
        }
    }
}

extension ConflictEditView.Field {
    init(
        _ id: String, _ field: ConflictScreen.Field, _ draft: ConflictDraft, _ names: FieldText
    ) {
        (self.id, name, label) = (id, field.name, names.name(field))
        serverHas = names.serverHas(field)
        value = draft.texts[field.name] ?? ""
        switch field.kind {
        case .text: isText = true
        case .number: isNumber = true
        case .examDate:
            isDate = true
            (day, time) = (draft.dates[field.name]?.day ?? "", draft.dates[field.name]?.time ?? "")
        case .subject:
            isFixed = true
            value = names.text(field.mine, of: field)
        case .flag, .status, .list:
            isChoice = true
            choices = names.choices(field).map {
                .init(value: $0.value, name: $0.name, isChosen: $0.value == value)
            }
        }
    }
}
