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
