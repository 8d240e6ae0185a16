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

    /// The numbers of the key, from which ``KeyNumbering`` decides for the whole file.
    var keyNumbers: KeyNumbers? {
        let named = namedOptions()
        let options = named.map(\.option)
        let names = named.map(\.name)
        guard let key = value("correct"), !options.isEmpty,
            options.count <= ContentLimits.optionsMax
        else { return nil }
        let marks: [JSONValue]
        switch key {
        case .array(let values): marks = values
        case .string: marks = text(key).map { Self.marks($0, options).map(JSONValue.string) } ?? []
        default: marks = [key]
        }
        return KeyNumbers(
            marks: marks.compactMap { mark in
                switch mark {
                case .integer(let number):
                    .init(
                        number: Int(number),
                        isNamed: name(String(number), names) != nil,
                        isText: false, isQuoted: false)
                case .string(let text):
                    Int(text).map { number in
                        .init(
                            number: number, isNamed: name(text, names) != nil,
                            isText: options.contains { $0.text == text }, isQuoted: true)
                    }
                default: nil
                }
            }, optionCount: options.count, areNumbered: hasNumberedColumns)
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

    /// Returns the option of a number in a text, by what the numbers of the file are.
    private func place(
        of mark: String, in options: [QuestionDraft.Option], _ names: [String?]
    ) -> Result<Int, SkipReason> {
        let text = options.firstIndex { $0.text == mark }
        let place =
            name(mark, names).map { .success($0) } ?? index(of: Int(mark) ?? -1, in: options)
        switch numbering.meaning {
        case .places: return place
        case .texts:
            return text.map { .success($0) }
                ?? .failure(SkipReason("its key \"\(mark)\" is the text of no option"))
        case .open:
            guard let text else { return place }
            guard case .success(let other) = place, other != text else { return .success(text) }
            return .failure(
                SkipReason(
                    "its key \"\(mark)\" is the number of one option and the text of another;"
                        + " --keys-from 0 or --keys-from 1 takes it for a number"))
        }
    }

    private func index(
        of number: Int, in options: [QuestionDraft.Option]
    ) -> Result<Int, SkipReason> {
        if hasNumberedColumns {
            return .failure(SkipReason("its key \(number) names no option that has a text"))
        }
        let index = number.subtractingReportingOverflow(numbering.first)
        guard !index.overflow, options.indices.contains(index.partialValue) else {
            return .failure(
                SkipReason(
                    "its key \(number) names no option; the \(options.count) options count from \(numbering.first)"
                        + " (--keys-from changes that)"))
        }
        return .success(index.partialValue)
    }

    private func index(
        of quoted: String, in options: [QuestionDraft.Option], _ names: [String?]
    ) -> Result<Int, SkipReason> {
        if Int(quoted) != nil { return place(of: quoted, in: options, names) }
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
