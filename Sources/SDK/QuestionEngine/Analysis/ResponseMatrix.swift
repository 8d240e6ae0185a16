public import ContentModel

/// The answers of many learners: one row per answer, grouped by question.
///
/// A response is a number: for questions with one right option, the index of the option; for others, that of each
/// different response, where all right numbers of a numeric entry are one. A learner counts once per question. Only
/// first-sight answers belong here: a learner who has seen the right answer gives no evidence about the key.
///
/// ```swift
/// let items = [ResponseMatrix.Item(id: "q1", responses: ["a", "b"], key: 0)]
/// let table = try ResponseMatrix(
///     items: items, person: [0, 1, 2], item: [0, 0, 0], response: [0, 0, 1])
/// print(ItemStatistics.all(of: table).map(\.facility))
/// ```
public struct ResponseMatrix: Sendable {
    /// A question and its possible responses.
    public struct Item: Sendable, Hashable, Identifiable {
        /// The question's id.
        public var id: String
        /// The type of the question.
        public var type: QuestionType
        /// The label of each response: the id of an option, ids separated by spaces, or a number.
        public var responses: [String]
        /// The index of the published key.
        public var key: Int
        /// The version of the question to which these answers belong; `nil` when versions are not distinguished.
        public var contentVersion: String?

        /// Creates a question.
        public init(
            id: String, type: QuestionType = .singleChoice, responses: [String], key: Int
        ) {
            self.id = id
            self.type = type
            self.responses = responses
            self.key = key
        }

        /// True when the options are the responses; false when each different answer is one.
        var hasFixedResponses: Bool {
            switch type {
            case .singleChoice, .codeSnippet: true
            case .multiChoice, .ordering, .numericEntry: false
            }
        }
    }

    /// The questions.
    public let items: [Item]
    /// The number of people.
    public let personCount: Int
    /// The origin of the answers, as far as recorded.
    public internal(set) var origin = AnswerOrigin()
    /// The number of answers.
    public var answerCount: Int { persons.count }

    /// The index of each item's first row: the rows of item `j` are `starts[j]..<starts[j + 1]`.
    let starts: [Int]
    let persons: [Int32]
    let responses: [Int32]

    /// Groups rows by question, in linear time.
    ///
    /// Of several rows of one person for one question, the first counts.
    /// - Parameters:
    ///   - items: The questions.
    ///   - person: For each row, the person's number, at least 0; numbers need not be consecutive.
    ///   - item: For each row, the index of the question.
    ///   - response: For each row, the index of the response.
    /// - Throws: `AnswerTableError` with the question or row.
    public init(
        items: [Item], person: [Int32], item: [Int32], response: [Int32]
    ) throws(AnswerTableError) {
        for item in items {
            guard item.responses.count >= 2 else { throw .tooFewResponses(item: item.id) }
            guard item.responses.indices.contains(item.key) else {
                throw .keyOutOfRange(item: item.id)
            }
        }
        guard person.count == item.count, item.count == response.count,
            person.allSatisfy({ $0 >= 0 })
        else { throw .malformedColumns }
        for row in item.indices {
            guard items.indices.contains(Int(item[row])) else { throw .unknownItem(row: row) }
            let known = items[Int(item[row])]
            guard known.responses.indices.contains(Int(response[row])) else {
                throw .unknownResponse(item: known.id, row: row)
            }
        }
        self.items = items
        let (dense, count) = Self.dense(person)
        personCount = count
        (starts, persons, responses) = Self.grouped(
            dense, item, response, itemCount: items.count, personCount: count)
    }

    /// Renumbers people from 0 without gaps, in the order of their numbers, so that no number sizes memory.
    private static func dense(_ person: [Int32]) -> ([Int32], Int) {
        let highest = Int(person.max() ?? -1)
        // Numbers that are dense enough need no sorting.
        guard highest >= 4 * person.count else { return (person, highest + 1) }
        let known = Set(person).sorted()
        var numbers: [Int32: Int32] = [:]
        for (number, name) in known.enumerated() { numbers[name] = Int32(number) }
        return (person.map { numbers[$0] ?? 0 }, known.count)
    }

    /// Sorts by counting, preserving the order of rows and each person's first answer.
    private static func grouped(
        _ person: [Int32], _ item: [Int32], _ response: [Int32], itemCount: Int, personCount: Int
    ) -> ([Int], [Int32], [Int32]) {
        var places = Array(repeating: 0, count: itemCount + 1)
        for one in item { places[Int(one) + 1] += 1 }
        for index in 0..<itemCount { places[index + 1] += places[index] }
        var next = places
        var rows = Array(repeating: Int32(0), count: item.count)
        for row in item.indices {
            rows[next[Int(item[row])]] = Int32(row)
            next[Int(item[row])] += 1
        }
        var starts = [0]
        var persons: [Int32] = []
        var responses: [Int32] = []
        persons.reserveCapacity(item.count)
        responses.reserveCapacity(item.count)
        var lastItem = Array(repeating: Int32(-1), count: personCount)
        for index in 0..<itemCount {
            for row in rows[places[index]..<places[index + 1]] {
                let who = person[Int(row)]
                guard lastItem[Int(who)] != Int32(index) else { continue }
                lastItem[Int(who)] = Int32(index)
                persons.append(who)
                responses.append(response[Int(row)])
            }
            starts.append(persons.count)
        }
        return (starts, persons, responses)
    }

    /// Returns the frequency of each response of a question.
    package func counts(of item: Int) -> [Int] {
        var counts = Array(repeating: 0, count: items[item].responses.count)
        for row in rows(of: item) { counts[Int(responses[row])] += 1 }
        return counts
    }

    /// Returns the rows of a question.
    @inline(__always)
    func rows(of item: Int) -> Range<Int> { starts[item]..<starts[item + 1] }
}

extension ResponseMatrix {
    /// The rows of one question.
    package struct Rows: Sendable {
        /// For each row, the person's number; each person once.
        package var persons: [Int32] = []
        /// For each row, the index of the response.
        package var responses: [Int32] = []

        package init() {}
    }

    /// Creates a table of rows that are grouped by question, without sorting them.
    ///
    /// - Parameters:
    ///   - items: The questions.
    ///   - rows: The rows of each question, whose responses are indices of the question's.
    package init(items: [Item], rows: [Rows]) {
        precondition(items.count == rows.count, "Each question needs its rows, possibly none.")
        self.items = items
        var (starts, persons, responses) = ([0], [Int32](), [Int32]())
        let count = rows.reduce(0) { $0 + $1.persons.count }
        persons.reserveCapacity(count)
        responses.reserveCapacity(count)
        for one in rows {
            persons += one.persons
            responses += one.responses
            starts.append(persons.count)
        }
        self.starts = starts
        (self.persons, personCount) = Self.dense(persons)
        self.responses = responses
    }
}
