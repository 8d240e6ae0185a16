extension Blueprint {
    /// Reports what is probably a mistake, over all questions of a blueprint.
    ///
    /// - Parameters:
    ///   - report: The report that collects warnings.
    ///   - positions: The position of each question.
    ///   - earlier: The questions of the files before.
    func lint(
        _ report: DecodingReport, positions: [SourcePosition], earlier: [Question] = []
    ) {
        lintStems(report, positions, earlier)
        lintLongestOption(report, positions)
    }

    /// The maximum number of questions of one stem with which a question is compared.
    private static let alikeMax = 50

    /// Reports questions of equal stem, code and image of which at least half of the options are the same: questions
    /// such as "What does this sign mean?" differ by their options.
    private func lintStems(
        _ report: DecodingReport, _ positions: [SourcePosition], _ earlier: [Question]
    ) {
        var seen: [String: [Question]] = [:]
        for question in earlier { seen[question.askedText, default: []].append(question) }
        for (question, position) in zip(questions, positions) {
            let alike = seen[question.askedText, default: []]
            if let other = alike.prefix(Self.alikeMax).first(where: question.sharesOptions) {
                let key = question.rightTexts == other.rightTexts ? "" : ", with another key"
                report.note(
                    .duplicateStem, at: position,
                    "\"\(question.id)\" asks the same as \"\(other.id)\"\(key)")
            }
            seen[question.askedText, default: []].append(question)
        }
    }

    /// Reports a bank in which a learner can score by always choosing the longest option.
    ///
    /// It needs at least eight choice questions, and in 80 % of them the right option is a quarter longer than every
    /// other.
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

extension Question {
    /// The content of the question, for comparison.
    fileprivate var askedText: String {
        stem.normalizedForComparison.comparedLoosely + "\u{0}" + (code?.text ?? "") + "\u{0}"
            + (image ?? "")
    }

    private var optionTexts: [String] {
        options.map { $0.text.normalizedForComparison + "\u{0}" + ($0.image ?? "") }
    }

    /// The texts of the right options, in order where the order is the answer; a number has one.
    fileprivate var rightTexts: [String] {
        if let number = correctNumber { return [number.notation] }
        let texts = correct.map { optionTexts[$0] }
        return type.isOrder ? texts : texts.sorted()
    }

    /// Returns true if at least half of the options of the question with fewer are options of the other.
    fileprivate func sharesOptions(_ other: Question) -> Bool {
        let (mine, theirs) = (Set(optionTexts), Set(other.optionTexts))
        return 2 * mine.intersection(theirs).count >= min(mine.count, theirs.count)
    }
}

extension String {
    /// The text without the marks at its end and those of emphasis, and with straight apostrophes.
    fileprivate var comparedLoosely: String {
        var text = replacing("**", with: "").replacing("’", with: "'")
        while let last = text.last, last.isWhitespace || ".?!:…".contains(last) {
            text.removeLast()
        }
        return text
    }

    /// `count`, without a search for character boundaries where each byte is a character.
    fileprivate var characterCount: Int {
        utf8.contains { $0 >= 0x80 || $0 == 0x0D } ? count : utf8.count
    }
}
