extension Question {
    /// All texts with a form: the stem, the options' texts and feedback, the explanation.
    package var texts: [String] {
        [stem] + options.map(\.text) + options.compactMap(\.feedback)
            + [explanation].compactMap(\.self)
    }

    /// Returns one of the question's texts as a tree.
    public func richText(_ text: String) -> RichText { RichText(text, form: textForm) }

    /// The stem as a tree.
    public var richStem: RichText { richText(stem) }

    /// Returns the question as a file of a bank has it whose author declares a form.
    ///
    /// - Parameter form: The form of the bank.
    /// - Returns: The JSON form, which names the question's own form only where the bank's means another text.
    package func json(inBankOf form: TextForm) -> JSONValue {
        guard form != .plain, case .object(var members) = json else { return json }
        members["text"] = textForm == leastForm(form) ? nil : .string(textForm.rawValue)
        return .object(members)
    }

    /// Returns the form that a release names: `plain` when another form gives the same trees.
    func leastForm(_ declared: TextForm) -> TextForm {
        guard declared != .plain else { return .plain }
        let differs = texts.contains {
            RichText($0, form: declared) != RichText($0, form: .plain)
        }
        return differs ? declared : .plain
    }
}

extension Question {
    /// True for a text that says little in an app that shows its source: one with a formula, table, picture or block of
    /// code.
    package var hasUnreadableSource: Bool {
        texts.contains { RichText.isUnreadable(richText($0).blocks) }
    }
}

extension RichText {
    fileprivate static func isUnreadable(_ blocks: [TextBlock]) -> Bool {
        blocks.contains { block in
            switch block {
            case .code, .table: true
            case .list(_, let items): items.contains(where: isUnreadable)
            case .paragraph(let spans): spans.contains(where: isUnreadable)
            }
        }
    }

    private static func isUnreadable(_ span: TextSpan) -> Bool {
        switch span {
        case .formula, .image: true
        case .text, .code, .lineBreak: false
        case .emphasis, .strong, .link: span.children.contains(where: isUnreadable)
        }
    }
}
