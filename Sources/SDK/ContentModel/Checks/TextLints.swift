extension Question {
    /// Reports mistakes in the texts of a question, at the field of the text.
    func lintTexts(_ reader: ObjectReader, _ declared: TextForm) {
        let options = type == .numericEntry ? [] : reader.array("options") ?? []
        lint(stem, reader.node("stem"), reader.report, declared)
        for (option, node) in zip(self.options, options) {
            lint(option.text, node, reader.report, declared, isOption: true)
            lint(option.feedback ?? "", node, reader.report, declared)
        }
        lint(explanation ?? "", reader.node("explanation"), reader.report, declared)
        lintOptionLetters(reader)
    }

    private func lint(
        _ text: String, _ node: DocumentNode?, _ report: DecodingReport, _ form: TextForm,
        isOption: Bool = false
    ) {
        guard let node else { return }
        for mistake in TextMistake.find(in: text, form: form, isOption: isOption) {
            report.note(mistake.rule, at: node.position, mistake.message)
        }
        // The size in bytes is checked where the text is read.
        guard form == .markdown, let limit = RichText.exceededLimit(of: text), limit != .bytes
        else { return }
        report.note(
            .limitExceeded, at: node.position,
            "the text has more than \(limit.maximum) \(limit.name), so that devices show its source"
        )
    }

    private func lintOptionLetters(_ reader: ObjectReader) {
        guard shufflesOptions, !type.isOrder, let node = reader.node("options"),
            !options.contains(where: \.isPinned), OptionLetters.areNumbered(options.map(\.text))
        else { return }
        reader.report.note(
            .optionLetters, at: node.position,
            "the options begin with A, B and so on, but options are shuffled")
    }
}
