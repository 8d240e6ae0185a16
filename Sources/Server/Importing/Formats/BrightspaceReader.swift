import ContentModel

/// A reader of the table that Brightspace imports: rows below `NewQuestion`, each with the name of a part.
enum BrightspaceReader {
    static func read(_ text: String, file: String) throws(ImportError) -> ImportedDrafts {
        var result = ImportedDrafts()
        var scanner = CSVScanner(Array(text.utf8), separator: UInt8(ascii: ","))
        var block: Block?
        while let row = scanner.next() {
            if let line = scanner.openQuoteLine {
                throw ImportError(file, .syntax, "has a quote on line \(line) that never ends")
            }
            let cells = row.fields.map { String(decoding: $0, as: UTF8.self).trimmed }
            let name = cells[0].lowercased()
            if name.hasPrefix("//") || cells.allSatisfy(\.isEmpty) { continue }
            if name == "newquestion" {
                block?.close(into: &result)
                block = Block(type: cells.count > 1 ? cells[1].uppercased() : "", line: row.line)
            } else if block == nil {
                result.note(
                    "line \(row.line)", .unreadText, "a row above the first NewQuestion is not read"
                )
            } else {
                block?.add(name, Array(cells.dropFirst()))
            }
        }
        block?.close(into: &result)
        return result
    }

    /// The rows of one question.
    private struct Block {
        let type: String
        private let line: Int
        private var draft: QuestionDraft
        private var weights: [Double] = []
        private var problem: SkipReason?

        init(type: String, line: Int) {
            self.type = type
            self.line = line
            draft = QuestionDraft(place: "line \(line)", type: .singleChoice, stem: "")
        }

        mutating func add(_ name: String, _ cells: [String]) {
            func cell(_ index: Int) -> String { cells.indices.contains(index) ? cells[index] : "" }
            func text(_ index: Int) -> MarkupText {
                cell(index + 1).uppercased() == "HTML"
                    ? MarkupText(cell(index), readsTeX: true) : MarkupText(plain: cell(index))
            }
            switch name {
            case "id": draft.name = cell(0)
            case "questiontext":
                let content = text(0)
                draft.stem = content.text
                draft.image = draft.takeMedia(of: content, shown: draft.image)
            case "image":
                if !cell(0).isEmpty { draft.image = cell(0) }
            case "difficulty": draft.difficulty = Int(cell(0))
            case "feedback": draft.explanation = text(0).text
            case "hint":
                if !cell(0).isEmpty { draft.note(.textLost, "the hint \"\(cell(0))\" is not kept") }
            case "option": addOption(cell(0), text(1), feedback: text(3).text)
            case "true", "false":
                addOption(
                    cell(0), MarkupText(plain: name == "true" ? "True" : "False"),
                    feedback: text(1).text)
            case "item": addOption("100", text(0), feedback: text(2).text)
            case "title", "points", "scoring": break
            default:
                problem =
                    problem ?? SkipReason(.syntax, "its row \"\(name.prefix(60))\" is not known")
            }
        }

        private mutating func addOption(_ weight: String, _ content: MarkupText, feedback: String) {
            guard let weight = Double(weight) else {
                problem =
                    problem
                    ?? SkipReason(
                        .syntax, "an option has \"\(weight.prefix(60))\" in place of its points")
                return
            }
            weights.append(weight)
            draft.noteMedia(of: content)
            draft.options.append(
                .init(text: content.text, feedback: feedback.isEmpty ? nil : feedback))
        }

        func close(into result: inout ImportedDrafts) {
            let place = "line \(line)"
            guard ["MC", "TF", "MS", "O"].contains(type) else {
                return result.skip(
                    place, .typeUnsupported,
                    "questions of the type \"\(type.prefix(60))\" are not supported")
            }
            if let problem { return result.skip(place, problem) }
            var draft = draft
            let best = weights.max() ?? 0
            guard best > 0 else { return result.skip(place, .keyNone, "no option has points") }
            for (index, weight) in weights.enumerated() {
                draft.options[index].isRight = type == "MS" ? weight > 0 : weight == best
                guard weight > 0, weight < best else { continue }
                draft.note(
                    .partialCredit,
                    "the part of \(weight) for \"\(draft.options[index].text)\" is not kept")
            }
            if type == "O" {
                draft.type = .ordering
                draft.order = Array(draft.options.indices)
            } else {
                guard type == "MS" || draft.key.count == 1 else {
                    return result.skip(
                        place, .keyDisagrees, "one answer is allowed, and several have all points")
                }
                draft.type = type == "MS" ? .multiChoice : .singleChoice
                draft.shufflesOptions = type != "TF"
            }
            result.add(draft)
        }
    }
}
