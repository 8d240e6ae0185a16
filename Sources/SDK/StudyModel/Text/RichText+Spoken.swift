public import Underway

extension RichText {
    /// Returns the text as it is read aloud: without marks, its formulas in words.
    public func spokenText(_ words: StudyText) -> String {
        speaking { $0.spokenText(words.formulaWords) }.plainText
    }

    /// Returns the text as it is read aloud, in one line, if it has a formula, and `nil` for another: browsers leave
    /// the elements of MathML out of the names of controls.
    public func spokenName(_ words: StudyText) -> String? {
        var hasFormula = false
        _ = speaking { _ in
            hasFormula = true
            return ""
        }
        return hasFormula ? spokenText(words).replacing("\n", with: " ") : nil
    }

    /// Returns the text with words for its formulas.
    private func speaking(_ speak: (Formula) -> String) -> RichText {
        RichText(blocks: blocks.map { $0.speaking(speak) })
    }
}

extension TextBlock {
    fileprivate func speaking(_ speak: (Formula) -> String) -> TextBlock {
        switch self {
        case .paragraph(let spans): .paragraph(spans.map { $0.speaking(speak) })
        case .code: self
        case .list(let start, let items):
            .list(start: start, items.map { $0.map { $0.speaking(speak) } })
        case .table(var table): Self.table(&table, speak)
        }
    }

    private static func table(
        _ table: inout TextTable, _ speak: (Formula) -> String
    ) -> TextBlock {
        table.head = table.head.map { $0.map { $0.speaking(speak) } }
        table.rows = table.rows.map { $0.map { $0.map { $0.speaking(speak) } } }
        return .table(table)
    }
}

extension TextSpan {
    fileprivate func speaking(_ speak: (Formula) -> String) -> TextSpan {
        switch self {
        case .text, .code, .image, .lineBreak: self
        case .emphasis(let spans): .emphasis(spans.map { $0.speaking(speak) })
        case .strong(let spans): .strong(spans.map { $0.speaking(speak) })
        case .link(let address, let spans): .link(address, spans.map { $0.speaking(speak) })
        case .formula(let formula): .text(speak(formula))
        }
    }
}
