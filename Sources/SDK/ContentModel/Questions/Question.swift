/// The type of a question: the form of its responses.
public enum QuestionType: String, Sendable, Hashable, CaseIterable {
    /// Exactly one option is right.
    case singleChoice = "single-choice"
    /// One or more options are right, and all of them must be chosen.
    case multiChoice = "multi-choice"
    /// All options must be ordered; `correct` is the right order.
    case ordering
    /// Exactly one option about a piece of code is right.
    case codeSnippet = "code-snippet"
    /// A number must be entered.
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
public struct QuestionOption: Hashable, Sendable, Identifiable {
    /// The option's id, stable through edits and shuffling: answers name it.
    public var id: String
    /// The shown text; may be empty only with an image.
    public var text: String
    /// The name of a file of the exam's media.
    public var image: String?
    /// True when shuffling must not move the option.
    public var isPinned: Bool
    /// The text shown to learners who chose the option.
    public var feedback: String?

    /// Creates an option.
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

/// The piece of code of a question.
public struct CodeSnippet: Hashable, Sendable {
    /// The programming language by its editor name (`swift`, `python`).
    public var language: String
    /// The code.
    public var text: String

    /// Creates a piece of code.
    public init(language: String, text: String) {
        self.language = language
        self.text = text
    }
}

/// A question with its options and its key.
///
/// ```swift
/// let question = Question(
///     id: "capital", type: .singleChoice, difficulty: 1, stem: "The capital of France?",
///     options: [QuestionOption(id: "a", text: "Lyon"), QuestionOption(id: "b", text: "Paris")],
///     correct: [1], explanation: "Paris, since 987.")
/// print(question.correctOptionIDs, Grading.isCorrect(["b"], to: question))
/// ```
public struct Question: Hashable, Sendable, Identifiable {
    /// The question's id, stable and unique in its blueprint.
    public var id: String
    /// The type.
    public var type: QuestionType
    /// The id of its domain, if the blueprint has domains.
    public var domain: String?
    /// The difficulty from 1, the easiest, to 5.
    public var difficulty: Int
    /// The text of the question.
    public var stem: String
    /// The piece of code of the question, if any.
    public var code: CodeSnippet?
    /// The name of a file of the exam's media.
    public var image: String?
    /// The clip that the question plays, if any.
    public var audio: QuestionAudio?
    /// The options in the author's order; none for a numeric entry.
    public var options: [QuestionOption]
    /// The published key.
    public var key: QuestionKey
    /// The text shown after the answer.
    public var explanation: String?
    /// Arbitrary labels for selection.
    public var tags: [String]
    /// False when the options must be shown in the author's order.
    public var shufflesOptions: Bool
    /// True when it is no longer asked, but remains because answers refer to it.
    public var isRetired: Bool
    /// The form of the stem, the options' texts, the feedback and the explanation.
    public var textForm: TextForm

    /// Creates a question without any check; see `Question.read`.
    public init(
        id: String, type: QuestionType, domain: String? = nil, difficulty: Int, stem: String,
        code: CodeSnippet? = nil, image: String? = nil, audio: QuestionAudio? = nil,
        options: [QuestionOption] = [], key: QuestionKey, explanation: String? = nil,
        tags: [String] = [],
        shufflesOptions: Bool = true, isRetired: Bool = false, textForm: TextForm = .plain
    ) {
        self.id = id
        self.type = type
        self.domain = domain
        self.difficulty = difficulty
        self.stem = stem
        self.code = code
        self.image = image
        self.audio = audio
        self.options = options
        self.key = key
        self.explanation = explanation
        self.tags = tags
        self.shufflesOptions = shufflesOptions
        self.isRetired = isRetired
        self.textForm = textForm
    }

    /// Creates a question with options without any check; see `Question.read`.
    public init(
        id: String, type: QuestionType, domain: String? = nil, difficulty: Int, stem: String,
        code: CodeSnippet? = nil, image: String? = nil, audio: QuestionAudio? = nil,
        options: [QuestionOption], correct: [Int], explanation: String? = nil, tags: [String] = [],
        shufflesOptions: Bool = true, isRetired: Bool = false, textForm: TextForm = .plain
    ) {
        self.init(
            id: id, type: type, domain: domain, difficulty: difficulty, stem: stem, code: code,
            image: image, audio: audio, options: options, key: .options(correct),
            explanation: explanation, tags: tags, shufflesOptions: shufflesOptions,
            isRetired: isRetired,
            textForm: textForm)
    }

    /// The indices of the right options, from 0; for `ordering` all of them in the right order.
    ///
    /// Empty for a key of another kind; setting them replaces the key.
    public var correct: [Int] {
        get {
            switch key {
            case .options(let indices): indices
            case .number: []
            }
        }
        set { key = .options(newValue) }
    }

    /// The right numbers; `nil` for a key of another kind.
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

    /// The ids of the right options; for `ordering` in their right order.
    public var correctOptionIDs: [String] { correct.map { options[$0].id } }

    /// The names of the question's files: its images and its clip.
    public var mediaNames: [String] { imageNames + [audio?.file].compactMap(\.self) }

    /// The names of the question's images.
    public var imageNames: [String] {
        [image].compactMap(\.self) + options.compactMap(\.image)
            + (textForm == .plain ? [] : texts.flatMap { richText($0).imageNames })
    }
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
            "image": image.map { .string($0) }, "audio": audio?.json,
            "explanation": explanation.map { .string($0) },
            "tags": tags.isEmpty ? nil : .array(tags.map { .string($0) }),
            "shuffle": shufflesOptions ? nil : false, "retired": isRetired ? true : nil,
            "text": textForm == .plain ? nil : .string(textForm.rawValue),
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
