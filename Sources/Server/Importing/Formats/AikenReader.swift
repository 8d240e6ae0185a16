import ContentModel

/// A reader of Aiken: a question, options `A.` or `A)`, and a line `ANSWER: B`.
///
/// A question without its answer ends where the next one begins: at text after a blank line below
/// its options, or at text that a second option `A` follows.
enum AikenReader {
    static func read(_ text: String) -> ImportedDrafts {
        var result = ImportedDrafts()
        var block = Block()
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let bare = String(line).trimmed
            if block.answer != nil {
                // A question ends with its answer, unless a second one follows.
                guard !bare.isEmpty else {
                    block.isAfterBlank = true
                    continue
                }
                if block.takesExplanation(bare) { continue }
                if Block.isAnswer(bare) { block.hasTwoAnswers = true }
                block.close(into: &result)
                block = Block()
            }
            if let next = block.add(bare, number: index + 1) {
                block.close(into: &result)
                block = next
            }
        }
        block.close(into: &result)
        return result
    }

    /// The lines of one question.
    private struct Block {
        struct Option {
            var letter: Character
            var text: String
            /// The lines that follow the option's own, with their numbers.
            var more: [(text: String, number: Int)] = []
        }

        var line = 0
        var stem: [String] = []
        var options: [Option] = []
        var answer: String?
        var hasTwoAnswers = false
        var explanation: String?
        var isAfterBlank = false

        /// Adds a line; returns the next question when the line shows that this one was unfinished.
        mutating func add(_ line: String, number: Int) -> Block? {
            guard !line.isEmpty else {
                isAfterBlank = true
                return nil
            }
            defer { isAfterBlank = false }
            if self.line == 0 { self.line = number }
            if Self.isAnswer(line) {
                answer = String(line.dropFirst(7)).trimmed
            } else if let option = Self.option(line) {
                return add(option, line, number)
            } else {
                return addText(line, number)
            }
            return nil
        }

        /// Takes a line right below the answer as the explanation if it says that it is one.
        mutating func takesExplanation(_ line: String) -> Bool {
            guard explanation == nil, !isAfterBlank,
                let found = line.wholeMatch(of: /(?i)(?:feedback|explanation)\s*:\s*(.*)/)
            else { return false }
            explanation = String(found.1)
            return true
        }

        static func isAnswer(_ line: String) -> Bool {
            line.prefix(7).uppercased() == "ANSWER:"
        }

        private static func option(_ line: String) -> Option? {
            guard let letter = line.first, letter.isASCII, letter.isLetter,
                let mark = line.dropFirst().first, mark == "." || mark == ")",
                let next = line.dropFirst(2).first, mark == ")" || next.isWhitespace
            else { return nil }
            return Option(
                letter: Character(letter.uppercased()), text: String(line.dropFirst(2)).trimmed)
        }

        /// Adds an option if its letter is the next one: letters come in order, so a stem that
        /// begins with a Roman numeral is not an option.
        private mutating func add(_ option: Option, _ line: String, _ number: Int) -> Block? {
            if let value = option.letter.asciiValue, Int(value) - 65 == options.count,
                !stem.isEmpty
            {
                options.append(option)
                return nil
            }
            guard option.letter == "A", options.count > 1, let next = removeNextStem() else {
                return addText(line, number)
            }
            var block = next
            block.options.append(option)
            return block
        }

        /// Removes the lines below the last option, which were the stem of the next question.
        private mutating func removeNextStem() -> Block? {
            guard let last = options.last, let first = last.more.first else { return nil }
            options[options.count - 1].more = []
            return Block(line: first.number, stem: last.more.map(\.text))
        }

        private mutating func addText(_ line: String, _ number: Int) -> Block? {
            if options.isEmpty {
                stem.append(line)
            } else if isAfterBlank {
                return Block(line: number, stem: [line])
            } else {
                options[options.count - 1].more.append((line, number))
            }
            return nil
        }

        func close(into result: inout ImportedDrafts) {
            guard line > 0 else { return }
            let place = "line \(line)"
            guard let answer else {
                return result.skip(place, .keyNone, "the line ANSWER: is missing")
            }
            guard !hasTwoAnswers else {
                return result.skip(place, .keyDisagrees, "two lines ANSWER: stand below it")
            }
            let more = options.flatMap(\.more).map(\.text)
            if let label = more.first(where: { Self.option($0) != nil }) {
                return result.skip(place, LetteredOptions.swallowed(label))
            }
            guard let right = OptionLetters.indices(of: answer, count: options.count) else {
                return result.skip(place, .keyUnknown, "the answer \"\(answer)\" names no option")
            }
            var draft = QuestionDraft(
                place: place, type: .singleChoice, stem: stem.joined(separator: "\n"))
            draft.options = options.enumerated().map { index, option in
                .init(
                    text: ([option.text] + option.more.map(\.text)).joined(separator: "\n"),
                    isRight: right.contains(index))
            }
            draft.hadLetters = true
            draft.explanation = explanation.flatMap { $0.isEmpty ? nil : $0 }
            draft.chooseTypeByKey()
            result.add(draft)
        }
    }
}
