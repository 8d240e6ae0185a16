extension TextMistakeFinder {
    /// Checks a paragraph or a cell, and covers its code and formulas.
    mutating func checkSpans(_ range: Range<Int>) {
        let part = Array(bytes[range])
        let tokens = InlineScanner.tokens(of: part)
        var open: [(isImage: Bool, end: Int)] = []
        for token in tokens {
            let place = range.lowerBound + token.range.lowerBound
            let end = range.lowerBound + token.range.upperBound
            switch token.kind {
            case .code: cover(place..<end)
            case .formula(let marks):
                checkFormula(place + marks..<end - marks)
                cover(place..<end)
            case .escaped: cover(place..<end, coversEscapes: false)
            case .text: checkDollars(place..<end)
            case .run: checkAsterisk(place..<end)
            case .open(let isImage): open.append((isImage, end))
            case .close:
                guard let first = open.popLast() else { continue }
                checkTarget(of: first.end..<place, isImage: first.isImage, part, range.lowerBound)
            case .lineBreak: break
            }
        }
    }

    private mutating func checkFormula(_ range: Range<Int>) {
        guard let tex = FormulaScan.tex(of: bytes[range]),
            let mistake = Formula(tex: tex, isDisplayed: false).mistake
        else { return }
        let start = bytes[range].firstIndex { !FormulaScan.isSpace($0) } ?? range.lowerBound
        let before = tex.unicodeScalars.prefix(mistake.offset).reduce(0) { $0 + UTF8.width($1) }
        note(.formula, at: min(start + before, range.upperBound), mistake.message)
    }

    private mutating func checkDollars(_ range: Range<Int>) {
        for place in range where bytes[place] == UInt8(ascii: "$") {
            guard place + 1 < bytes.count else { continue }
            let next = bytes[place + 1]
            guard next.isLetter || next.isDigit || next == UInt8(ascii: "\\") else { continue }
            note(
                .textDollar, at: place,
                "the `$` opens no formula"
            )
        }
    }

    private mutating func checkAsterisk(_ range: Range<Int>) {
        let (before, after) = (range.lowerBound - 1, range.upperBound)
        guard range.count == 1, before >= 0, after < bytes.count, bytes[before].isLetter,
            bytes[after].isLetter
        else { return }
        note(
            .textEmphasis, at: range.lowerBound,
            "a `*` between letters may begin or end emphasis")
    }

    /// Checks the target behind a closing bracket.
    private mutating func checkTarget(
        of label: Range<Int>, isImage: Bool, _ part: [UInt8], _ base: Int
    ) {
        guard let target = LinkTarget(in: part, from: label.upperBound + 1 - base) else { return }
        let place = label.upperBound + 2
        if isImage {
            if bytes[label].trimmed.isEmpty {
                note(
                    .textImage, at: label.lowerBound,
                    "the picture has no alternative text between `[` and `]`")
            } else if !target.isImageName {
                note(
                    .textImage, at: place,
                    "`\(target.text)` is no safe name of a file"
                )
            }
        } else if !target.isAddress, target.hasScheme {
            note(
                .textLink, at: place,
                "a text cannot link to `\(target.text)`, which is shown as it is typed"
            )
        }
    }
}
