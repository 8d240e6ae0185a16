public import ContentModel

/// A builder of an `AnswerTable` from recorded answers.
///
/// ```swift
/// let question = Question(
///     id: "q1", type: .singleChoice, difficulty: 1, stem: "1 + 1?",
///     options: [QuestionOption(id: "a", text: "2"), QuestionOption(id: "b", text: "3")],
///     correct: [0])
/// var builder = try AnswerTableBuilder(questions: [question])
/// builder.add(person: "ann", question: "q1", response: ["a"])
/// print(try builder.table().answerCount, builder.unknownCount)
/// ```
public struct AnswerTableBuilder: Sendable {
    /// The number of answers left out because the learner had seen the question before.
    public private(set) var repeatCount = 0
    /// The number of answers left out because their question is unknown.
    public private(set) var unknownCount = 0
    /// The number of answers left out because they name an unknown option, or are of a kind that
    /// the question does not accept.
    public private(set) var unusableCount = 0

    private var items: [AnswerTable.Item] = []
    private var keys: [QuestionKey] = []
    private var itemNumbers: [String: Int32] = [:]
    private var responseNumbers: [[String: Int32]] = []
    private var personNumbers: [String: Int32] = [:]
    private var person: [Int32] = []
    private var item: [Int32] = []
    private var response: [Int32] = []

    /// Creates a builder for answers to these questions.
    ///
    /// - Throws: `AnswerTableError` for a question without a usable key.
    public init(questions: [Question]) throws(AnswerTableError) {
        for question in questions {
            switch question.key {
            case .number: break
            case .options(let correct):
                guard !correct.isEmpty, correct.allSatisfy(question.options.indices.contains)
                else { throw .keyOutOfRange(item: question.id) }
            }
            add(Self.item(question), question.key)
        }
    }

    /// Returns a question as an item of the table.
    private static func item(_ question: Question) -> AnswerTable.Item {
        switch question.type {
        case .singleChoice, .codeSnippet:
            return AnswerTable.Item(
                id: question.id, type: question.type, responses: question.options.map(\.id),
                key: question.correct.first ?? -1)
        case .multiChoice, .ordering, .numericEntry:
            let key = label(question.correctResponse, question.type, question.key)
            return AnswerTable.Item(
                id: question.id, type: question.type, responses: [key ?? ""], key: 0)
        }
    }

    /// Returns one label for equal answers; `nil` for a response of a kind that the question does
    /// not accept.
    private static func label(
        _ response: QuestionResponse, _ type: QuestionType, _ key: QuestionKey
    ) -> String? {
        switch (key, response) {
        case (.options, .options(let ids)): label(ids, type)
        case (.number(let key), .number(let number)):
            key.accepts(number) ? key.notation : number.description
        case (.options, .number), (.options, .unknown), (.number, .options), (.number, .unknown):
            nil
        }
    }

    /// Returns the ids in order, or sorted where order does not matter.
    private static func label(_ optionIDs: [String], _ type: QuestionType) -> String {
        switch optionIDs.count {
        case 0: "–"
        case 1: optionIDs[0]
        default:
            (type.isOrder ? optionIDs : optionIDs.sorted()).joined(separator: " ")
        }
    }

    private mutating func add(_ new: AnswerTable.Item, _ key: QuestionKey) {
        // Of two questions with one id the first is used.
        guard itemNumbers[new.id] == nil else { return }
        itemNumbers[new.id] = Int32(items.count)
        items.append(new)
        keys.append(key)
        responseNumbers.append(
            Dictionary(
                new.responses.enumerated().map { ($1, Int32($0)) },
                uniquingKeysWith: { first, _ in first }))
    }

    /// Adds an answer, unless it says nothing about its question.
    ///
    /// Skipped questions are ignored; repeated exposures, unknown questions and responses that the
    /// question does not accept are counted and left out.
    public mutating func add(
        person name: String, question: String, response: QuestionResponse,
        exposuresBefore: Int = 0
    ) {
        guard exposuresBefore <= 0 else {
            repeatCount += 1
            return
        }
        guard let number = itemNumbers[question] else {
            unknownCount += 1
            return
        }
        guard !response.isEmpty else { return }
        let type = items[Int(number)].type
        guard let label = Self.label(response, type, keys[Int(number)]),
            let chosen = responseNumber(label, of: Int(number))
        else {
            unusableCount += 1
            return
        }
        person.append(personNumber(name))
        item.append(number)
        self.response.append(chosen)
    }

    private mutating func personNumber(_ name: String) -> Int32 {
        if let known = personNumbers[name] { return known }
        let number = Int32(personNumbers.count)
        personNumbers[name] = number
        return number
    }

    private mutating func responseNumber(_ label: String, of item: Int) -> Int32? {
        if let known = responseNumbers[item][label] { return known }
        guard !items[item].hasFixedResponses else { return nil }
        let number = Int32(items[item].responses.count)
        items[item].responses.append(label)
        responseNumbers[item][label] = number
        return number
    }

    /// Returns the table of the added answers.
    public func table() throws(AnswerTableError) -> AnswerTable {
        var complete = items
        for index in complete.indices where complete[index].responses.count < 2 {
            // Every answer was the key.
            complete[index].responses.append("other")
        }
        return try AnswerTable(items: complete, person: person, item: item, response: response)
    }
}
