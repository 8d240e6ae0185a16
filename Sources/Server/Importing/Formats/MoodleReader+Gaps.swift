import ContentModel

/// Types of Moodle that have no type here, but become questions that do.
extension MoodleReader {
    /// Reads a text with one gap: a choice or a number.
    ///
    /// - Returns: The reason that there is none.
    static func readGap(_ question: XMLElement, _ draft: inout QuestionDraft) -> SkipReason? {
        let element = question.child("questiontext")
        let raw = (element?.child("text") ?? element)?.text ?? ""
        let gaps = closed(raw).matches(of: Pattern.gap)
        guard let gap = gaps.first, gaps.count == 1 else {
            return gaps.isEmpty
                ? SkipReason(.optionsMissing, "it has no gap")
                : SkipReason(
                    .typeUnsupported,
                    "a text with \(gaps.count) gaps is not supported, only with one")
        }
        draft.stem =
            MarkupText(
                raw.replacingCharacters(gap.range, with: XMLElement.gapText), readsTeX: true
            ).text
        let answers = GapAnswer.answers(String(gap.2))
        switch gap.1 {
        case "MULTICHOICE", "MC", "MCV", "MCH", "MCS", "MCVS", "MCHS", "MULTICHOICE_V",
            "MULTICHOICE_H", "MULTICHOICE_S", "MULTICHOICE_VS", "MULTICHOICE_HS":
            return readChoice(answers, isSingle: true, &draft)
        case let name where name.hasPrefix("MULTIRESPONSE") || name.hasPrefix("MR"):
            return readChoice(answers, isSingle: false, &draft)
        case "NUMERICAL", "NM":
            return readNumber(answers, &draft)
        default:
            return readNumberOfWords(
                answers.map { ($0.text, $0.weight) }, &draft)
        }
    }

    /// Returns a text up to its last brace that closes: what opens behind it is sought to the end again and again.
    private static func closed(_ text: String) -> Substring {
        var end = text.startIndex
        var isEscaped = false
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if byte == UInt8(ascii: "}"), !isEscaped { end = text.utf8.index(after: index) }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return text[..<end]
    }

    private static func readChoice(
        _ answers: [GapAnswer], isSingle: Bool, _ draft: inout QuestionDraft
    ) -> SkipReason? {
        for answer in answers {
            let isRight = isSingle ? answer.weight >= 99.9 : answer.weight > 0
            draft.options.append(
                .init(
                    text: answer.text, isRight: isRight,
                    feedback: answer.feedback.isEmpty ? nil : answer.feedback))
            if answer.weight > 0, !isRight {
                draft.note(
                    .partialCredit,
                    "the part of \(answer.weight) % for \"\(answer.text)\" is not kept")
            }
        }
        guard !isSingle || draft.key.count < 2 else {
            return SkipReason(
                .keySeveral, "several answers of its gap earn all points, of which one is enough")
        }
        draft.type = isSingle ? .singleChoice : .multiChoice
        return nil
    }

    private static func readNumber(
        _ answers: [GapAnswer], _ draft: inout QuestionDraft
    ) -> SkipReason? {
        let right = answers.filter { $0.weight >= 99.9 }
        guard right.count == 1, let first = right.first else {
            return SkipReason(
                right.isEmpty ? .keyNone : .keySeveral,
                "its gap has \(right.count) right numbers; one is supported")
        }
        let parts = first.text.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
        guard let value = parts.first.flatMap({ DecimalNumber($0) }),
            let tolerance = DecimalNumber(parts.count > 1 ? parts[1] : "0")
        else { return SkipReason(.keyUnknown, "\"\(first.text)\" is no number") }
        draft.type = .numericEntry
        draft.number = NumericKey(.value(value, .absolute(tolerance)))
        for answer in answers where answer.weight > 0 && answer.weight < 99.9 {
            draft.note(
                .partialCredit, "the part of \(answer.weight) % for \"\(answer.text)\" is not kept")
        }
        return nil
    }

    /// Reads a short answer whose right answers are one number.
    static func readShortAnswer(_ question: XMLElement, _ draft: inout QuestionDraft) -> SkipReason?
    {
        let answers = question.children.filter { $0.name == "answer" }
        return readNumberOfWords(answers.map { (text($0).text, fraction($0)) }, &draft)
    }

    private static func readNumberOfWords(
        _ answers: [(text: String, weight: Double)], _ draft: inout QuestionDraft
    ) -> SkipReason? {
        let right = answers.filter { $0.weight >= 99.9 }.map(\.text)
        let numbers = right.map { DecimalNumber($0) }
        guard let first = numbers.first, let value = first,
            numbers.allSatisfy({ $0 == value })
        else {
            let names = right.prefix(10).map { "\"\($0.prefix(60))\"" }.joined(separator: ", ")
            return SkipReason(
                .typeUnsupported, "short answers in words are not supported; right are \(names)")
        }
        draft.type = .numericEntry
        draft.number = NumericKey(.value(value, .absolute(0)))
        draft.note(.numberEntry, "the short answer is a number, and became a number to enter")
        for answer in answers where answer.weight > 0 && answer.weight < 99.9 {
            draft.note(
                .partialCredit, "the part of \(answer.weight) % for \"\(answer.text)\" is not kept")
        }
        return nil
    }

    /// Returns a question for each row of a matching: its text, and the answers of all rows as options.
    static func rows(of question: XMLElement, _ whole: QuestionDraft) -> Result<
        [QuestionDraft], SkipReason
    > {
        var rows: [(text: String, answer: String)] = []
        for row in question.children where row.name == "subquestion" {
            let content = text(row)
            guard content.images.isEmpty else {
                return .failure(
                    SkipReason(.typeUnsupported, "a row of the matching shows an image"))
            }
            let answer = row.child("answer").map { text($0).text } ?? ""
            guard !answer.isEmpty else {
                return .failure(SkipReason(.optionsMissing, "a row of the matching has no answer"))
            }
            rows.append((content.text, answer))
        }
        var seen: Set<String> = []
        let answers = rows.map(\.answer).filter { seen.insert($0).inserted }
        guard answers.count <= ContentLimits.optionsMax else {
            let reason =
                "the matching has \(answers.count) answers; \(ContentLimits.optionsMax) are allowed"
            return .failure(SkipReason(.limit, reason))
        }
        // A row that stands there twice asks the same.
        var answered: [String: String] = [:]
        var asked: [(text: String, answer: String)] = []
        for row in rows where !row.text.isEmpty && answered[row.text] != row.answer {
            guard answered.updateValue(row.answer, forKey: row.text) == nil else {
                let text = row.text.prefix(60)
                return .failure(
                    SkipReason(
                        .keyDisagrees,
                        "two rows of the matching have the text \"\(text)\" and other answers"))
            }
            asked.append(row)
        }
        guard !asked.isEmpty, answers.count > 1 else {
            return .failure(
                SkipReason(
                    .optionsMissing,
                    "the matching has fewer than two answers, or no row with a text"))
        }
        return .success(
            asked.enumerated().map { index, row in
                var draft = whole
                draft.whole = question.line
                draft.stem = [whole.stem, row.text].filter { !$0.isEmpty }.joined(separator: "\n")
                draft.options = answers.map { .init(text: $0, isRight: $0 == row.answer) }
                draft.type = .singleChoice
                if index > 0 { draft.name = nil }
                if index == 0 {
                    draft.note(
                        .matchingSplit,
                        "the matching became \(asked.count) questions, one for each of its rows")
                }
                return draft
            })
    }
}

/// An answer of a gap in Moodle's notation: `=Iron#Yes.`, `~%50%Carbon`.
private struct GapAnswer {
    var text: String
    /// The points in percent.
    var weight = 0.0
    var feedback = ""

    static func answers(_ notation: String) -> [GapAnswer] {
        var parts = [""]
        var isEscaped = false
        for character in notation {
            if isEscaped {
                // What a backslash does not protect here has both.
                parts[parts.count - 1] +=
                    ("~=#%}{\"/\\".contains(character) ? "\\" : "") + String(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "~" {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.map(GapAnswer.init).filter { !$0.text.isEmpty }
    }

    private init(_ notation: String) {
        var rest = notation.trimmed[...]
        if rest.first == "=" {
            weight = 100
            rest = rest.dropFirst()
        } else if let match = rest.prefixMatch(of: Pattern.gapWeight) {
            weight = Double(match.1) ?? 0
            rest = rest[match.range.upperBound...]
        }
        let sides = Self.split(rest)
        text = MarkupText(sides.text, readsTeX: true).text
        feedback = MarkupText(sides.feedback, readsTeX: true).text
    }

    /// Parts an answer from its feedback, and removes the backslashes.
    private static func split(_ notation: Substring) -> (text: String, feedback: String) {
        var sides = ["", ""]
        var side = 0
        var isEscaped = false
        for character in notation {
            if isEscaped {
                sides[side].append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "#", side == 0 {
                side = 1
            } else {
                sides[side].append(character)
            }
        }
        return (sides[0].trimmed, sides[1].trimmed)
    }
}

extension String {
    fileprivate func replacingCharacters(_ range: Range<Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
