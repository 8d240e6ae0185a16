import ContentModel

/// Decides which marks of a document are keys, and makes drafts of its questions.
///
/// A mark is a key only if every list has it, and none at all of its options.
struct OutlineReader {
    private let questions: [OutlineQuestions.Question]
    private let marks: [OutlineLine.Mark]
    private let unit: String
    private let keys: KeyReading?
    /// The first line of a list of answers below the last question.
    private let answerList: String?

    /// - Parameters:
    ///   - lines: The lines of a document.
    ///   - unit: The word for a place, such as `line`.
    ///   - keys: The reading of answers that the user named.
    ///   - cells: The texts of its tables that are no questions.
    init(_ lines: [OutlineLine], unit: String, keys: KeyReading?, cells: [String] = []) {
        self.unit = unit
        self.keys = keys
        let all = OutlineQuestions(lines).questions
        let asks = { (question: OutlineQuestions.Question) in
            question.answer != nil
                || question.stem.last?.text.last.map { "?？؟".contains($0) } == true
                || question.options.contains { !$0.marks.isEmpty }
                || question.stem.first?.isNumbered == true
        }
        questions = all.filter(asks)
        let lists = questions.map(\.options).filter { !$0.isEmpty }
        marks = OutlineLine.Mark.allCases.filter { mark in
            !lists.isEmpty
                && lists.allSatisfy { list in
                    let count = list.count { $0.marks.contains(mark) }
                    return count > 0 && count < list.count
                }
        }
        answerList = AnswerList(lines, questions, marks: Set(marks), cells: cells).beginning
    }

    /// Adds the questions to a result.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - file: The file, for messages.
    ///   - isAlone: False where the document also has tables, whose keys the user may mean.
    /// - Throws: ``ImportError`` if the document does not show its keys.
    func read(
        into result: inout ImportedDrafts, file: String, isAlone: Bool = true
    ) throws(ImportError) {
        try checkMarks(file)
        var answers = AnswerReadings(keys)
        for question in questions {
            _ = Self.answer(question).map { answers.right($0) }
        }
        if isAlone { try answers.check(file: file) }
        answers.decide()
        for question in questions {
            let place = "\(unit) \(question.number)"
            switch draft(question, place, &answers) {
            case .success(let draft): result.add(draft)
            case .failure(let reason): result.skip(place, reason)
            }
        }
        if !marks.isEmpty {
            let names = marks.sorted().map(\.title).joined(separator: ", ")
            result.note(file, .keys, "in every list of the file the right options have \(names)")
        }
    }

    /// Refuses formats of text that may be no keys: where a list of answers says another one, and where they stand on
    /// the first option of every list.
    private func checkMarks(_ file: String) throws(ImportError) {
        for mark in marks where mark.isFormat {
            if let answerList {
                throw ImportError(
                    file, .profileOpen,
                    "has \(mark.title) in every list of options, and answers of its own at its end (\"\(answerList.prefix(60))\");"
                        + " either may be the key: delete the answers, or take away \(mark.title)")
            }
            let isFirst =
                questions.count > 2
                && questions.allSatisfy { question in
                    question.options.indices.allSatisfy {
                        question.options[$0].marks.contains(mark) == ($0 == 0)
                    }
                }
            if isFirst, questions.contains(where: { $0.answer == nil }) {
                throw ImportError(
                    file, .profileOpen,
                    "has \(mark.title) on the first option of every list and on no other, which may be the key or only a style;"
                        + " mark the right options by a star, or write \"Answer:\" below each list")
            }
        }
    }

    private func draft(
        _ question: OutlineQuestions.Question, _ place: String, _ answers: inout AnswerReadings
    ) -> Result<QuestionDraft, SkipReason> {
        let lines = question.stem + question.options + question.explanation
        if let problem = lines.lazy.compactMap(\.problem).first {
            return .failure(problem)
        }
        guard !question.options.isEmpty else {
            return .failure(
                SkipReason(.optionsMissing, "it has an answer and no list of options above it"))
        }
        let stem = question.stem.map { shown($0, isOption: false) }.joined(separator: "\n").trimmed
        guard !stem.isEmpty || question.stem.contains(where: { !$0.images.isEmpty }) else {
            return .failure(SkipReason(.stemMissing, "its list of options has no text above it"))
        }
        var key: Set<Int>?
        switch self.key(question, &answers) {
        case .failure(let reason): return .failure(reason)
        case .success(let found): key = found
        }
        guard let key else {
            return .failure(
                SkipReason(
                    .keyNone,
                    "nothing shows which of its options are right: no answer below them, and no mark that every list of the file has"
                ))
        }
        var draft = QuestionDraft(place: place, type: .singleChoice, stem: stem)
        draft.options = question.options.enumerated().map { index, line in
            .init(
                text: shown(line, isOption: true), isRight: key.contains(index),
                image: line.images.first)
        }
        draft.hadLetters = question.options.contains { $0.item?.bullet != .dot }
        draft.explanation =
            question.explanation.map { shown($0, isOption: false) }
            .joined(separator: "\n").trimmed
        let images = question.stem.flatMap(\.images)
        draft.image = images.first
        let others =
            question.options.flatMap { $0.images.dropFirst() }
            + question.explanation.flatMap(\.images)
        for name in images.dropFirst() + others {
            draft.note(.mediaLost, "the image \"\(name)\" is not kept; a question shows one")
        }
        draft.chooseTypeByKey()
        return .success(draft)
    }

    /// Returns a text without the star that is its key.
    private func shown(_ line: OutlineLine, isOption: Bool) -> String {
        isOption && marks.contains(.star) ? line.text : line.starred ?? line.text
    }

    /// Returns the options that marks and answer name, which must not disagree; `nil` for none.
    private func key(
        _ question: OutlineQuestions.Question, _ answers: inout AnswerReadings
    ) -> Result<Set<Int>?, SkipReason> {
        var facts: [(name: String, key: Set<Int>)] = marks.map { mark in
            let marked = question.options.indices.filter {
                question.options[$0].marks.contains(mark)
            }
            return (mark.title, Set(marked))
        }
        if let answer = Self.answer(question) {
            switch answers.right(answer) {
            case .success(let named): facts.append(("its answer", Set(named)))
            case .failure(let reason):
                // A mark decides between the readings of an answer that is open alone.
                guard let marked = facts.first?.key,
                    answer.fit.values.contains(where: { Set($0) == marked })
                else { return .failure(reason) }
            }
        }
        guard let first = facts.first else { return .success(nil) }
        for fact in facts.dropFirst() where fact.key != first.key {
            return .failure(
                SkipReason(
                    .keyDisagrees, "\(first.name) and \(fact.name) show different options as right")
            )
        }
        return .success(first.key)
    }

    /// Returns the answer of a question with what it may name: letters, a number of a numbered list, or a text.
    private static func answer(_ question: OutlineQuestions.Question) -> AnswerLine? {
        question.answer.map { answer in
            AnswerLine(
                answer, options: question.options.map(\.text),
                areNumbered: question.options.enumerated().allSatisfy { place, line in
                    guard case .number(let number) = line.item?.bullet else { return false }
                    return number == nil || number == place + 1
                })
        }
    }
}
