import ContentModel

/// The key of a record: letters, numbers, or the texts of options.
extension MappedRecord {
    /// Marks the right options by the fields of the key, which must not disagree.
    func mark(_ draft: inout QuestionDraft, _ names: [String?]) -> SkipReason? {
        var found: (field: String, order: [Int])?
        var failure: SkipReason?
        for field in fieldNames("correct") {
            guard let key = fields[field], key != .null, key != "" else { continue }
            switch indices(key, draft.options, names) {
            case .failure(let reason): failure = failure ?? reason
            case .success(let order):
                if let found, Set(found.order) != Set(order) {
                    return SkipReason(
                        "its fields \(found.field) and \(field) name different options as right")
                }
                found = found ?? (field, order)
            }
        }
        guard let order = found?.order else { return failure ?? missing("key", as: "correct") }
        for index in order { draft.options[index].isRight = true }
        if type?.isOrder == true { draft.order = order }
        return nil
    }

    /// Returns the indices that a key names.
    private func indices(
        _ key: JSONValue, _ options: [QuestionDraft.Option], _ names: [String?]
    ) -> Result<[Int], SkipReason> {
        let marks: [JSONValue]
        switch key {
        case .array(let values): marks = values
        case .string: marks = text(key).map { Self.marks($0, options).map(JSONValue.string) } ?? []
        default: marks = [key]
        }
        guard !marks.isEmpty else { return .failure("its key is empty") }
        var order: [Int] = []
        for mark in marks {
            switch index(of: mark, in: options, names) {
            case .success(let index): order.append(index)
            case .failure(let reason): return .failure(reason)
            }
        }
        return .success(order)
    }

    /// The numbers of the key, and the number of options, from which ``KeyNumbering`` decides.
    var keyNumbers: (numbers: [Int], optionCount: Int)? {
        let named = namedOptions()
        let options = named.map(\.option)
        let names = named.map(\.name)
        guard let key = value("correct"), !options.isEmpty else { return nil }
        let marks: [JSONValue]
        switch key {
        case .array(let values): marks = values
        case .string: marks = text(key).map { Self.marks($0, options).map(JSONValue.string) } ?? []
        default: marks = [key]
        }
        let numbers = marks.compactMap { mark -> Int? in
            if case .integer(let number) = mark {
                return name(String(number), names) == nil ? Int(number) : nil
            }
            guard case .string(let text) = mark, name(text, names) == nil,
                !options.contains(where: { $0.text == text })
            else { return nil }
            return Int(text)
        }
        return (numbers, options.count)
    }

    /// Returns the option of a name such as `b` or `2`, where the options have names.
    private func name(_ mark: String, _ names: [String?]) -> Int? {
        names.firstIndex { $0?.lowercased() == mark.lowercased() }
    }

    /// Returns the option that a part of the key names.
    ///
    /// A number is an index and never the text of an option: "1" may stand in every place of "1", "2", "3".
    private func index(
        of mark: JSONValue, in options: [QuestionDraft.Option], _ names: [String?]
    ) -> Result<Int, SkipReason> {
        switch mark {
        case .integer(let number):
            // Options that are numbered in the file are named by it.
            return name(String(number), names).map { .success($0) }
                ?? index(of: Int(number), in: options)
        case .decimal, .bool, .string:
            guard let text = text(mark), !text.isEmpty else { return .failure("its key is empty") }
            return index(of: text, in: options, names)
        default: return .failure("its key is neither a letter, a number nor a text")
        }
    }

    private func index(
        of number: Int, in options: [QuestionDraft.Option]
    ) -> Result<Int, SkipReason> {
        let index = number.subtractingReportingOverflow(keysFrom)
        guard !index.overflow, options.indices.contains(index.partialValue) else {
            return .failure(
                SkipReason(
                    "its key \(number) names no option; the \(options.count) options count from \(keysFrom)"
                        + " (--keys-from changes that)"))
        }
        return .success(index.partialValue)
    }

    private func index(
        of quoted: String, in options: [QuestionDraft.Option], _ names: [String?]
    ) -> Result<Int, SkipReason> {
        // Word processors put quotation marks of their own around a letter.
        let mark = String(quoted.filter { !"“”„«»\"".contains($0) })
        for text in [quoted, mark] {
            if let index = name(text, names) { return .success(index) }
            if let index = options.firstIndex(where: { $0.text == text }) { return .success(index) }
        }
        if mark.count == 1, let letter = mark.uppercased().unicodeScalars.first, letter.isASCII,
            (65...90).contains(letter.value), options.indices.contains(Int(letter.value) - 65)
        {
            return .success(Int(letter.value) - 65)
        }
        if let number = Int(mark) { return index(of: number, in: options) }
        return .failure(SkipReason("its key \"\(mark)\" names no option"))
    }
}
