public import ContentModel

/// A builder of a `ResponseMatrix` from recorded answers.
///
/// ```swift
/// let question = Question(
///     id: "q1", type: .singleChoice, difficulty: 1, stem: "1 + 1?",
///     options: [QuestionOption(id: "a", text: "2"), QuestionOption(id: "b", text: "3")],
///     correct: [0])
/// var builder = try ResponseMatrixBuilder(questions: [question])
/// let answer = ObservedAnswer(
///     person: "ann", question: "q1", contentVersion: question.contentVersion, response: ["a"],
///     exposuresBefore: 0, mode: .study, isRandomlySelected: false)
/// builder.add(answer)
/// print(try builder.table().answerCount, builder.otherVersionCount)
/// ```
public struct ResponseMatrixBuilder: Sendable {
    /// The number of ignored answers of learners who had seen the question before.
    public private(set) var repeatCount = 0
    /// The number of ignored answers to another version of the question.
    public private(set) var otherVersionCount = 0
    /// The number of ignored answers to unknown questions.
    public private(set) var unknownCount = 0
    /// The number of ignored answers that name an unknown option, or are of a kind that the question does not accept.
    public private(set) var unusableCount = 0

    /// The number of ignored answers without a response.
    public private(set) var skippedCount = 0

    private var origin = AnswerOrigin()
    private var items: [ResponseMatrix.Item] = []
    private var keys: [QuestionKey] = []
    private var itemNumbers: [String: Int32] = [:]
    private var responseNumbers: [[String: Int32]] = []
    private var personNumbers: [String: Int32] = [:]
    private var person: [Int32] = []
    private var item: [Int32] = []
    private var response: [Int32] = []

    /// Creates a builder for answers to these questions.
    ///
    /// - Parameters:
    ///   - questions: The questions in the version by which answers are judged.
    ///   - versions: The versions whose answers count, by the questions' ids; by default those of `questions`
    ///     (`Question.contentVersion`).
    /// - Throws: `AnswerTableError` for a question without a usable key.
    public init(
        questions: [Question], versions: [String: String] = [:]
    ) throws(AnswerTableError) {
        for question in questions {
            switch question.key {
            case .number: break
            case .options(let correct):
                guard !correct.isEmpty, correct.allSatisfy(question.options.indices.contains)
                else { throw .keyOutOfRange(item: question.id) }
            }
            var item = Self.item(question)
            item.contentVersion = versions[question.id] ?? question.contentVersion
            add(item, question.key)
        }
    }

    /// Returns a question as an item of the table.
    private static func item(_ question: Question) -> ResponseMatrix.Item {
        switch question.type {
        case .singleChoice, .codeSnippet:
            return ResponseMatrix.Item(
                id: question.id, type: question.type, responses: question.options.map(\.id),
                key: question.correct.first ?? -1)
        case .multiChoice, .ordering, .numericEntry:
            return ResponseMatrix.Item(
                id: question.id, type: question.type, responses: [question.keyLabel], key: 0)
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

    private mutating func add(_ new: ResponseMatrix.Item, _ key: QuestionKey) {
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

    /// Adds an answer, unless it gives no evidence about its question.
    ///
    /// It counts, but ignores, skipped questions, answers to another version, repeated exposures, unknown questions and
    /// responses that the question does not accept.
    public mutating func add(_ answer: ObservedAnswer) {
        guard answer.exposuresBefore <= 0 else {
            repeatCount += 1
            return
        }
        guard let number = itemNumbers[answer.question] else {
            unknownCount += 1
            return
        }
        let known = items[Int(number)]
        if let version = answer.contentVersion, version != known.contentVersion {
            otherVersionCount += 1
            return
        }
        guard !answer.response.isEmpty else {
            skippedCount += 1
            return
        }
        guard let label = Self.label(answer.response, known.type, keys[Int(number)]),
            let chosen = responseNumber(label, of: Int(number))
        else {
            unusableCount += 1
            return
        }
        origin.count(answer)
        person.append(personNumber(answer.person))
        item.append(number)
        response.append(chosen)
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
    public func table() throws(AnswerTableError) -> ResponseMatrix {
        var table = try ResponseMatrix(
            items: completeItems, person: person, item: item, response: response)
        table.origin = origin
        return table
    }

    private var completeItems: [ResponseMatrix.Item] {
        var complete = items
        for index in complete.indices where complete[index].responses.count < 2 {
            // Every answer was the key.
            complete[index].responses.append("other")
        }
        return complete
    }

    // MARK: Rows that are grouped already

    /// The ids of the questions, in the order of the table.
    package var questionIDs: [String] { items.map(\.id) }

    /// Returns the index of a response among those of a question, to which it is added if each different answer is one.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - question: The index of the question.
    /// - Returns: `nil` for a skipped question, and for a response that it does not accept.
    package mutating func index(of response: QuestionResponse, to question: Int) -> Int32? {
        guard !response.isEmpty,
            let label = Self.label(response, items[question].type, keys[question])
        else { return nil }
        return responseNumber(label, of: question)
    }

    /// Returns a table of rows that are grouped by question.
    ///
    /// - Parameter rows: The rows of each question, in the order of ``questionIDs``.
    /// - Returns: The table.
    package func table(of rows: [ResponseMatrix.Rows]) -> ResponseMatrix {
        ResponseMatrix(items: completeItems, rows: rows)
    }
}
