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
        let marks = marks(key, options)
        guard !marks.isEmpty else { return .failure("its key is empty") }
        if let fit = fit(key, marks, options, names) {
            let shown = shown(key)
            switch readings.decide(fit) {
            case .options(let order): return .success(order)
            case .unknown: return .failure(SkipReason("its key \"\(shown)\" names no option"))
            case .stray:
                return .failure(
                    SkipReason("its key \"\(shown)\" is read otherwise than all others of the file")
                )
            case .open:
                return .failure(
                    SkipReason(
                        "its key \"\(shown)\" is the letter of one option and the text of another;"
                            + " --keys letters or --keys texts says which", isOpenKey: true))
            }
        }
        var order: [Int] = []
        for mark in marks {
            switch index(of: mark, in: options, names) {
            case .success(let index): order.append(index)
            case .failure(let reason): return .failure(reason)
            }
        }
        return .success(order)
    }

    private func marks(_ key: JSONValue, _ options: [QuestionDraft.Option]) -> [JSONValue] {
        switch key {
        case .array(let values): values
        case .string: text(key).map { Self.marks($0, options).map(JSONValue.string) } ?? []
        default: [key]
        }
    }

    private func shown(_ key: JSONValue) -> String {
        if case .array(let values) = key { return values.compactMap(text).joined(separator: ", ") }
        return text(key) ?? ""
    }

    /// The readings of each key of the record that is a text, from which ``KeyReadings`` decides for the whole file.
    var keyFits: [KeyReadings.Fit] {
        let named = namedOptions()
        guard !named.isEmpty, named.count <= ContentLimits.optionsMax,
            !named.contains(where: { $0.option.isRight })
        else { return [] }
        let (options, names) = (named.map(\.option), named.map(\.name))
        return fieldNames("correct").compactMap { field in
            guard let key = fields[field], key != .null, key != "" else { return nil }
            let fit = fit(key, marks(key, options), options, names)
            return fit?.isEmpty == true ? nil : fit
        }
    }

    /// Returns what a key names in each reading; `nil` where it is, or has, a number.
    private func fit(
        _ key: JSONValue, _ marks: [JSONValue], _ options: [QuestionDraft.Option],
        _ names: [String?]
    ) -> KeyReadings.Fit? {
        let texts = marks.compactMap { mark in
            if case .string = mark { text(mark).map(Self.withoutQuotes) } else { nil }
        }
        guard !texts.isEmpty, texts.count == marks.count, !texts.contains(where: { Int($0) != nil })
        else { return nil }
        let parts: [String]
        if case .array = key {
            parts = texts
        } else {
            parts = [Self.withoutQuotes(text(key) ?? "")]
        }
        var fit: KeyReadings.Fit = [:]
        fit[.texts] =
            places(parts) { place(ofText: $0, in: options) }
            ?? places(texts) { place(ofText: $0, in: options) }
        let areLetters = Self.areLetters(names)
        let named = places(texts) { name($0, names) }
        if areLetters {
            fit[.letters] = named ?? joinedNames(parts, names)
        } else {
            fit[.names] = named
            fit[.letters] = letters(parts, options)
        }
        return fit
    }

    /// Returns whether options are named by the first letters of the alphabet, in any order.
    private static func areLetters(_ names: [String?]) -> Bool {
        let letters = (0..<min(names.count, 26)).map { String(UnicodeScalar(UInt8(97 + $0))) }
        return names.count <= 26 && Set(names.compactMap { $0?.lowercased() }) == Set(letters)
    }

    /// Returns the options of joined letters where the options are named by letters.
    private func joinedNames(_ parts: [String], _ names: [String?]) -> [Int]? {
        guard parts.count == 1,
            let letters = OptionLetters.indices(of: parts[0], count: 26)
        else { return nil }
        return places(letters.map { String(UnicodeScalar(UInt8(97 + $0))) }) { name($0, names) }
    }

    private func letters(
        _ parts: [String], _ options: [QuestionDraft.Option]
    ) -> [Int]? {
        if parts.count == 1 {
            if let letters = OptionLetters.indices(of: parts[0], count: options.count) {
                return letters
            }
            // "B. Iron", where option B is "Iron".
            return options.indices.first { index in
                OptionLetters.text(of: parts[0], at: index).map { $0 == options[index].text }
                    ?? false
            }.map { [$0] }
        }
        return places(parts) { OptionLetters.indices(of: $0, count: options.count)?.first }
    }

    private func place(ofText text: String, in options: [QuestionDraft.Option]) -> Int? {
        options.firstIndex { $0.text == text }
            ?? options.indices.first {
                OptionLetters.text(of: options[$0].text, at: $0) == text
            }
    }

    /// Returns the option of each part, all different; `nil` if a part has none.
    private func places(_ parts: [String], _ place: (String) -> Int?) -> [Int]? {
        let found = parts.map(place)
        guard !found.isEmpty, !found.contains(nil) else { return nil }
        let places = found.compactMap(\.self)
        return Set(places).count == places.count ? places : nil
    }

    /// Removes the quotation marks that word processors put around a letter.
    private static func withoutQuotes(_ text: String) -> String {
        let bare = text.filter { !"“”„«»\"".contains($0) }
        return bare.count == 1 ? bare : text
    }

    /// The numbers of the key, from which ``KeyNumbering`` decides for the whole file.
    var keyNumbers: KeyNumbers? {
        let named = namedOptions()
        let options = named.map(\.option)
        let names = named.map(\.name)
        guard let key = value("correct"), !options.isEmpty,
            options.count <= ContentLimits.optionsMax
        else { return nil }
        let marks = marks(key, options)
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
                        + " --keys from-0 or --keys from-1 takes it for a number"))
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
                        + " (--keys from-0 or from-1 changes that)"))
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
