public import ContentModel
public import UserData

/// A run of answers of one device in columns, which compress well: each repeated value occurs once.
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

    /// The answers in order; `nil` for those that the server did not accept.
    ///
    /// Cost: O(count); each access rebuilds them from the columns.
    public var rows: [AnswerRow?] { encoded.answers }

    /// The number of answers.
    public var count: Int { encoded.rows.count }

    /// The last answers of the run.
    ///
    /// - Parameter count: The number of answers, at most that of the run.
    /// - Returns: The run with the same end.
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
    /// Compares numbers and answers, regardless of their encoding.
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
    /// The row in place of an answer that the server rejected.
    private static let void = AnswerRow(
        bank: "", session: "", question: "", isCorrect: false, takenMilliseconds: 0,
        exposuresBefore: 0, mode: "",
        milliseconds: 0)

    /// The columns as JSON.
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

    /// The columns of numbers; an optional one if a row has it.
    private static func values(_ rows: [EncodedAnswers.Row]) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for field in AnswerField.allCases {
            guard field.isRequired || rows.contains(where: { $0[field] != nil }) else { continue }
            members[field.wire.name] = column(field, rows)
        }
        return members
    }

    private static func column(_ field: AnswerField, _ rows: [EncodedAnswers.Row]) -> JSONValue {
        func value(_ row: EncodedAnswers.Row) -> Int { Int(row[field]?.integer ?? 0) }
        switch field.wire.form {
        case .digits:
            return .string(
                String(decoding: rows.map { UInt8(ascii: "0") + UInt8(value($0)) }, as: UTF8.self))
        case .integers: return .array(rows.map { .integer(value($0)) })
        case .differences:
            var last = 0
            return .array(
                rows.map { row in
                    defer { last = value(row) }
                    return .integer(value(row) - last)
                })
        case .runs: return runs(field, rows)
        case .exceptions:
            let places = rows.indices.compactMap { place in
                rows[place][field].map { (String(place), JSONValue.decimal($0.real)) }
            }
            return .object(Dictionary(uniqueKeysWithValues: places))
        }
    }

    /// `[value, length, value, length …]`; `null` for an answer without one.
    private static func runs(_ field: AnswerField, _ rows: [EncodedAnswers.Row]) -> JSONValue {
        var result: [JSONValue] = []
        var start = 0
        for index in rows.indices
        where index + 1 == rows.count || rows[index + 1][field] != rows[index][field] {
            result += [
                rows[index][field].map { .integer(Int($0.integer)) } ?? .null,
                .integer(index + 1 - start),
            ]
            start = index + 1
        }
        return .array(result)
    }

    /// The question, its version, and its domain if it has one.
    private static func texts(_ question: EncodedAnswers.Question) -> [String] {
        [question.question, question.version] + (question.domain.map { [$0] } ?? [])
    }

    /// Assigns equal numbers to equal values, so that rows are compared by numbers.
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
}
