import ContentModel

/// The parts of one question in GIFT.
struct GIFTQuestion {
    enum Outcome {
        case draft(QuestionDraft)
        case skip(String)
    }

    /// An answer with its marks parsed.
    private struct Answer {
        var isRight: Bool
        var weight: Double?
        var text: String
        var feedback: String?
    }

    private let place: String
    private let tags: [String]
    private let id: String?
    private var name: String?
    private var isHTML = false
    private var stem: Substring
    private var answers: Substring?
    private var tail: Substring = ""

    init(_ body: Substring, tags: [String], id: String?, place: String) {
        self.place = place
        self.tags = tags
        self.id = id
        var rest = body.drop { $0.isWhitespace }
        if rest.hasPrefix("::"), let end = Self.index(of: "::", in: rest.dropFirst(2)) {
            name = Self.unescaped(rest.dropFirst(2)[..<end])
            rest = rest[rest.index(end, offsetBy: 2)...].drop { $0.isWhitespace }
        }
        isHTML = Self.isMarkedHTML(&rest) ?? MarkupText.looksLikeMarkup(rest)
        stem = rest
        guard let open = Self.index(of: "{", in: rest) else { return }
        stem = rest[..<open]
        let inner = rest[rest.index(after: open)...]
        guard let close = Self.index(of: "}", in: inner) else { return }
        answers = inner[..<close]
        tail = inner[inner.index(after: close)...]
    }

    /// Returns the index of the first mark that is not escaped by a backslash.
    private static func index(of mark: String, in text: Substring) -> Substring.Index? {
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == "\\" {
                index = text.index(index, offsetBy: 2, limitedBy: text.endIndex) ?? text.endIndex
                continue
            }
            if text[index...].hasPrefix(mark) { return index }
            index = text.index(after: index)
        }
        return nil
    }

    /// Removes a mark of the text's format, such as `[html]`, and returns whether the text is HTML;
    /// `nil` without a mark.
    private static func isMarkedHTML(_ text: inout Substring) -> Bool? {
        let bare = text.drop { $0.isWhitespace }
        for format in ["html", "moodle", "plain", "markdown"] where bare.hasPrefix("[\(format)]") {
            text = bare.dropFirst(format.count + 2)
            return format == "html" || (format == "moodle" && MarkupText.looksLikeMarkup(text))
        }
        return nil
    }

    /// Resolves the escapes of GIFT; a backslash before any other character stays, as in TeX.
    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                if character == "n" {
                    result.append("\n")
                } else if "~=#{}:\\".contains(character) {
                    result.append(character)
                } else {
                    result.append("\\")
                    result.append(character)
                }
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        if isEscaped { result.append("\\") }
        return result.trimmed
    }

    /// Returns readable text: by its own mark of format, else in the format of the question.
    private func plain(_ text: Substring) -> String {
        var rest = text
        let isHTML = Self.isMarkedHTML(&rest) ?? isHTML
        return isHTML ? MarkupText.plain(Self.unescaped(rest)) : Self.unescaped(rest)
    }

    func draft() -> Outcome {
        guard let answers else {
            return .skip("it has no answers in braces; descriptions are not questions")
        }
        if Self.index(of: "{", in: answers) != nil { return .skip("its braces do not match") }
        if Self.index(of: "{", in: tail) != nil {
            return .skip("it has several pairs of braces; write each gap as a question of its own")
        }
        var question = plain(stem)
        let after = plain(tail)
        if let first = after.first, after != "." {
            let gap = first.isPunctuation ? "_____" : "_____ "
            question += (question.isEmpty ? "" : " ") + gap + after
        }
        var body = answers
        var general: String?
        if let mark = Self.index(of: "####", in: body) {
            general = plain(body[body.index(mark, offsetBy: 4)...])
            body = body[..<mark]
        }
        var outcome = draft(question, body)
        if case .draft(var draft) = outcome {
            draft.name = id ?? name
            draft.explanation = general
            draft.apply(marks: tags)
            outcome = .draft(draft)
        }
        return outcome
    }

    private func draft(_ stem: String, _ body: Substring) -> Outcome {
        let bare = String(body).trimmed
        if bare.isEmpty { return .skip("essays cannot be graded") }
        if bare.hasPrefix("#") { return number(stem, Substring(bare).dropFirst()) }
        if let first = bare.first, "TtFf".contains(first),
            let truth = bare.wholeMatch(of: /(?i)(TRUE|FALSE|T|F)\s*(?:#([^#]*))?(?:#([^#]*))?/)
        {
            let isTrue = truth.1.uppercased().hasPrefix("T")
            var draft = QuestionDraft(place: place, type: .singleChoice, stem: stem)
            draft.options = [
                .init(text: "True", isRight: isTrue), .init(text: "False", isRight: !isTrue),
            ]
            draft.options[isTrue ? 1 : 0].feedback = truth.2.map { plain($0) }
            draft.options[isTrue ? 0 : 1].feedback = truth.3.map { plain($0) }
            draft.shufflesOptions = false
            return .draft(draft)
        }
        let answers = answers(body)
        guard !answers.isEmpty else { return .skip("its answers have neither = nor ~") }
        if answers.contains(where: { $0.isRight && Self.index(of: "->", in: $0.text[...]) != nil })
        {
            return matching(stem, answers)
        }
        return choice(stem, answers)
    }

    /// Splits at each `=` and `~` that starts an answer.
    private func answers(_ body: Substring) -> [Answer] {
        var answers: [Answer] = []
        var rest = body
        while let start = Self.start(in: rest) {
            let isRight = rest[start] == "="
            let text = rest[rest.index(after: start)...]
            let end = Self.start(in: text) ?? text.endIndex
            answers.append(answer(isRight, text[..<end]))
            rest = text[end...]
        }
        return answers
    }

    private static func start(in text: Substring) -> Substring.Index? {
        var isEscaped = false
        for index in text.indices {
            if isEscaped {
                isEscaped = false
            } else if text[index] == "\\" {
                isEscaped = true
            } else if text[index] == "=" || text[index] == "~" {
                return index
            }
        }
        return nil
    }

    private func answer(_ isRight: Bool, _ text: Substring) -> Answer {
        var body = text.drop { $0.isWhitespace }
        var weight: Double?
        if body.first == "%", let mark = body.prefixMatch(of: /%(-?[0-9.]+)%/) {
            weight = Double(mark.1)
            body = body[mark.range.upperBound...]
        }
        var feedback: String?
        if let hash = Self.index(of: "#", in: body) {
            feedback = plain(body[body.index(after: hash)...])
            body = body[..<hash]
        }
        // A matching pair stays escaped until it is split.
        let isPair = isRight && Self.index(of: "->", in: body) != nil
        return Answer(
            isRight: isRight, weight: weight, text: isPair ? String(body) : plain(body),
            feedback: feedback)
    }

    /// Reads `3.14`, `3.14:0.01` or `3..4`, alone or as answers with weights.
    private func number(_ stem: String, _ body: Substring) -> Outcome {
        let answers = Self.start(in: body) == nil ? [answer(true, body)] : answers(body)
        let right = answers.filter { $0.isRight && $0.weight ?? 100 >= 99.9 }
        guard let first = right.first else { return .skip("it has no right number") }
        guard right.count == 1 else { return .skip("several right numbers are not supported") }
        guard let key = NumericKey(notation: first.text) else {
            return .skip("\"\(first.text)\" is no number")
        }
        var draft = QuestionDraft(place: place, type: .numericEntry, stem: stem)
        draft.number = key
        for answer in answers {
            if answer.isRight, let weight = answer.weight, weight > 0, weight < 99.9 {
                draft.notes.append("the part of \(weight) % for \"\(answer.text)\" is not kept")
            }
            if let feedback = answer.feedback, !feedback.isEmpty {
                draft.notes.append("the feedback \"\(feedback)\" is not kept")
            }
        }
        return .draft(draft)
    }

    private func choice(_ stem: String, _ answers: [Answer]) -> Outcome {
        guard answers.contains(where: { !$0.isRight }) else {
            return .skip("short answers are not supported")
        }
        var draft = QuestionDraft(place: place, type: .singleChoice, stem: stem)
        let hasOneRight = answers.contains(where: \.isRight)
        for answer in answers {
            let isRight = answer.isRight || (!hasOneRight && (answer.weight ?? 0) > 0)
            draft.options.append(
                .init(text: answer.text, isRight: isRight, feedback: answer.feedback))
            if hasOneRight, !answer.isRight, let weight = answer.weight, weight > 0 {
                draft.notes.append("the part of \(weight) % for \"\(answer.text)\" is not kept")
            }
        }
        draft.chooseTypeByKey()
        if !hasOneRight { draft.type = .multiChoice }
        return .draft(draft)
    }

    /// Reads pairs; those with the left sides 1, 2, 3 … are an order.
    private func matching(_ stem: String, _ answers: [Answer]) -> Outcome {
        var pairs: [(Int, String)] = []
        for answer in answers {
            guard let arrow = Self.index(of: "->", in: answer.text[...]) else {
                return .skip("matching questions are not supported")
            }
            let left = plain(answer.text[..<arrow])
            let right = plain(answer.text[answer.text.index(arrow, offsetBy: 2)...])
            guard let number = Int(left) else {
                return .skip("matching questions are not supported")
            }
            pairs.append((number, right))
        }
        guard pairs.map(\.0).sorted() == Array(1...pairs.count) else {
            return .skip("matching questions are not supported")
        }
        var draft = QuestionDraft(place: place, type: .ordering, stem: stem)
        draft.options = pairs.map { .init(text: $0.1) }
        draft.order = pairs.indices.sorted { pairs[$0].0 < pairs[$1].0 }
        return .draft(draft)
    }
}
