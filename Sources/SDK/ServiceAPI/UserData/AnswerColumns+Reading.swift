package import ContentModel
import UserData

extension AnswerColumns {
    /// Parses the columns; a row with an invalid value becomes `nil`.
    ///
    /// - Parameters:
    ///   - node: The JSON.
    ///   - path: The place of the JSON, for the error.
    /// - Throws: `WireError` when the columns do not fit each other.
    package init(_ node: DocumentNode, _ path: String = "") throws(WireError) {
        let object = try WireObject(node, path)
        let count = Int(try object.requiredNumber("count"))
        let first = try object.requiredNumber("first")
        guard (1...ServiceLimits.answersPerReplyMax).contains(count), first >= 1 else {
            throw WireError(path, "count or first is out of range")
        }
        let reader = ColumnReader(object: object, count: count)
        let (questions, questionAt) = try reader.questions()
        let (sessions, sessionAt) = try reader.sessions()
        let (responses, responseAt) = try reader.lists("options")
        let columns = try reader.numbers()
        let rejectedIndices = Set(try reader.rejectedIndices())
        let bounds = EncodedAnswers.Bounds(questions, sessions, responses)
        var rows: [EncodedAnswers.Row?] = []
        rows.reserveCapacity(count)
        for index in 0..<count {
            var place = -1
            let row = EncodedAnswers.Row(
                question: questionAt[index], session: sessionAt[index],
                response: responseAt[index]
            ) { _ in
                place += 1
                return columns[place]?[index]
            }
            rows.append(rejectedIndices.contains(index) || !bounds.isValid(row) ? nil : row)
        }
        self.init(
            span: AnswerSpan(client: ClientID(try object.id("client")), first: first, count: count),
            encoded: EncodedAnswers(
                questions: questions, sessions: sessions, responses: responses, rows: rows))
    }
}

/// A reader of the columns of one object, each of which must have the same length.
private struct ColumnReader {
    let object: WireObject
    let count: Int

    private func mismatch(_ key: String) -> WireError {
        WireError(object.place(key), "does not describe \(count) rows")
    }

    /// Each row's index into the distinct texts of a column of runs.
    func runs(_ key: String) throws(WireError) -> (texts: [String], at: [Int32]) {
        let nodes = try object.array(key) ?? []
        var texts = EncodedAnswers.Distinct<String>()
        var at: [Int32] = []
        at.reserveCapacity(count)
        for index in stride(from: 0, to: nodes.count - 1, by: 2) {
            guard case .string(let text) = nodes[index].content,
                case .integer(let length) = nodes[index + 1].content,
                length > 0, length <= count - at.count
            else { throw mismatch(key) }
            at += repeatElement(texts.index(of: text), count: length)
        }
        guard at.count == count else { throw mismatch(key) }
        return (texts.values, at)
    }

    /// The questions, each with its bank.
    func questions() throws(WireError) -> ([EncodedAnswers.Question], [Int32]) {
        let (banks, bankAt) = try runs("bank")
        let (names, nameAt) = try lists("question")
        guard names.allSatisfy({ (2...3).contains($0.count) }) else {
            throw WireError(object.place("question"), "names [question, version, domain]")
        }
        let pairs = Self.pairs(nameAt, bankAt)
        let questions = pairs.values.map { pair in
            let parts = names[Int(pair.first)]
            return EncodedAnswers.Question(
                bank: banks[Int(pair.second)], question: parts[0],
                domain: parts.count > 2 ? parts[2] : nil, version: parts[1])
        }
        return (questions, pairs.at)
    }

    /// The sessions, each with its mode.
    func sessions() throws(WireError) -> ([EncodedAnswers.Session], [Int32]) {
        let (sessions, sessionAt) = try runs("session")
        let (modes, modeAt) = try runs("mode")
        let pairs = Self.pairs(sessionAt, modeAt)
        let values = pairs.values.map { pair in
            EncodedAnswers.Session(
                session: sessions[Int(pair.first)], mode: modes[Int(pair.second)])
        }
        return (values, pairs.at)
    }

    private struct Pair: Hashable {
        var first: Int32
        var second: Int32
    }

    /// Pairs two columns, whose second seldom changes.
    private static func pairs(
        _ first: [Int32], _ second: [Int32]
    ) -> (values: [Pair], at: [Int32]) {
        var pairs = EncodedAnswers.Distinct<Pair>()
        let at = zip(first, second).map { pairs.index(of: Pair(first: $0, second: $1)) }
        return (pairs.values, at)
    }

    /// The distinct lists of texts, and each row's index into them.
    func lists(_ key: String) throws(WireError) -> (lists: [[String]], at: [Int32]) {
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
        var result: [Int32] = []
        result.reserveCapacity(count)
        for node in at {
            guard case .integer(let place) = node.content, lists.indices.contains(place) else {
                throw mismatch(key)
            }
            result.append(Int32(place))
        }
        return (lists, result)
    }

    /// The columns of numbers in the order of `AnswerField.allCases`; `nil` for a missing optional one.
    func numbers() throws(WireError) -> [[AnswerNumber?]?] {
        var result: [[AnswerNumber?]?] = []
        for field in AnswerField.allCases {
            let name = field.wire.name
            let isThere = field.isRequired || object.node(name) != nil
            result.append(isThere ? try numbers(name, field.wire.form) : nil)
        }
        return result
    }

    private func numbers(
        _ name: String, _ form: AnswerField.WireForm
    ) throws(WireError) -> [AnswerNumber?] {
        switch form {
        case .digits: try digits(name).map { .integer(Int64($0)) }
        case .integers: try integers(name).map { .integer($0) }
        case .differences: Self.sums(try integers(name))
        case .runs: try optionals(name)
        case .exceptions: try decimals(name).map { $0.map { .real($0) } }
        }
    }

    private static func sums(_ differences: [Int64]) -> [AnswerNumber?] {
        var sum: Int64 = 0
        return differences.map { difference in
            sum &+= difference
            return .integer(sum)
        }
    }

    func digits(_ key: String) throws(WireError) -> [UInt8] {
        let text = try object.requiredText(key)
        let digits = text.utf8.map { $0 &- 0x30 }
        guard digits.count == count, digits.allSatisfy({ $0 <= 9 }) else {
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

    /// The values by row, where they differ from those of the other columns.
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

    /// The values of a column of runs; `nil` for `null`.
    ///
    /// A value out of bounds makes its rows invalid.
    func optionals(_ key: String) throws(WireError) -> [AnswerNumber?] {
        let nodes = try object.array(key) ?? []
        guard nodes.count.isMultiple(of: 2) else { throw mismatch(key) }
        var result: [AnswerNumber?] = []
        result.reserveCapacity(count)
        for index in stride(from: 0, to: nodes.count - 1, by: 2) {
            guard case .integer(let length) = nodes[index + 1].content,
                length > 0, length <= count - result.count
            else { throw mismatch(key) }
            switch nodes[index].content {
            case .integer(let value):
                result += repeatElement(AnswerNumber?(.integer(Int64(value))), count: length)
            case .null: result += repeatElement(AnswerNumber?.none, count: length)
            default: throw mismatch(key)
            }
        }
        guard result.count == count else { throw mismatch(key) }
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
