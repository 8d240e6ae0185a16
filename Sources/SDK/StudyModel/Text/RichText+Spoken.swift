public import Underway

extension RichText {
    /// Returns the text as it is read aloud: without marks, its formulas in words.
    public func spokenText(_ words: StudyText) -> String {
        RichText(blocks: blocks.map { $0.spoken(words.formulaWords) }).plainText
    }

    /// Returns the text as it is read aloud if it has a formula, and `nil` for another: browsers leave the elements of
    /// MathML out of the names of controls.
    public func spokenName(_ words: StudyText) -> String? {
        let spoken = spokenText(words)
        return spoken == plainText ? nil : spoken
    }
}

extension TextBlock {
    fileprivate func spoken(_ words: FormulaWords) -> TextBlock {
        switch self {
        case .paragraph(let spans): .paragraph(spans.map { $0.spoken(words) })
        case .code: self
        case .list(let start, let items):
            .list(start: start, items.map { $0.map { $0.spoken(words) } })
        case .table(var table): Self.table(&table, words)
        }
    }

    private static func table(_ table: inout TextTable, _ words: FormulaWords) -> TextBlock {
        table.head = table.head.map { $0.map { $0.spoken(words) } }
        table.rows = table.rows.map { $0.map { $0.map { $0.spoken(words) } } }
        return .table(table)
    }
}

extension TextSpan {
    fileprivate func spoken(_ words: FormulaWords) -> TextSpan {
        switch self {
        case .text, .code, .image, .lineBreak: self
        case .emphasis(let spans): .emphasis(spans.map { $0.spoken(words) })
        case .strong(let spans): .strong(spans.map { $0.spoken(words) })
        case .link(let address, let spans): .link(address, spans.map { $0.spoken(words) })
        case .formula(let formula): .text(formula.spokenText(words))
        }
    }
}
