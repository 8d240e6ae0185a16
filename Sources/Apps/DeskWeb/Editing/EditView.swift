import ContentModel
import Publishing

/// A message of the checker as a page shows it.
struct EditMessage: Sendable {
    var text: String
    var isError: Bool

    init(text: String, isError: Bool) {
        self.text = text
        self.isError = isError
    }

    init(_ problem: Problem) {
        let message = problem.message.prefix(1).uppercased() + problem.message.dropFirst()
        text = "\(message). \(problem.hint)"
        isError = problem.rule.severity == .error
    }
}

/// A form for a part of a document, with its values and the messages beside its fields.
struct EditView: Sendable {
    struct Choice: Sendable {
        var value: String
        var title: String
        var isChosen: Bool
    }

    struct Field: Sendable {
        var id: String
        var name: String
        var title: String
        var hint: String?
        var value: String
        var messages: [EditMessage]
        var hasMessages: Bool
        var isInvalid: Bool
        /// The ids of what describes the field; `nil` for none.
        var describedBy: String?
        var isText = false
        var isNumber = false
        var isLong = false
        var isCode = false
        var isToggle = false
        var isOn = false
        var isChoice = false
        var isProse = false
        var choices: [Choice] = []
    }

    struct Group: Sendable {
        var title: String?
        var mark: String?
        var messages: [EditMessage]
        var hasMessages: Bool
        var fields: [Field]
    }

    /// The most messages without a field that are shown.
    private static let messagesMax = 20

    /// The messages about no single field.
    var messages: [EditMessage]
    var hasMessages: Bool
    var groups: [Group]
    var errors: String?
    var warnings: String?

    /// Makes a view.
    ///
    /// - Parameters:
    ///   - form: The fields.
    ///   - value: The document.
    ///   - typed: What was typed and not saved, by the names of fields.
    ///   - problems: The messages of the checker about the document's file.
    ///   - places: The places in the file.
    ///   - refused: What cannot be saved.
    init(
        _ form: EditForm, _ value: JSONValue, typed: [String: String] = [:],
        problems: [Problem] = [], places: DocumentPlaces? = nil, refused: EditProblem? = nil
    ) {
        var waiting = problems.map {
            (path: places?.path(at: $0.position), message: EditMessage($0))
        }
        func take(_ isWanted: ([String]) -> Bool) -> [EditMessage] {
            let found = waiting.filter { $0.path.map(isWanted) ?? false }.map(\.message)
            waiting.removeAll { $0.path.map(isWanted) ?? false }
            return found
        }
        var number = 0
        groups = form.groups.map { group in
            let fields = group.fields.map { field in
                number += 1
                var messages = take { !field.path.isEmpty && $0.starts(with: field.path) }
                if let refused, refused.name == field.name {
                    messages.insert(.init(text: refused.text, isError: true), at: 0)
                }
                let shown = typed[field.name] ?? field.shown(value.member(at: field.path[...]))
                return Field(field, id: "f\(number)", shown: shown, messages)
            }
            let own = group.path.isEmpty ? [] : take { $0.starts(with: group.path) }
            return Group(
                title: group.title, mark: group.mark, messages: own, hasMessages: !own.isEmpty,
                fields: fields)
        }
        messages = Array(waiting.map(\.message).prefix(Self.messagesMax))
        hasMessages = !messages.isEmpty
        let summary = ProblemSummary(problems)
        errors = Self.count(summary.errors, "error")
        warnings = Self.count(summary.warnings, "warning")
    }

    static func count(_ count: Int, _ word: String) -> String? {
        count == 0 ? nil : "\(count) \(word)\(count == 1 ? "" : "s")"
    }
}

extension EditView.Field {
    init(_ field: EditField, id: String, shown: String, _ messages: [EditMessage]) {
        self.init(
            id: id, name: field.name, title: field.title, hint: field.hint, value: shown,
            messages: messages, hasMessages: !messages.isEmpty,
            isInvalid: messages.contains(where: \.isError))
        let described = [
            field.hint == nil ? nil : "\(id)-hint", messages.isEmpty ? nil : "\(id)-messages",
        ].compactMap(\.self)
        describedBy = described.isEmpty ? nil : described.joined(separator: " ")
        isProse = field.isProse
        switch field.kind {
        case .text, .time, .words: isText = true
        case .number: isNumber = true
        case .lines, .list: isLong = true
        case .json: (isLong, isCode) = (true, true)
        case .toggle: (isToggle, isOn) = (true, shown == "true")
        case .choice(let values):
            isChoice = true
            choices = Self.choices(values, shown, isRequired: field.isRequired)
        }
    }

    private static func choices(
        _ values: [JSONValue], _ shown: String, isRequired: Bool
    ) -> [EditView.Choice] {
        var choices = values.map { value -> EditView.Choice in
            let json = EditField.json(value)
            var title = json
            if case .string(let text) = value { title = text }
            return .init(value: json, title: title, isChosen: json == shown)
        }
        if !shown.isEmpty, !choices.contains(where: \.isChosen) {
            choices.insert(.init(value: shown, title: shown, isChosen: true), at: 0)
        }
        if shown.isEmpty || !isRequired {
            choices.insert(.init(value: "", title: "Not set", isChosen: shown.isEmpty), at: 0)
        }
        return choices
    }
}
