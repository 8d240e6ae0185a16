import ContentModel

/// A text of the form with what the checker says about it.
struct TextFieldView {
    var id: String
    var name: String
    var label: String
    var hint: String?
    var value: String
    /// True for a field of several lines.
    var isLong: Bool
    var isCode = false
    /// The id of the list of what is usually typed; `nil` for none.
    var list: String?
    var messages: MessagesView

    init(
        _ name: String, _ label: String, _ value: String, hint: String? = nil, isLong: Bool,
        isCode: Bool = false, list: String? = nil, _ messages: MessagesView
    ) {
        id = name
        self.name = name
        self.label = label
        self.hint = hint
        self.value = value
        self.isLong = isLong
        self.isCode = isCode
        self.list = list
        self.messages = messages
    }
}

/// The checker's messages about a field.
struct MessagesView {
    struct Message {
        var isError: Bool
        var text: String
    }

    /// The id of the element with the messages.
    var id: String
    var list: [Message]
    /// True when the field has an error.
    var isInvalid: Bool

    init(id: String, _ messages: [QuestionCheck.Message]) {
        self.id = id
        list = messages.map { .init(isError: $0.isError, text: $0.text) }
        isInvalid = messages.contains(where: \.isError)
    }
}

/// One of several values.
struct ChoiceView {
    var value: String
    var title: String
    var isChosen: Bool
}

/// A choice of the form with what the checker says about it.
struct ChoiceFieldView {
    var id: String
    var label: String
    var choices: [ChoiceView]
    var messages: MessagesView
}

/// An option in the form.
struct OptionFieldView {
    var index: Int
    var number: Int
    var id: String
    var text: String
    var isLong: Bool
    /// The name of its picture; `nil` where the bank has no media.
    var picture: TextFieldView?
    var feedback: String
    var isRight: Bool
    var isPinned: Bool
    var place: String
    /// `radio` or `checkbox`; `nil` for an ordering, whose options have places.
    var kind: String?
    var isFirst: Bool
    var messages: MessagesView
    var feedbackMessages: MessagesView
}

/// The checker's messages by the fields that they are about.
struct FieldMessages {
    private let byField: [String: [QuestionCheck.Message]]

    init(_ check: QuestionCheck) {
        byField = Dictionary(grouping: check.messages, by: \.field)
    }

    /// Returns the messages of a field, for an element of the form's field.
    func view(_ field: String, id: String? = nil) -> MessagesView {
        let id = (id ?? field).replacing(".", with: "-")
        return MessagesView(id: "\(id)-messages", byField[field] ?? [])
    }
}

extension QuestionType {
    /// The type as pages name it.
    var title: String {
        switch self {
        case .singleChoice: "Single choice"
        case .multiChoice: "Several choices"
        case .ordering: "Ordering"
        case .codeSnippet: "Code"
        case .numericEntry: "Number"
        }
    }
}
