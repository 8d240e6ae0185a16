/// How a question is asked and answered.
public enum QuestionType: String, Sendable, Hashable, CaseIterable {
    /// Exactly one option is right.
    case singleChoice = "single-choice"
    /// One or more options are right, and all of them are to be chosen.
    case multiChoice = "multi-choice"
    /// All options are to be put in order; `correct` is that order.
    case ordering
    /// As single choice, about a piece of code.
    case codeSnippet = "code-snippet"
    /// A number is to be entered.
    case numericEntry = "numeric-entry"

    /// True when a response puts all options in order.
    package var isOrder: Bool {
        switch self {
        case .ordering: true
        case .singleChoice, .multiChoice, .codeSnippet, .numericEntry: false
        }
    }

    /// True when a question needs a piece of code.
    package var needsCode: Bool {
        switch self {
        case .codeSnippet: true
        case .singleChoice, .multiChoice, .ordering, .numericEntry: false
        }
    }
}

/// One option of a question.
public struct QuestionOption: Hashable, Sendable {
    /// Stable through edits and shuffling: answers name it.
    public var id: String
    /// What is shown; may be empty only where there is an image.
    public var text: String
    /// A file of the exam's media.
    public var image: String?
    /// True when shuffling must leave the option at its place.
    public var isPinned: Bool
    /// Shown to who chose it.
    public var feedback: String?

    /// Describes an option.
    public init(
        id: String, text: String, image: String? = nil, isPinned: Bool = false,
        feedback: String? = nil
    ) {
        self.id = id
        self.text = text
        self.image = image
        self.isPinned = isPinned
        self.feedback = feedback
    }
}

/// A piece of code that a question is about.
public struct CodeSnippet: Hashable, Sendable {
    /// The programming language, as editors name it (`swift`, `python`).
    public var language: String
    /// The code.
    public var text: String

    /// Describes a piece of code.
    public init(language: String, text: String) {
        self.language = language
        self.text = text
    }
}

/// A question with its options and its key.
public struct Question: Hashable, Sendable {
    /// Stable and unique in its blueprint.
    public var id: String
    /// How it is asked.
    public var type: QuestionType
    /// The domain that it belongs to, where the blueprint has domains.
    public var domain: String?
    /// From 1, the easiest, to 5.
    public var difficulty: Int
    /// The question itself.
    public var stem: String
    /// The code that it is about.
    public var code: CodeSnippet?
    /// A file of the exam's media.
    public var image: String?
    /// The options in the order of the author; none for a numeric entry.
    public var options: [QuestionOption]
    /// The published right response.
    public var key: QuestionKey
    /// Shown after the answer.
    public var explanation: String?
    /// Free marks for selection.
    public var tags: [String]
    /// False when the options must be shown in the author's order.
    public var shufflesOptions: Bool
    /// True when it is asked no more but stays, because old answers name it.
    public var isRetired: Bool

    /// Describes a question; nothing is checked here, see `Question.read`.
    public init(
        id: String, type: QuestionType, domain: String? = nil, difficulty: Int, stem: String,
        code: CodeSnippet? = nil, image: String? = nil, options: [QuestionOption] = [],
        key: QuestionKey, explanation: String? = nil, tags: [String] = [],
        shufflesOptions: Bool = true, isRetired: Bool = false
    ) {
        self.id = id
        self.type = type
        self.domain = domain
        self.difficulty = difficulty
        self.stem = stem
        self.code = code
        self.image = image
        self.options = options
        self.key = key
        self.explanation = explanation
        self.tags = tags
        self.shufflesOptions = shufflesOptions
        self.isRetired = isRetired
    }

    /// Describes a question with options; nothing is checked here, see `Question.read`.
    public init(
        id: String, type: QuestionType, domain: String? = nil, difficulty: Int, stem: String,
        code: CodeSnippet? = nil, image: String? = nil, options: [QuestionOption],
        correct: [Int], explanation: String? = nil, tags: [String] = [],
        shufflesOptions: Bool = true, isRetired: Bool = false
    ) {
        self.init(
            id: id, type: type, domain: domain, difficulty: difficulty, stem: stem, code: code,
            image: image, options: options, key: .options(correct), explanation: explanation,
            tags: tags, shufflesOptions: shufflesOptions, isRetired: isRetired)
    }

    /// The indices of the right options, from 0; for `ordering` all of them in the right order.
    ///
    /// Empty where the key is of another kind; setting them replaces the key.
    public var correct: [Int] {
        get {
            switch key {
            case .options(let indices): indices
            case .number: []
            }
        }
        set { key = .options(newValue) }
    }

    /// The numbers that are right; `nil` where the key is of another kind.
    public var correctNumber: NumericKey? {
        switch key {
        case .options: nil
        case .number(let number): number
        }
    }

    /// A response that the key accepts.
    public var correctResponse: QuestionResponse {
        switch key {
        case .options: .options(correctOptionIDs)
        case .number(let number): .number(number.typicalValue)
        }
    }

    /// The ids of the right options, for `ordering` in their right order.
    public var correctOptionIDs: [String] { correct.map { options[$0].id } }

    /// The files that the question shows.
    public var mediaNames: [String] { [image].compactMap(\.self) + options.compactMap(\.image) }
}

extension QuestionOption {
    /// The canonical JSON form.
    public var json: JSONValue {
        .compact([
            "id": .string(id), "text": .string(text), "image": image.map { .string($0) },
            "pinned": isPinned ? true : nil, "feedback": feedback.map { .string($0) },
        ])
    }
}

extension Question {
    /// The canonical JSON form.
    public var json: JSONValue {
        var members: [String: JSONValue?] = [
            "id": .string(id), "type": .string(type.rawValue),
            "domain": domain.map { .string($0) }, "difficulty": .integer(difficulty),
            "stem": .string(stem),
            "code": code.map { ["language": .string($0.language), "text": .string($0.text)] },
            "image": image.map { .string($0) },
            "explanation": explanation.map { .string($0) },
            "tags": tags.isEmpty ? nil : .array(tags.map { .string($0) }),
            "shuffle": shufflesOptions ? nil : false, "retired": isRetired ? true : nil,
        ]
        switch key {
        case .options(let correct):
            members["options"] = .array(options.map(\.json))
            members["correct"] = .array(correct.map { .integer($0) })
        case .number(let number): members["number"] = number.json
        }
        return .compact(members)
    }
}
