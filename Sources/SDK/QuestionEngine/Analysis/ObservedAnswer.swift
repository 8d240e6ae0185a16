public import ContentModel

/// A person's answer to a question, as an analysis needs it.
///
/// No value that determines if the answer counts has a default: a forgotten exposure would count learners who had seen
/// the right answer as evidence for a wrong key.
///
/// ```swift
/// let answer = ObservedAnswer(
///     person: "ann", question: "q1", contentVersion: nil, response: ["a"], exposuresBefore: 0,
///     mode: .exam, isRandomlySelected: false)
/// print(answer.person)
/// ```
public struct ObservedAnswer: Sendable, Hashable {
    /// The person, by a name that is the same in all of the person's answers.
    public var person: String
    /// The question's id.
    public var question: String
    /// The version that was shown, see `Question.contentVersion`; `nil` if not recorded, which counts as the present
    /// one.
    public var contentVersion: String?
    /// The response; empty when the question was skipped.
    public var response: QuestionResponse
    /// The number of times that the person had seen the question before.
    public var exposuresBefore: Int
    /// The purpose of the session; `nil` if not recorded.
    public var mode: AnswerMode?
    /// True when chance alone selected the question; `nil` if not recorded.
    public var isRandomlySelected: Bool?

    /// Creates an answer.
    public init(
        person: String, question: String, contentVersion: String?, response: QuestionResponse,
        exposuresBefore: Int, mode: AnswerMode?, isRandomlySelected: Bool?
    ) {
        self.person = person
        self.question = question
        self.contentVersion = contentVersion
        self.response = response
        self.exposuresBefore = exposuresBefore
        self.mode = mode
        self.isRandomlySelected = isRandomlySelected
    }

    /// Creates an answer from a stored one of a person.
    public init(_ record: AnswerRecord, of person: String) {
        self.init(
            person: person, question: record.questionID, contentVersion: record.contentVersion,
            response: record.response, exposuresBefore: record.exposuresBefore, mode: record.mode,
            isRandomlySelected: record.isRandomlySelected)
    }
}

/// The origin of a table's answers.
///
/// ```swift
/// let table = try ResponseMatrix(items: [], person: [], item: [], response: [])
/// print(table.origin.randomShare ?? 0)
/// ```
public struct AnswerOrigin: Sendable, Hashable, Codable {
    /// The number of answers of each purpose, as far as recorded.
    public private(set) var modes: [AnswerMode: Int] = [:]
    /// The number of answers to questions that chance alone selected.
    public private(set) var randomCount = 0
    /// The number of answers to questions that were selected otherwise, such as by a learner's ability.
    public private(set) var selectedCount = 0

    /// Creates an origin without answers.
    public init() {}

    /// The fraction of answers to questions that chance alone selected; `nil` if nothing was recorded.
    public var randomShare: Double? {
        let known = randomCount + selectedCount
        return known > 0 ? Double(randomCount) / Double(known) : nil
    }

    mutating func count(_ answer: ObservedAnswer) {
        if let mode = answer.mode { modes[mode, default: 0] += 1 }
        switch answer.isRandomlySelected {
        case true?: randomCount += 1
        case false?: selectedCount += 1
        case nil: break
        }
    }
}
