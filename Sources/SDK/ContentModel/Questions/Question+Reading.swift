extension Question {
    /// Parses a question and checks it separately.
    ///
    /// - Parameters:
    ///   - node: The question.
    ///   - form: The form of its texts unless it declares one, as its bank declares it.
    ///   - report: The report that collects problems.
    /// - Returns: `nil` when it is unusable; the report has every reason. An author's question whose texts are the
    ///   same in both forms is `plain`, so a declared form changes the versions of other questions only.
    package static func read(
        _ node: DocumentNode, form: TextForm = .plain, report: DecodingReport
    ) -> Question? {
        let errorsBefore = report.errorCount
        guard let reader = ObjectReader(node, as: .question, report: report) else { return nil }
        let id = readID(reader)
        let type: QuestionType? = reader.requiredNode("type").flatMap { _ in
            reader.value(
                "type", of: .questionTypes, "one of \(report.names(of: .questionTypes))")
        }
        let difficulty = readDifficulty(reader)
        let stem = readStem(reader)
        let (options, key) = readAnswers(reader, type: type)
        let declared = readTextForm(reader)
        var question = Question(
            id: id ?? "", type: type ?? .singleChoice, domain: reader.string("domain"),
            difficulty: difficulty ?? 1, stem: stem ?? "", code: readCode(reader, type: type),
            image: readMediaName(reader), audio: QuestionAudio.read(reader), options: options,
            key: key ?? .options([]),
            explanation: readExplanation(reader), tags: reader.strings("tags") ?? [],
            shufflesOptions: reader.bool("shuffle") ?? true,
            isRetired: reader.bool("retired") ?? false)
        let own = declared ?? form
        question.textForm = report.strictness == .authored ? question.leastForm(own) : own
        guard report.errorCount == errorsBefore else { return nil }
        report.lint { question.lint(reader, declared: own) }
        return question
    }

    /// Reads the options and the key.
    private static func readAnswers(
        _ reader: ObjectReader, type: QuestionType?
    ) -> ([QuestionOption], QuestionKey?) {
        switch type {
        case .numericEntry:
            reader.reportForeign(["options", "correct", "shuffle"], to: .numericEntry)
            return ([], NumericKey.read(reader).map(QuestionKey.number))
        case .singleChoice, .multiChoice, .ordering, .codeSnippet, nil:
            if let type { reader.reportForeign(["number"], to: type) }
            let options = readOptions(reader)
            let key = readKey(reader, type: type, optionCount: options?.count ?? 0)
            return (options ?? [], key.map(QuestionKey.options))
        }
    }

    static func readID(_ reader: ObjectReader) -> String? {
        reader.requiredNode("id").flatMap { _ in
            reader.value("id", "1 to 64 letters, digits, '-', '_' or '.'") {
                Identifier.isValid($0) ? $0 : nil
            }
        }
    }

    /// Reads the form of texts of a question or a bank; `nil` if none is declared.
    static func readTextForm(_ reader: ObjectReader) -> TextForm? {
        reader.value("text", of: .textForms, "plain or \(reader.report.names(of: .textForms))")
    }

    /// Reads the name of an image or another file, which must be a safe path.
    static func readMediaName(_ reader: ObjectReader, _ field: String = "image") -> String? {
        guard let node = reader.node(field), let name = reader.string(field) else { return nil }
        guard ContentPath(name) != nil else {
            reader.report.note(
                .unsafePath, at: node.position, "\"\(name)\" is not a safe file name")
            return nil
        }
        return name
    }

    private static func readDifficulty(_ reader: ObjectReader) -> Int? {
        guard let node = reader.requiredNode("difficulty"),
            let difficulty = reader.integer("difficulty")
        else { return nil }
        if !(1...5).contains(difficulty) {
            reader.report.note(
                .difficultyRange, at: node.position,
                "the difficulty is \(difficulty), but must be from 1 to 5")
        }
        return difficulty
    }

    private static func readStem(_ reader: ObjectReader) -> String? {
        guard let node = reader.requiredNode("stem"), let stem = reader.string("stem") else {
            return nil
        }
        if stem.isBlank { reader.report.note(.stemBlank, at: node.position, "the stem is blank") }
        reader.checkLength(stem, of: "stem", at: node.position)
        return stem
    }

    private static func readExplanation(_ reader: ObjectReader) -> String? {
        guard let node = reader.node("explanation"), let text = reader.string("explanation") else {
            return nil
        }
        reader.checkLength(text, of: "explanation", at: node.position)
        return text
    }

    private static func readCode(_ reader: ObjectReader, type: QuestionType?) -> CodeSnippet? {
        guard let node = reader.node("code") else {
            if type?.needsCode == true { _ = reader.requiredNode("code") }
            return nil
        }
        guard
            let code = ObjectReader(node, as: .code, report: reader.report),
            let language = code.requiredString("language"), let text = code.requiredString("text")
        else { return nil }
        reader.checkLength(text, of: "code", at: node.position)
        return CodeSnippet(language: language, text: text)
    }

    private static func readOptions(_ reader: ObjectReader) -> [QuestionOption]? {
        guard let list = reader.requiredNode("options"), let nodes = reader.array("options") else {
            return nil
        }
        let limit = reader.report.limit(.options)
        if nodes.count < 2 || nodes.count > limit {
            reader.report.note(
                .optionCount, at: list.position,
                "a question needs 2 to \(limit) options, this has \(nodes.count)")
        }
        // A search is faster than hashing for the few options of a question.
        var ids: [String] = []
        var texts: [String] = []
        var written: [String] = []
        return nodes.compactMap { node -> QuestionOption? in
            guard let option = readOption(node, report: reader.report) else { return nil }
            if ids.contains(option.id) {
                reader.report.note(
                    .optionDuplicate, at: node.position,
                    "the option id \"\(option.id)\" stands here twice")
            }
            ids.append(option.id)
            let key = option.text.normalizedForComparison + "\u{0}" + (option.image ?? "")
            if texts.contains(key) {
                let alike = zip(texts, written).filter { $0.0 == key }.map(\.1)
                noteAlike(option, alike, reader.report, at: node.position)
            }
            texts.append(key)
            written.append(option.text)
            return option
        }
    }

    /// Reports an option whose text is that of others apart from case and spaces.
    private static func noteAlike(
        _ option: QuestionOption, _ others: [String], _ report: DecodingReport,
        at position: SourcePosition
    ) {
        let text = option.text.singleSpaced
        guard !others.contains(where: { $0.singleSpaced == text }) else {
            return report.note(
                .optionDuplicate, at: position, "the option \"\(option.text)\" stands here twice")
        }
        report.lint {
            report.note(
                .optionCase, at: position,
                "the options \"\(others[0])\" and \"\(option.text)\" differ in case only")
        }
    }

    private static func readOption(
        _ node: DocumentNode, report: DecodingReport
    ) -> QuestionOption? {
        guard let reader = ObjectReader(node, as: .option, report: report) else {
            return nil
        }
        let id = readID(reader)
        let image = readMediaName(reader)
        let written = reader.string("text")
        let text = written ?? ""
        reader.checkLength(text, of: "option", at: node.position)
        if text.isBlank, image == nil, written != nil || reader.node("text") == nil {
            report.note(.optionBlank, at: node.position, "the option has no text and no image")
        }
        guard let id else { return nil }
        return QuestionOption(
            id: id, text: text, image: image, isPinned: reader.bool("pinned") ?? false,
            feedback: readFeedback(reader))
    }
}

extension Question {
    private static func readFeedback(_ reader: ObjectReader) -> String? {
        guard let node = reader.node("feedback"), let text = reader.string("feedback") else {
            return nil
        }
        reader.checkLength(text, of: "feedback", at: node.position)
        return text
    }

    private static func readKey(
        _ reader: ObjectReader, type: QuestionType?, optionCount: Int
    ) -> [Int]? {
        guard let list = reader.node("correct") else {
            reader.report.note(.keyMissing, at: reader.position, "the question has no key")
            return nil
        }
        guard case .array(let nodes) = list.content else {
            reader.report.note(
                .wrongType, at: list.position,
                "\"correct\" must be a list of places counted from 0, as [0] for the first option;"
                    + " found \(list.kindName)")
            return nil
        }
        if nodes.isEmpty {
            reader.report.note(.keyMissing, at: list.position, "the key is empty")
            return nil
        }
        let key = nodes.compactMap { keyIndex($0, optionCount: optionCount, reader.report) }
        guard key.count == nodes.count else { return nil }
        if Set(key).count < key.count {
            reader.report.note(.keyDuplicate, at: list.position, "the key names an option twice")
        } else if let type, let message = countProblem(key, type, optionCount) {
            reader.report.note(.keyCount, at: list.position, message)
        }
        return key
    }

    private static func keyIndex(
        _ node: DocumentNode, optionCount: Int, _ report: DecodingReport
    ) -> Int? {
        guard case .integer(let index) = node.content else {
            report.note(
                .wrongType, at: node.position,
                "\"correct\" lists the places of options counted from 0, found \(node.kindName)")
            return nil
        }
        guard (0..<optionCount).contains(index) else {
            report.note(
                .keyOutOfRange, at: node.position,
                "the key names option \(index), but there are \(optionCount) options")
            return nil
        }
        return index
    }

    private static func countProblem(
        _ key: [Int], _ type: QuestionType, _ optionCount: Int
    ) -> String? {
        switch type {
        case .singleChoice, .codeSnippet:
            key.count == 1 ? nil : "\(type.rawValue) has one right option, the key \(key.count)"
        case .ordering:
            key.count == optionCount
                ? nil : "the key orders \(key.count) of \(optionCount) options"
        case .multiChoice, .numericEntry: nil
        }
    }
}

extension ObjectReader {
    /// Reports to an author the fields that a type of question does not use.
    func reportForeign(_ keys: [String], to type: QuestionType) {
        report.lint {
            for key in keys {
                guard let node = node(key) else { continue }
                report.note(
                    .unknownField, at: node.position,
                    "the field \"\(key)\" says nothing about a question of the type"
                        + " \"\(type.rawValue)\"",
                    hint: "Remove it, or change the type of the question.")
            }
        }
    }

    func checkLength(_ text: String, of name: String, at position: SourcePosition) {
        report.lint {
            guard text.utf8.contains(0) else { return }
            report.note(
                .invalidValue, at: position,
                "the \(name) contains U+0000, which no database can store",
                hint: "Remove the character.")
        }
        let limit = report.limit(.textBytes)
        guard text.utf8.count > limit else { return }
        report.note(
            .limitExceeded, at: position,
            "the \(name) has \(text.utf8.count) bytes, at most \(limit) are allowed")
    }
}

extension String {
    /// True when the text has no visible character.
    var isBlank: Bool {
        if let first = utf8.first, (0x21...0x7E).contains(first) { return false }
        return unicodeScalars.allSatisfy {
            $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint
        }
    }
}
