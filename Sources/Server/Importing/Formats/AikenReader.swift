import ContentModel

/// A reader of Aiken: a question, options `A.` or `A)`, and a line `ANSWER: B`.
enum AikenReader {
    static func read(_ text: String) -> ImportedDrafts {
        var result = ImportedDrafts()
        var block = Block()
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            block.add(String(line).trimmed, number: index + 1)
            guard block.answer != nil else { continue }
            block.close(into: &result)
            block = Block()
        }
        block.close(into: &result)
        return result
    }

    private struct Block {
        var line = 0
        var stem: [String] = []
        var options: [(letter: Character, text: String)] = []
        var answer: String?

        mutating func add(_ line: String, number: Int) {
            if self.line == 0, !line.isEmpty { self.line = number }
            if line.prefix(7).uppercased() == "ANSWER:",
                let match = line.wholeMatch(of: /(?i)ANSWER:\s*(.*)/)
            {
                answer = String(match.1)
            } else if let mark = line.dropFirst().first, mark == "." || mark == ")",
                let match = line.wholeMatch(of: /([A-Za-z])[.)]\s+(.*)/), isNext(match.1)
            {
                options.append((Character(match.1.uppercased()), String(match.2)))
            } else if !line.isEmpty {
                if options.isEmpty {
                    stem.append(line)
                } else {
                    options[options.count - 1].text += "\n" + line
                }
            }
        }

        /// Returns whether a letter is the next one: letters come in order, so a stem that begins
        /// with a Roman numeral is not an option.
        private func isNext(_ letter: Substring) -> Bool {
            guard let value = letter.uppercased().unicodeScalars.first?.value else { return false }
            return Int(value) - 65 == options.count && !stem.isEmpty
        }

        func close(into result: inout ImportedDrafts) {
            guard line > 0 else { return }
            let place = "line \(line)"
            guard let answer else {
                return result.skip(place, "the line ANSWER: is missing")
            }
            let letters = answer.uppercased().filter { $0.isLetter }
            let isList = answer.allSatisfy { $0.isLetter || " ,;".contains($0) }
            let known = Set(options.map(\.letter))
            guard isList, !letters.isEmpty, letters.allSatisfy(known.contains) else {
                return result.skip(place, "the answer \"\(answer)\" names no option")
            }
            var draft = QuestionDraft(
                place: place, type: .singleChoice, stem: stem.joined(separator: "\n"))
            draft.options = options.map {
                .init(text: $0.text, isRight: letters.contains($0.letter))
            }
            draft.chooseTypeByKey()
            result.drafts.append(draft)
        }
    }
}
