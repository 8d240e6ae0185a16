import ContentModel

/// A writer of GIFT, one question after the other.
enum GIFTWriter {
    /// Returns the text of one question; a file has an empty line between two of them.
    static func text(_ question: Question) -> String {
        var marks = ExportMarks.marks(question) + question.tags
        var stem = question.stem
        if let code = question.code {
            stem += "\n" + code.text
            let lines = code.text.split(separator: "\n", omittingEmptySubsequences: false)
            marks += ["language=\(code.language)", "codeLines=\(lines.count)"]
        }
        if let share = question.relativeTolerance { marks.append("relativeTolerance=\(share)") }
        let comment = "// [id:\(question.id)]" + marks.map { " [tag:\(escapedMark($0))]" }.joined()
        var lines = [comment, "::\(question.id)::[plain]\(GIFTSyntax.escaped(stem)){"]
        switch question.key {
        case .options: lines += question.options.indices.map { "\t" + answer($0, question) }
        case .number(let key): lines.append("\t#" + number(key))
        }
        if let explanation = question.explanation { lines.append("\t####" + escaped(explanation)) }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    private static func answer(_ index: Int, _ question: Question) -> String {
        let option = question.options[index]
        let isRight = question.correct.contains(index)
        let feedback = option.feedback.map { "#" + escaped($0) } ?? ""
        switch question.type {
        case .ordering:
            let place = (question.correct.firstIndex(of: index) ?? 0) + 1
            return "=\(place) -> " + escaped(option.text)
        case .multiChoice where isRight:
            let share = 100 / Double(question.correct.count)
            let rounded = (share * 100_000).rounded() / 100_000
            return "~%\(rounded)%" + escaped(option.text) + feedback
        case .singleChoice, .multiChoice, .codeSnippet, .numericEntry:
            // A text that begins like a weight needs a weight before it.
            let weight =
                option.text.utf8.first == UInt8(ascii: "%") ? (isRight ? "%100%" : "%0%") : ""
            return (isRight ? "=" : "~") + weight + escaped(option.text) + feedback
        }
    }

    /// Returns the answer of a numeric entry; GIFT has distances and ranges, but no relative
    /// tolerance.
    private static func number(_ key: NumericKey) -> String {
        switch key.accepted {
        case .range, .value(_, .absolute): key.notation
        case .value(let value, .relative(let share)):
            "\(value):\(NumericKey.Tolerance.relative(share).distance(at: value))"
        }
    }

    /// Escapes a text in the format of its question; what would change the format, or join the character before
    /// the text, gets a mark of the format before it.
    private static func escaped(_ text: String) -> String {
        let joins = text.unicodeScalars.first?.properties.isGraphemeExtend == true
        let isMarked = joins || GIFTText(text[...]).mark != nil
        return (isMarked ? "[plain]" : "") + GIFTSyntax.escaped(text)
    }

    private static func escapedMark(_ mark: String) -> String {
        mark.replacing("\\", with: "\\\\").replacing("]", with: "\\]").replacing("\n", with: " ")
    }
}

extension Question {
    /// The relative tolerance of a numeric entry, if it has one.
    fileprivate var relativeTolerance: DecimalNumber? {
        guard case .value(_, .relative(let share)) = correctNumber?.accepted else { return nil }
        return share
    }
}
