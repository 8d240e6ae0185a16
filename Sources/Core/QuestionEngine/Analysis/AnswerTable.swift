public import ContentModel

/// What many learners answered: one row an answer, grouped by question.
///
/// A response is a number: for questions with one right option the option itself, for others
/// each different answer that was given, where all right numbers of a numeric entry are one. A
/// learner counts once a question; only answers at first sight belong here, since whoever saw the
/// right answer before tells nothing about the key.
public struct AnswerTable: Sendable {
    /// A question and the answers that it can get.
    public struct Item: Sendable, Hashable {
        /// The question's id.
        public var id: String
        /// How it is asked.
        public var type: QuestionType
        /// What each response is called: the id of an option, ids with spaces between them, or a
        /// number.
        public var responses: [String]
        /// The response that is published as right.
        public var key: Int

        /// Describes a question.
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

    /// Why rows make no table.
    public enum Failure: Error, Hashable, Sendable {
        /// The published key of the question is none of its responses.
        case keyOutOfRange(item: String)
        /// The question has fewer than two responses.
        case tooFewResponses(item: String)
        /// The row names a question that there is not; rows count from 0.
        case unknownItem(row: Int)
        /// The row names a response that its question has not.
        case unknownResponse(item: String, row: Int)
        /// The columns are not equally long, or a person's number is negative.
        case malformedColumns
    }

    /// The questions.
    public let items: [Item]
    /// How many people there are.
    public let personCount: Int
    /// How many answers there are.
    public var answerCount: Int { persons.count }

    /// The rows of item `j` are those from `starts[j]` up to `starts[j + 1]`.
    let starts: [Int]
    let persons: [Int32]
    let responses: [Int32]

    /// Groups rows by question, in linear time.
    ///
    /// Of several rows of one person for one question the first counts.
    /// - Parameters:
    ///   - items: The questions.
    ///   - person: Of each row, the person's number from 0.
    ///   - item: Of each row, the index of the question.
    ///   - response: Of each row, the index of the response.
    /// - Throws: `Failure` that names the question or row.
    public init(
        items: [Item], person: [Int32], item: [Int32], response: [Int32]
    ) throws(Failure) {
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
        personCount = Int(person.max() ?? -1) + 1
        (starts, persons, responses) = Self.grouped(
            person, item, response, itemCount: items.count, personCount: personCount)
    }

    /// A counting sort that keeps the order of rows and each person's first answer.
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

    /// How often each response of a question was given.
    func counts(of item: Int) -> [Int] {
        var counts = Array(repeating: 0, count: items[item].responses.count)
        for row in rows(of: item) { counts[Int(responses[row])] += 1 }
        return counts
    }

    /// The rows of a question.
    @inline(__always)
    func rows(of item: Int) -> Range<Int> { starts[item]..<starts[item + 1] }
}
