import ContentModel

/// Decides which marks of a document are keys, and makes drafts of its questions.
///
/// A mark is a key only if every list has it, and none at all of its options.
struct OutlineReader {
    private let questions: [OutlineQuestions.Question]
    private let keys: [OutlineLine.Mark]
    private let unit: String

    /// - Parameters:
    ///   - lines: The lines of a document.
    ///   - unit: The word for a place, such as `line`.
    init(_ lines: [OutlineLine], unit: String) {
        self.unit = unit
        let all = OutlineQuestions(lines).questions
        let asks = { (question: OutlineQuestions.Question) in
            question.answer != nil
                || question.stem.last?.text.last.map { "?？؟".contains($0) } == true
                || question.options.contains { !$0.marks.isEmpty }
                || question.stem.first?.isNumbered == true
        }
        questions = all.filter(asks)
        let lists = questions.map(\.options).filter { !$0.isEmpty }
        keys = OutlineLine.Mark.allCases.filter { mark in
            !lists.isEmpty
                && lists.allSatisfy { list in
                    let count = list.count { $0.marks.contains(mark) }
                    return count > 0 && count < list.count
                }
        }
    }

    /// Adds the questions to a result.
    func read(into result: inout ImportedDrafts, file: String) {
        for question in questions {
            let place = "\(unit) \(question.number)"
            switch draft(question, place) {
            case .success(let draft): result.add(draft)
            case .failure(let reason): result.skip(place, reason.text)
            }
        }
        if !keys.isEmpty {
            let names = keys.sorted().map(\.title).joined(separator: ", ")
            result.notes.append(
                .init(
                    place: file,
                    message: "in every list of the file the right options have \(names)"))
        }
    }

    private func draft(
        _ question: OutlineQuestions.Question, _ place: String
    ) -> Result<QuestionDraft, SkipReason> {
        let lines = question.stem + question.options + question.explanation
        if let problem = lines.lazy.compactMap(\.problem).first {
            return .failure(SkipReason(problem))
        }
        guard !question.options.isEmpty else {
            return .failure("it has an answer and no list of options above it")
        }
        let stem = question.stem.map { shown($0, isOption: false) }.joined(separator: "\n").trimmed
        guard !stem.isEmpty || question.stem.contains(where: { !$0.images.isEmpty }) else {
            return .failure("its list of options has no text above it")
        }
        var key: Set<Int>?
        switch self.key(question) {
        case .failure(let reason): return .failure(reason)
        case .success(let found): key = found
        }
        guard let key else {
            return .failure(
                "nothing shows which of its options are right: no answer below them, and no mark that every list of the file has"
            )
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
            draft.notes.append("the image \"\(name)\" is not kept; a question shows one")
        }
        draft.chooseTypeByKey()
        return .success(draft)
    }

    /// Returns a text without the star that is its key.
    private func shown(_ line: OutlineLine, isOption: Bool) -> String {
        isOption && keys.contains(.star) ? line.text : line.starred ?? line.text
    }

    /// Returns the options that marks and answer name, which must not disagree; `nil` for none.
    private func key(_ question: OutlineQuestions.Question) -> Result<Set<Int>?, SkipReason> {
        var facts: [(name: String, key: Set<Int>)] = keys.map { mark in
            let marked = question.options.indices.filter {
                question.options[$0].marks.contains(mark)
            }
            return (mark.title, Set(marked))
        }
        if let answer = question.answer {
            guard let named = Self.named(answer, question.options) else {
                return .failure(
                    SkipReason("its answer \"\(answer.prefix(60))\" names none of its options"))
            }
            facts.append(("its answer", named))
        }
        guard let first = facts.first else { return .success(nil) }
        for fact in facts.dropFirst() where fact.key != first.key {
            return .failure(
                SkipReason("\(first.name) and \(fact.name) show different options as right"))
        }
        return .success(first.key)
    }

    /// Returns the options that an answer names: letters, a number of a numbered list, or a text.
    private static func named(_ answer: String, _ options: [OutlineLine]) -> Set<Int>? {
        let plain = answer.filter { !"*_`".contains($0) }.trimmed
        let texts = options.map { $0.text.lowercased() }
        func place(ofText text: String) -> Int? {
            let bare = text.trimmed.lowercased()
            let found = texts.indices.filter { texts[$0] == bare }
            return found.count == 1 ? found.first : nil
        }
        for text in [plain, plain.last == "." ? String(plain.dropLast()) : plain] {
            if let place = place(ofText: text) { return [place] }
            let letters = OptionLetters.indices(of: text, count: options.count)
            if let letters { return Set(letters) }
            guard let match = text.wholeMatch(of: Pattern.answerWithText) else { continue }
            let mark = String(match.1)
            let index =
                Int(mark).map { $0 - 1 } ?? OptionLetters.index(of: mark, count: options.count)
            guard let index, options.indices.contains(index) else { continue }
            if Int(mark) != nil,
                !options.allSatisfy({ $0.item.map { Self.isNumber($0.bullet) } ?? false })
            {
                continue
            }
            let rest = match.2.map { String($0).trimmed } ?? ""
            if rest.isEmpty || place(ofText: rest) == index { return [index] }
        }
        return nil
    }

    private static func isNumber(_ bullet: OutlineLine.Bullet) -> Bool {
        if case .number = bullet { true } else { false }
    }
}
