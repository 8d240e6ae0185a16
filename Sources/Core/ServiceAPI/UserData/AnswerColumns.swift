public import ContentModel
public import UserData

/// A run of one device's answers in columns, which compress well: repeated values are stored once.
public struct AnswerColumns: Sendable, Hashable {
    /// The device and the sequence numbers of the answers.
    public var span: AnswerSpan
    /// The answers in order; `nil` where the server rejected the answer.
    public var rows: [AnswerRow?]

    /// Creates columns.
    public init(span: AnswerSpan, rows: [AnswerRow?]) {
        self.span = span
        self.rows = rows
    }

    /// The placeholder of a rejected answer.
    private static let rejected = AnswerRow(
        bank: "", session: "", question: "", isCorrect: false, takenMilliseconds: 0, mode: "",
        milliseconds: 0)

    // MARK: Writing

    /// The columns as JSON.
    public var json: JSONValue {
        let all = rows.map { $0 ?? Self.rejected }
        let rejectedIndices = rows.indices.filter { rows[$0] == nil }
        var credits: [String: JSONValue] = [:]
        for (index, row) in all.enumerated() where row.credit != (row.isCorrect ? 1 : 0) {
            credits[String(index)] = .decimal(row.credit)
        }
        let hasRating = all.contains { $0.rating != nil }
        return .compact([
            "client": .string(span.client.text), "first": .integer(Int(span.first)),
            "count": .integer(all.count),
            "bank": Self.runs(all.map(\.bank)), "session": Self.runs(all.map(\.session)),
            "mode": Self.runs(all.map(\.mode)),
            "question": Self.named(all.map(Self.question), Self.texts),
            "options": Self.named(all.map(\.options), Self.texts),
            "correct": Self.digits(all.map { $0.isCorrect ? 1 : 0 }),
            "random": Self.digits(all.map { $0.isRandomlySelected ? 1 : 0 }),
            "rating": hasRating ? Self.digits(all.map { $0.rating ?? 0 }) : nil,
            "credit": credits.isEmpty ? nil : .object(credits),
            "taken": .array(all.map { .integer(Int($0.takenMilliseconds)) }),
            "exposures": .array(all.map { .integer(Int($0.exposuresBefore)) }),
            "date": Self.differences(all.map(\.milliseconds)),
            "void": rejectedIndices.isEmpty ? nil : .array(rejectedIndices.map { .integer($0) }),
        ])
    }

    /// Returns the values that vary together: the question, its version, and its domain if it has
    /// one.
    private static func question(_ row: AnswerRow) -> [String] {
        [row.question, row.version] + (row.domain.map { [$0] } ?? [])
    }

    private static func texts(_ texts: [String]) -> JSONValue {
        .array(texts.map { .string($0) })
    }

    /// Returns run lengths: `[value, length, value, length …]`.
    private static func runs(_ values: [String]) -> JSONValue {
        var result: [JSONValue] = []
        var start = values.startIndex
        for index in values.indices
        where index + 1 == values.endIndex
            || values[index + 1] != values[index]
        {
            result += [.string(values[index]), .integer(index + 1 - start)]
            start = index + 1
        }
        return .array(result)
    }

    /// Returns a dictionary encoding: the distinct values, and each row's index into them.
    private static func named<Value: Hashable>(
        _ values: [Value], _ json: (Value) -> JSONValue
    ) -> JSONValue {
        var places: [Value: Int] = [:]
        var names: [JSONValue] = []
        var at: [JSONValue] = []
        at.reserveCapacity(values.count)
        for value in values {
            let place = places[value] ?? names.count
            if place == names.count {
                places[value] = place
                names.append(json(value))
            }
            at.append(.integer(place))
        }
        return ["names": .array(names), "at": .array(at)]
    }

    private static func digits(_ values: [Int]) -> JSONValue {
        .string(String(decoding: values.map { UInt8(ascii: "0") + UInt8($0) }, as: UTF8.self))
    }

    private static func differences(_ values: [Int64]) -> JSONValue {
        var last: Int64 = 0
        return .array(
            values.map { value in
                defer { last = value }
                return .integer(Int(value - last))
            })
    }

    // MARK: Reading

    /// Reads the columns; a row with an invalid value becomes `nil`.
    ///
    /// - Parameters:
    ///   - node: The JSON.
    ///   - path: The place of the JSON, for the error.
    /// - Throws: `WireError` when the columns do not match each other.
    public init(_ node: DocumentNode, _ path: String = "") throws(WireError) {
        let object = try WireObject(node, path)
        let count = Int(try object.requiredNumber("count"))
        let first = try object.requiredNumber("first")
        guard (1...ServiceLimits.answersPerReplyMax).contains(count), first >= 1 else {
            throw WireError(path, "count or first is out of range")
        }
        let reader = ColumnReader(object: object, count: count)
        let (bank, session) = (try reader.runs("bank"), try reader.runs("session"))
        let mode = try reader.runs("mode")
        let question = try reader.lists("question")
        guard question.allSatisfy({ (2...3).contains($0.count) }) else {
            throw WireError(object.place("question"), "names [question, version, domain]")
        }
        let options = try reader.lists("options")
        let (correct, random) = (try reader.digits("correct"), try reader.digits("random"))
        let rating = object.node("rating") == nil ? nil : try reader.digits("rating")
        let credits = try reader.decimals("credit")
        let (taken, exposures) = (try reader.integers("taken"), try reader.integers("exposures"))
        let dates = try reader.integers("date")
        let rejectedIndices = Set(try reader.rejectedIndices())
        var rows: [AnswerRow?] = []
        rows.reserveCapacity(count)
        var date: Int64 = 0
        for index in 0..<count {
            date &+= dates[index]
            let parts = question[index]
            let row = AnswerRow(
                bank: bank[index], session: session[index], question: parts[0],
                domain: parts.count > 2 ? parts[2] : nil, version: parts[1],
                options: options[index],
                isCorrect: correct[index] == 1, credit: credits[index],
                rating: rating.flatMap { $0[index] == 0 ? nil : $0[index] },
                takenMilliseconds: taken[index], exposuresBefore: exposures[index],
                mode: mode[index], isRandomlySelected: random[index] == 1, milliseconds: date)
            rows.append(rejectedIndices.contains(index) || !row.isValid ? nil : row)
        }
        self.rows = rows
        span = AnswerSpan(
            client: ClientID(try object.id("client")), first: first, count: count)
    }
}

/// A reader of one object's columns, all of the same length.
private struct ColumnReader {
    let object: WireObject
    let count: Int

    private func mismatch(_ key: String) -> WireError {
        WireError(object.place(key), "does not describe \(count) rows")
    }

    func runs(_ key: String) throws(WireError) -> [String] {
        let nodes = try object.array(key) ?? []
        var result: [String] = []
        for index in stride(from: 0, to: nodes.count - 1, by: 2) {
            guard case .string(let text) = nodes[index].content,
                case .integer(let length) = nodes[index + 1].content,
                length > 0, length <= count - result.count
            else { throw mismatch(key) }
            result += repeatElement(text, count: length)
        }
        guard result.count == count else { throw mismatch(key) }
        return result
    }

    /// Reads a dictionary-encoded column of lists of texts.
    func lists(_ key: String) throws(WireError) -> [[String]] {
        guard let column = try object.object(key), let names = try column.array("names"),
            let at = try column.array("at"), at.count == count
        else { throw mismatch(key) }
        var lists: [[String]] = []
        for node in names {
            guard case .array(let nodes) = node.content else { throw mismatch(key) }
            var texts: [String] = []
            for node in nodes {
                guard case .string(let text) = node.content else { throw mismatch(key) }
                texts.append(text)
            }
            lists.append(texts)
        }
        var result: [[String]] = []
        result.reserveCapacity(count)
        for node in at {
            guard case .integer(let place) = node.content, lists.indices.contains(place) else {
                throw mismatch(key)
            }
            result.append(lists[place])
        }
        return result
    }

    func digits(_ key: String) throws(WireError) -> [Int] {
        let text = try object.requiredText(key)
        let digits = text.utf8.map { Int($0) - 0x30 }
        guard digits.count == count, digits.allSatisfy({ (0...9).contains($0) }) else {
            throw mismatch(key)
        }
        return digits
    }

    func integers(_ key: String) throws(WireError) -> [Int64] {
        guard let nodes = try object.array(key), nodes.count == count else { throw mismatch(key) }
        var result: [Int64] = []
        result.reserveCapacity(count)
        for node in nodes {
            guard case .integer(let value) = node.content else { throw mismatch(key) }
            result.append(Int64(value))
        }
        return result
    }

    /// Reads the sparse values of a column; `nil` where the other columns decide.
    func decimals(_ key: String) throws(WireError) -> [Double?] {
        var result = [Double?](repeating: nil, count: count)
        guard let column = try object.object(key) else { return result }
        for name in column.keys {
            guard let index = Int(name), result.indices.contains(index) else { throw mismatch(key) }
            switch column.node(name)?.content {
            case .decimal(let value): result[index] = value
            case .integer(let value): result[index] = Double(value)
            default: throw mismatch(key)
            }
        }
        return result
    }

    func rejectedIndices() throws(WireError) -> [Int] {
        var result: [Int] = []
        for node in try object.array("void") ?? [] {
            guard case .integer(let index) = node.content else { throw mismatch("void") }
            result.append(index)
        }
        return result
    }
}
