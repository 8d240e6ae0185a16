extension Question {
    /// Reports mistakes in texts, and what is allowed but probably a mistake, within one question.
    ///
    /// `declared` is the form that the author declares, for the question or its bank.
    func lint(_ reader: ObjectReader, declared: TextForm) {
        lintTexts(reader, declared)
        lintSelectCount(reader)
        let nodes = type == .numericEntry ? [] : reader.array("options") ?? []
        for (option, node) in zip(options, nodes) {
            lintPlace(option, reader.report, at: node.position)
            lintLetters(option, reader.report, at: node.position)
        }
        lintExplanation(reader)
    }

    private func lintSelectCount(_ reader: ObjectReader) {
        switch type {
        case .ordering, .numericEntry: return
        case .singleChoice, .codeSnippet, .multiChoice: break
        }
        let isSingle = correct.count == 1
        guard let node = reader.node("stem"),
            let wanted = SelectCount.find(in: stem, isAddressed: isSingle),
            wanted != correct.count, (1...options.count).contains(wanted),
            !isSingle || !optionsAreLists(of: wanted)
        else { return }
        reader.report.note(
            .selectCount, at: node.position,
            "the stem asks for \(wanted) options, the key has \(correct.count)")
    }

    /// Returns true if at least half of the options list that number of things each, as "A, B and D" does.
    private func optionsAreLists(of count: Int) -> Bool {
        let lists = options.count { option in
            let parts = option.text.replacing(" and ", with: ",").replacing(" und ", with: ",")
                .split { ",;/+&\n".contains($0) }
            // "<b> <i> <u>" are three.
            let tags = option.text.split(separator: " ").filter {
                $0.first == "<" && $0.last == ">"
            }
            if tags.count == count { return true }
            return parts.count { $0.contains { $0.isLetter || $0.isNumber } } == count
        }
        return 2 * lists >= options.count
    }

    private func lintPlace(
        _ option: QuestionOption, _ report: DecodingReport, at position: SourcePosition
    ) {
        guard shufflesOptions, !type.isOrder, !option.isPinned, option.text.utf8.count <= 200
        else { return }
        let text = option.text.normalizedForComparison
        // "All of the above-ground parts" and "none of the above the line entries" speak of something else.
        guard let phrase = LintText.above.first(where: text.hasPrefix),
            !text.dropFirst(phrase.count).hasPrefix("-"),
            !text.dropFirst(phrase.count).hasPrefix(" the ")
        else { return }
        report.note(
            .allOfTheAbove, at: position,
            "\"\(option.text)\" only makes sense in last place, but options are shuffled")
    }

    private func lintLetters(
        _ option: QuestionOption, _ report: DecodingReport, at position: SourcePosition
    ) {
        let letters = LetterReference.letters(ofOption: option.text)
        // A picture, or an option that is a letter, shows that letters name something else.
        guard !letters.isEmpty, options.count > 2, image == nil,
            !options.contains(where: { LintText.letters.contains($0.text) }),
            !LetterReference.areLettersOfTheirOwn(in: options),
            !LetterReference.areLabels(in: stem + "\n" + (code?.text ?? ""))
        else { return }
        report.note(
            .letterReference, at: position,
            "the option \"\(option.text)\" speaks of letters, but options have none")
    }

    private func lintExplanation(_ reader: ObjectReader) {
        guard let explanation, let node = reader.node("explanation"),
            let reference = LetterReference.first(in: explanation)
                ?? LetterReference.spoken(in: explanation, of: self)
        else { return }
        reader.report.note(
            .letterReference, at: node.position,
            "the explanation speaks of \"\(reference)\", but options have no fixed letters or places"
        )
    }
}
