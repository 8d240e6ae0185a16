import ContentModel
import QuestionEngine
import ServiceAPI

/// The first answers to the questions of one bank, grouped by question.
struct BankAnswers: Sendable {
    /// The bank.
    let name: String
    /// The ids of the questions, in the order of the table.
    let ids: [String]
    /// The versions of each question whose answers count: the served one, and earlier ones that asked the same.
    let versions: [[String]]
    /// The number of answers that came, or left, since the last review.
    private(set) var changeCount = 0

    private var builder: ResponseMatrixBuilder
    private var rows: [ResponseMatrix.Rows]
    /// For questions of several versions, whose answers are here: a storage keeps one of a person to each version.
    private var persons: [Set<Int32>?]
    /// For each question, the index of each response by its text; `nil` for one that the question does not accept.
    private var indices: [[String: Int32?]]

    init(_ bank: ReviewedBank) {
        name = bank.name
        let usable = bank.questions.filter { !$0.isRetired && $0.hasUsableKey }
        // The builder takes every question that was filtered here.
        builder = (try? ResponseMatrixBuilder(questions: usable)) ?? Self.emptyBuilder
        ids = builder.questionIDs
        versions = ids.map { id in
            [bank.versions[id] ?? ""] + (bank.earlierVersions[id] ?? [])
        }
        persons = versions.map { $0.count > 1 ? [] : nil }
        rows = ids.map { _ in ResponseMatrix.Rows() }
        indices = ids.map { _ in [:] }
    }

    private static var emptyBuilder: ResponseMatrixBuilder {
        do {
            return try ResponseMatrixBuilder(questions: [])
        } catch {
            preconditionFailure("A builder without questions cannot be made: \(error)")
        }
    }

    /// Adds an answer.
    ///
    /// - Parameters:
    ///   - text: The raw response, as `StoredTexts` writes it.
    ///   - person: The person, of whom there is no answer to this version of the question yet.
    ///   - question: The index of the question.
    /// - Returns: False for a response that the question does not accept, and for a second one of the person.
    mutating func add(_ text: String, of person: Int32, to question: Int) -> Bool {
        guard let index = index(of: text, to: question),
            persons[question]?.insert(person).inserted ?? true
        else { return false }
        rows[question].persons.append(person)
        rows[question].responses.append(index)
        changeCount += 1
        return true
    }

    private mutating func index(of text: String, to question: Int) -> Int32? {
        if let known = indices[question][text] { return known }
        let response = QuestionResponse(texts: StoredTexts.texts(text))
        let index = builder.index(of: response, to: question)
        indices[question][text] = .some(index)
        return index
    }

    /// Removes the answers of persons, and returns how many.
    mutating func remove(_ gone: Set<Int32>) -> Int {
        rows.indices.reduce(0) { $0 + remove(gone, from: $1) }
    }

    /// Removes the answers of persons to a question, and returns how many.
    mutating func remove(_ gone: Set<Int32>, from question: Int) -> Int {
        guard rows[question].persons.contains(where: gone.contains) else { return 0 }
        var left = ResponseMatrix.Rows()
        for (person, response) in zip(rows[question].persons, rows[question].responses)
        where !gone.contains(person) {
            left.persons.append(person)
            left.responses.append(response)
        }
        let removed = rows[question].persons.count - left.persons.count
        persons[question]?.subtract(gone)
        rows[question] = left
        changeCount += removed
        return removed
    }

    /// The table of all answers.
    var table: ResponseMatrix { builder.table(of: rows) }

    /// Counts changes from now on.
    mutating func noteReview() { changeCount = 0 }
}

extension Question {
    /// True when the key names options that the question has, or a number.
    var hasUsableKey: Bool {
        switch key {
        case .number: true
        case .options(let indices):
            !indices.isEmpty && indices.allSatisfy(options.indices.contains)
        }
    }
}
