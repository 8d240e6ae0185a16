public import ContentModel
public import UserData

/// A run of answers of one device in columns, which pack well: what repeats stands once.
public struct AnswerColumns: Sendable {
    /// The device and the numbers of the answers.
    package var span: AnswerSpan
    /// The answers in dictionary encoding.
    package let encoded: EncodedAnswers

    /// Creates columns.
    package init(span: AnswerSpan, rows: [AnswerRow?]) {
        self.init(span: span, encoded: EncodedAnswers(rows))
    }

    package init(span: AnswerSpan, encoded: EncodedAnswers) {
        self.span = span
        self.encoded = encoded
    }

    /// The answers in order; `nil` where the server did not take what was there.
    ///
    /// Cost: O(count); each access makes them from the columns.
    public var rows: [AnswerRow?] { encoded.answers }

    /// The number of answers.
    public var count: Int { encoded.rows.count }

    /// The last answers of the run.
    ///
    /// - Parameter count: The number of answers, at most that of the run.
    /// - Returns: The run that ends where this one ends.
    package func suffix(_ count: Int) -> AnswerColumns {
        part(self.count - count..<self.count)
    }

    /// A part of the run.
    ///
    /// - Parameter range: The places of its answers within the run.
    /// - Returns: The answers with their numbers.
    package func part(_ range: Range<Int>) -> AnswerColumns {
        let first = span.first + UInt64(range.lowerBound)
        return AnswerColumns(
            span: AnswerSpan(client: span.client, first: first, count: range.count),
            encoded: encoded.slice(range))
    }
}

extension AnswerColumns: Hashable {
    /// Compares numbers and answers, however they are encoded.
    public static func == (left: AnswerColumns, right: AnswerColumns) -> Bool {
        left.span == right.span && left.rows == right.rows
    }

    /// Hashes the numbers; equal runs have equal ones.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(span)
        hasher.combine(count)
    }
}

// MARK: Writing

extension AnswerColumns {
    /// The row that stands for an answer which the server did not take.
    private static let void = AnswerRow(
        bank: "", session: "", question: "", isCorrect: false, takenMilliseconds: 0,
        exposuresBefore: 0, mode: "",
        milliseconds: 0)

    /// Writes the columns.
    public var json: JSONValue {
        let places = encoded.rows.indices.filter { encoded.rows[$0] == nil }
        let whole = places.isEmpty ? encoded : EncodedAnswers(rows.map { $0 ?? Self.void })
        let rows = whole.rows.compactMap { $0 }
        var members = Self.texts(rows, whole).merging(Self.values(rows)) { $1 }
        members["client"] = .string(span.client.text)
        members["first"] = .integer(Int(span.first))
        members["count"] = .integer(rows.count)
        if !places.isEmpty { members["void"] = .array(places.map { .integer($0) }) }
        return .object(members)
    }

    /// The columns of texts.
    private static func texts(
        _ rows: [EncodedAnswers.Row], _ whole: EncodedAnswers
    ) -> [String: JSONValue] {
        [
            "bank": runs(rows, { $0.question }, whole.questions.map(\.bank)),
            "session": runs(rows, { $0.session }, whole.sessions.map(\.session)),
            "mode": runs(rows, { $0.session }, whole.sessions.map(\.mode)),
            "question": named(rows, { $0.question }, whole.questions.map(texts)),
            "options": named(rows, { $0.response }, whole.responses),
        ]
    }

    /// The columns of numbers; credit and rating where some row needs them.
    private static func values(_ rows: [EncodedAnswers.Row]) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "correct": digits(rows) { $0.isCorrect ? 1 : 0 },
            "random": digits(rows) { $0.isRandomlySelected ? 1 : 0 },
            "taken": .array(rows.map { .integer(Int($0.takenMilliseconds)) }),
            "exposures": .array(rows.map { .integer(Int($0.exposuresBefore)) }),
            "date": differences(rows),
        ]
        if rows.contains(where: { $0.rating != 0 }) {
            members["rating"] = digits(rows) { UInt8($0.rating) }
        }
        if rows.contains(where: { $0.offsetMinutes != nil }) { members["offset"] = offsets(rows) }
        var credits: [String: JSONValue] = [:]
        for (index, row) in rows.enumerated() where row.credit != row.plainCredit {
            credits[String(index)] = .decimal(row.credit)
        }
        if !credits.isEmpty { members["credit"] = .object(credits) }
        return members
    }

    /// The offsets from UTC as `[value, length, value, length …]`; `null` for an answer without one.
    private static func offsets(_ rows: [EncodedAnswers.Row]) -> JSONValue {
        var result: [JSONValue] = []
        var start = 0
        for index in rows.indices
        where index + 1 == rows.count
            || rows[index + 1].offsetMinutes != rows[index].offsetMinutes
        {
            result += [
                rows[index].offsetMinutes.map { .integer(Int($0)) } ?? .null,
                .integer(index + 1 - start),
            ]
            start = index + 1
        }
        return .array(result)
    }

    /// The question, its version, and its domain where it has one.
    private static func texts(_ question: EncodedAnswers.Question) -> [String] {
        [question.question, question.version] + (question.domain.map { [$0] } ?? [])
    }

    /// Numbers equal values alike, so that rows are compared by numbers.
    private static func distinct<Value: Hashable & Sendable>(
        _ values: [Value]
    ) -> (values: [Value], index: [Int]) {
        var dictionary = EncodedAnswers.Distinct<Value>()
        let index = values.map { Int(dictionary.index(of: $0)) }
        return (dictionary.values, index)
    }

    /// `[value, length, value, length …]`.
    private static func runs(
        _ rows: [EncodedAnswers.Row], _ place: (EncodedAnswers.Row) -> Int32, _ values: [String]
    ) -> JSONValue {
        let (texts, index) = distinct(values)
        var result: [JSONValue] = []
        var (current, start) = (-1, 0)
        for (number, row) in rows.enumerated() {
            let text = index[Int(place(row))]
            guard text != current else { continue }
            if number > 0 { result += [.string(texts[current]), .integer(number - start)] }
            (current, start) = (text, number)
        }
        if !rows.isEmpty {
            result += [.string(texts[current]), .integer(rows.count - start)]
        }
        return .array(result)
    }

    /// Dictionary encoding: the distinct values in the order in which rows name them, and each row's
    /// index into them.
    private static func named(
        _ rows: [EncodedAnswers.Row], _ place: (EncodedAnswers.Row) -> Int32,
        _ values: [[String]]
    ) -> JSONValue {
        let (lists, index) = distinct(values)
        var places = [Int](repeating: -1, count: lists.count)
        var names: [JSONValue] = []
        var at: [JSONValue] = []
        at.reserveCapacity(rows.count)
        for row in rows {
            let list = index[Int(place(row))]
            if places[list] < 0 {
                places[list] = names.count
                names.append(.array(lists[list].map { .string($0) }))
            }
            at.append(.integer(places[list]))
        }
        return ["names": .array(names), "at": .array(at)]
    }

    private static func digits(
        _ rows: [EncodedAnswers.Row], _ value: (EncodedAnswers.Row) -> UInt8
    ) -> JSONValue {
        .string(String(decoding: rows.map { UInt8(ascii: "0") + value($0) }, as: UTF8.self))
    }

    private static func differences(_ rows: [EncodedAnswers.Row]) -> JSONValue {
        var last: Int64 = 0
        return .array(
            rows.map { row in
                defer { last = row.milliseconds }
                return .integer(Int(row.milliseconds - last))
            })
    }
}
