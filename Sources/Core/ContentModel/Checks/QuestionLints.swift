extension Question {
    /// Reports what is allowed but probably a mistake, within one question.
    func lint(_ reader: ObjectReader) {
        lintSelectCount(reader)
        lintAllOfTheAbove(reader)
        lintLetterReference(reader)
    }

    private func lintSelectCount(_ reader: ObjectReader) {
        switch type {
        case .singleChoice, .codeSnippet, .ordering, .numericEntry: return
        case .multiChoice: break
        }
        guard let node = reader.node("stem"), let wanted = Self.selectCount(in: stem),
            wanted != correct.count
        else { return }
        reader.report.note(
            .selectCount, at: node.position,
            "the stem asks for \(wanted) options, the key has \(correct.count)")
    }

    /// Finds the number in "select two" or "choose 3".
    static func selectCount(in stem: String) -> Int? {
        let words = stem.lowercased().split { !$0.isLetter && !$0.isNumber }
        let numbers = ["one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6]
        for (verb, number) in zip(words, words.dropFirst())
        where ["select", "choose", "pick"].contains(String(verb)) {
            if let count = numbers[String(number)] ?? Int(number) { return count }
        }
        return nil
    }

    private func lintAllOfTheAbove(_ reader: ObjectReader) {
        guard shufflesOptions, !type.isOrder, let nodes = reader.array("options") else {
            return
        }
        for (option, node) in zip(options, nodes) where !option.isPinned {
            guard Self.namesItsPlace(option.text) else { continue }
            reader.report.note(
                .allOfTheAbove, at: node.position,
                "\"\(option.text)\" only makes sense in last place, but options are shuffled")
        }
    }

    private static func namesItsPlace(_ text: String) -> Bool {
        guard text.utf8.count >= "all of the above".utf8.count else { return false }
        let text = text.normalizedForComparison
        return ["all of the above", "none of the above", "both of the above", "any of the above"]
            .contains { text.hasPrefix($0) }
    }

    private func lintLetterReference(_ reader: ObjectReader) {
        guard let explanation, let node = reader.node("explanation"),
            let reference = Self.letterReference(in: explanation)
        else { return }
        reader.report.note(
            .letterReference, at: node.position,
            "the explanation speaks of \"\(reference)\", but options have no fixed letters")
    }

    /// Finds "option B", "answer c" or "(D)", as in explanations copied from paper.
    static func letterReference(in text: String) -> String? {
        guard hasLoneLetter(text) else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        for (word, next) in zip(words, words.dropFirst()) {
            let letter = next.filter { $0.isLetter }
            let noun = word.lowercased()
            guard ["option", "options", "answer", "answers", "choice"].contains(noun),
                letter.count == 1, let first = letter.first, "ABCDEF".contains(first)
            else { continue }
            return "\(word) \(letter)"
        }
        let marks = ["(A)", "(B)", "(C)", "(D)", "(E)"]
        return marks.first { text.contains($0) }
    }
}

extension Question {
    /// Returns whether a capital from A to F occurs by itself, which rules out most texts.
    private static func hasLoneLetter(_ text: String) -> Bool {
        var letterIsAlone = false
        var previousIsWord = false
        for byte in text.utf8 {
            let isWord = byte >= 0x80 || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
            if letterIsAlone, !isWord { return true }
            letterIsAlone = !previousIsWord && (0x41...0x46).contains(byte)
            previousIsWord = isWord
        }
        return letterIsAlone
    }
}

extension Blueprint {
    /// Reports what is probably a mistake, over all questions of a blueprint.
    ///
    /// - Parameters:
    ///   - report: The report that collects warnings.
    ///   - positions: The position of each question.
    func lint(_ report: DecodingReport, positions: [SourcePosition]) {
        lintStems(report, positions)
        lintLongestOption(report, positions)
    }

    private func lintStems(_ report: DecodingReport, _ positions: [SourcePosition]) {
        var seen: [String: String] = [:]
        for (question, position) in zip(questions, positions) {
            let key =
                question.stem.normalizedForComparison + "\u{0}" + (question.code?.text ?? "")
                + "\u{0}" + (question.image ?? "")
            if let other = seen[key] {
                report.note(
                    .duplicateStem, at: position,
                    "\"\(question.id)\" asks the same as \"\(other)\"")
            } else {
                seen[key] = question.id
            }
        }
    }

    /// Reports a bank in which a learner can score by always choosing the longest option: at
    /// least eight choice questions, and in 80 % of them the right option is by far the longest
    /// (a quarter longer than every other).
    private func lintLongestOption(_ report: DecodingReport, _ positions: [SourcePosition]) {
        let choices = zip(questions, positions).filter {
            $0.0.isPlainChoice && $0.0.options.count > 2
        }
        let telling = choices.filter { $0.0.keyIsLongest }
        guard choices.count >= 8, telling.count * 10 >= choices.count * 8,
            let position = telling.first?.1
        else { return }
        report.note(
            .longestOption, at: position,
            "in \(telling.count) of \(choices.count) questions the right option is the longest")
    }
}

extension Question {
    /// True when exactly one option is right and options differ only by their texts.
    fileprivate var isPlainChoice: Bool {
        switch type {
        case .singleChoice: true
        case .multiChoice, .ordering, .codeSnippet, .numericEntry: false
        }
    }

    fileprivate var keyIsLongest: Bool {
        guard let key = correct.first else { return false }
        let lengths = options.map(\.text.characterCount)
        let longestOther = lengths.enumerated().lazy.filter { $0.offset != key }.map(\.element)
            .max()
        return lengths[key] * 4 > (longestOther ?? 0) * 5
    }
}

extension String {
    /// `count`, without a search for character boundaries where each byte is a character.
    fileprivate var characterCount: Int {
        utf8.contains { $0 >= 0x80 || $0 == 0x0D } ? count : utf8.count
    }
}
