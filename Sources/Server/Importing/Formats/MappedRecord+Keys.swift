import ContentModel

/// The key of a record, with all of the options that it may name.
extension MappedRecord {
    /// The facts about the right options, from which ``KeyReadings`` decides for the whole file.
    var key: RecordKey {
        var key = RecordKey()
        if value("wrong") != nil, value("right") != nil { return key }
        let named = namedOptions()
        guard named.count <= ContentLimits.optionsMax else { return key }
        let fields = fieldNames("correct").filter { !isEmpty($0) }
        guard !named.isEmpty else { return judgement(fields) }
        key.options = named.map(\.option.text)
        let options = KeyOptions(named, areNumbered: hasNumberedColumns)
        key.facts = fields.compactMap { name in
            self.fields[name].flatMap { fact($0, name, options) }
        }
        if let columns = flagColumns(named) { key.facts.append(columns) }
        let right = named.indices.filter { named[$0].option.isRight }
        if !right.isEmpty {
            let texts = right.map { named[$0].option.text }.joined(separator: ", ")
            key.facts.append(
                .init(
                    name: "the flags of its options", shown: texts, fit: [.flags: right],
                    isCompared: false, isFlags: true))
        }
        return key
    }

    /// Returns the letter or number of the option of which a field such as `correct_a` says whether it is right.
    static func flaggedOption(_ field: String) -> String? {
        guard field.hasPrefix("correct_") else { return nil }
        let mark = String(field.dropFirst("correct_".count))
        return optionName(mark) == mark ? mark : nil
    }

    /// Returns what the columns beside the options say; `nil` for a record without them.
    private func flagColumns(_ named: [NamedOption]) -> RecordKey.Fact? {
        let columns = fields.keys.filter { Self.flaggedOption($0) != nil }.sorted()
        guard !columns.isEmpty, named.allSatisfy(\.isColumn) else { return nil }
        let cells = Set(columns.map { (fields[$0].flatMap(text) ?? "").lowercased() })
        // Beside other signs an x may be a cross.
        var right: [Int]? = cells.contains("x") && !cells.isSubset(of: ["x", "", "-"]) ? nil : []
        for column in columns {
            let cell = fields[column].flatMap(text) ?? ""
            guard let isRight = Self.flag(cell) else {
                right = nil
                break
            }
            guard isRight else { continue }
            let index = named.firstIndex { $0.name == Self.flaggedOption(column) }
            guard let index else {
                right = nil
                break
            }
            right?.append(index)
        }
        let isForEach = named.allSatisfy { fields["correct_" + ($0.name ?? "")] != nil }
        let shown = columns.map { fields[$0].flatMap(text) ?? "" }.joined(separator: ", ")
        let found = isForEach && right?.isEmpty == false ? right?.sorted() : nil
        return .init(
            name: "the columns \"\(columns[0])\" …", shown: shown,
            fit: [.flags: found].compactMapValues(\.self), isCompared: false, isFlags: true)
    }

    /// Returns what the cell of a flag says; `nil` for other texts.
    private static func flag(_ cell: String) -> Bool? {
        switch cell.lowercased() {
        case "1", "x", "yes", "ja", "oui", "sí", "si", "sim", "+": true
        case "0", "", "-", "no", "nein", "non", "não", "nee": false
        default: JudgementWord.truth(of: cell)
        }
    }

    private func isEmpty(_ field: String) -> Bool {
        fields[field] == nil || fields[field] == .null || fields[field] == ""
    }

    /// True when the record is a number to enter: its key is one, and nothing in it may be its options.
    var isNumber: Bool {
        guard value("options") == nil, value("wrong") == nil,
            optionColumns.allSatisfy({ isEmpty($0.column) }),
            let key = text("correct"), DecimalNumber(decimal.pointed(key)) != nil,
            unreadFields.isEmpty
        else { return false }
        // The number may be that of an option in the stem.
        return text("stem").map { !$0.contains(Pattern.firstInList) } ?? false
    }

    /// Returns the key of a record without options: true or false, or nothing.
    private func judgement(_ names: [String]) -> RecordKey {
        var key = RecordKey()
        guard !isNumber, type != .numericEntry else { return key }
        for name in names {
            guard let shown = fields[name].flatMap(text) else { continue }
            guard let isTrue = JudgementWord.truth(of: shown) else {
                key.lacksOptions = true
                continue
            }
            key.options = ["True", "False"]
            key.judgement = JudgementWord.isLetter(shown) ? .letter : .word
            key.facts.append(
                .init(
                    name: "its field \(name)", shown: shown,
                    fit: [.judgements: [isTrue ? 0 : 1]], isCompared: false))
        }
        return key
    }

    /// Returns what a field says; `nil` for an empty list.
    private func fact(_ key: JSONValue, _ name: String, _ options: KeyOptions) -> RecordKey.Fact? {
        let marks: [JSONValue]
        var parts: [String] = []
        switch key {
        case .array(let values):
            marks = values
            parts = values.compactMap(text).map(Self.withoutQuotes)
        case .string:
            guard let whole = text(key) else { return nil }
            marks = options.marks(whole).map(JSONValue.string)
            parts = [Self.withoutQuotes(whole)]
        default:
            marks = [key]
            parts = [key].compactMap(text)
        }
        let texts = marks.compactMap(text).map(Self.withoutQuotes)
        guard !marks.isEmpty, texts.count == marks.count else {
            return .init(name: "its field \(name)", shown: texts.joined(separator: ", "), fit: [:])
        }
        let isTyped = marks.allSatisfy { if case .integer = $0 { true } else { false } }
        return .init(
            name: "its field \(name)", shown: texts.joined(separator: ", "),
            fit: options.fit(texts, parts: parts, isTyped: isTyped),
            isNumber: texts.allSatisfy { Int($0) != nil })
    }

    /// Removes the quotation marks that word processors put around a letter.
    static func withoutQuotes(_ text: String) -> String {
        let bare = text.filter { !"“”„«»\"".contains($0) }
        return bare.count == 1 ? bare : text
    }
}
