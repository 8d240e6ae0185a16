import ContentModel

/// A reader of Respondus' text: numbered questions with lettered options, of which `*` marks the right ones, or a list of
/// answers at the end.
enum RespondusReader {
    static func read(_ text: String) -> ImportedDrafts {
        var result = ImportedDrafts()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated().map { (text: String($1).trimmed, number: $0 + 1) }
        let title = lines.lastIndex { $0.text.wholeMatch(of: Pattern.answerListTitle) != nil }
        var answers = Answers()
        if let title {
            for line in lines[(title + 1)...] where !line.text.isEmpty {
                answers.add(line, &result)
            }
        }
        var block = Block()
        for line in lines[..<(title ?? lines.count)] {
            guard let next = block.add(line.text, line.number) else { continue }
            block.close(answers, into: &result)
            block = next
        }
        block.close(answers, into: &result)
        return result
    }

    /// Returns whether a text has numbered questions with lettered options, and one with a star or a list of answers.
    static func isShown(in text: String) -> Bool {
        var (hasNumber, hasOption, hasKey) = (false, false, false)
        for line in text.split(separator: "\n") where line.utf8.count < 2_000 {
            let line = String(line).trimmed
            if line.wholeMatch(of: Pattern.answerListTitle) != nil { hasKey = true }
            if line.wholeMatch(of: Pattern.numberedLine) != nil { hasNumber = true }
            guard hasNumber, let match = line.wholeMatch(of: Pattern.starredOption) else {
                continue
            }
            hasOption = true
            if !match.1.isEmpty { hasKey = true }
        }
        return hasNumber && hasOption && hasKey
    }

    /// The list of answers at the end; `nil` where the file has none.
    private struct Answers {
        private(set) var isGiven = false
        private var keys: [Int: String] = [:]
        private var repeated: Set<Int> = []

        mutating func add(_ line: (text: String, number: Int), _ result: inout ImportedDrafts) {
            isGiven = true
            guard let match = line.text.wholeMatch(of: Pattern.numberedLine),
                let number = Int(match.1)
            else {
                result.note(
                    "line \(line.number)", .unreadText,
                    "the line is no answer of the list and is not read")
                return
            }
            if keys.updateValue(String(match.2), forKey: number) != nil { repeated.insert(number) }
        }

        func key(_ number: Int) -> String? { repeated.contains(number) ? nil : keys[number] }
    }

    /// The lines of one question.
    private struct Block {
        private struct Option {
            var text: String
            var isMarked: Bool
            var feedback: [String] = []
        }

        private var line = 0
        private var type: String?
        private var number: Int?
        private var stem: [String] = []
        private var options: [Option] = []
        private var explanation: [String] = []
        private var isAfterBlank = false
        /// The text below a blank line below the options: the next question, if an option `a` follows.
        private var pending: [(text: String, number: Int)] = []

        /// Adds a line; returns the next question when the line begins it.
        mutating func add(_ text: String, _ number: Int) -> Block? {
            guard !text.isEmpty else {
                isAfterBlank = true
                return nil
            }
            defer { isAfterBlank = false }
            if let match = text.wholeMatch(of: Pattern.respondusField) {
                return addField(match.1.lowercased(), String(match.2), number)
            }
            if let match = text.wholeMatch(of: Pattern.numberedLine), let value = Int(match.1),
                self.number.map({ value == $0 + 1 }) ?? true
            {
                guard stem.isEmpty else {
                    var next = Block()
                    _ = next.add(text, number)
                    return next
                }
                begin(number)
                self.number = value
                stem = [String(match.2)]
            } else if let (letter, option) = Self.option(text), letter == options.count,
                !stem.isEmpty
            {
                options.append(option)
            } else if let (letter, option) = Self.option(text), letter == 0,
                let first = pending.first
            {
                var next = Block()
                next.line = first.number
                next.stem = pending.map(\.text)
                next.options = [option]
                pending = []
                return next
            } else if let mark = text.first, "~@".contains(mark) {
                addFeedback(String(text.dropFirst()).trimmed)
            } else {
                begin(number)
                addText(text, number)
            }
            return nil
        }

        private mutating func begin(_ number: Int) { if line == 0 { line = number } }

        /// Adds a line such as `Type: MA`, with which a question begins.
        private mutating func addField(_ name: String, _ value: String, _ number: Int) -> Block? {
            guard stem.isEmpty else {
                var next = Block()
                _ = next.addField(name, value, number)
                next.number = nil
                return next
            }
            begin(number)
            if name == "type" { type = value.uppercased() }
            return nil
        }

        private mutating func addText(_ text: String, _ number: Int) {
            if options.isEmpty {
                stem.append(text)
            } else if isAfterBlank || !pending.isEmpty {
                pending.append((text, number))
            } else {
                options[options.count - 1].text += "\n" + text
            }
        }

        private mutating func addFeedback(_ text: String) {
            if options.isEmpty {
                explanation.append(text)
            } else {
                options[options.count - 1].feedback.append(text)
            }
        }

        /// Returns the place and the text of an option such as `*b. Iron` or `c) Neon`.
        private static func option(_ line: String) -> (Int, Option)? {
            guard let match = line.wholeMatch(of: Pattern.starredOption),
                let letter = match.2.lowercased().utf8.first
            else { return nil }
            return (Int(letter) - 97, Option(text: String(match.3), isMarked: !match.1.isEmpty))
        }

        func close(_ answers: Answers, into result: inout ImportedDrafts) {
            guard line > 0 else { return }
            let place = "line \(line)"
            for (_, number) in pending.prefix(1) {
                result.note("line \(number)", .unreadText, "the text below the options is not read")
            }
            guard number != nil || type != nil || !options.isEmpty else {
                return result.note(
                    place, .unreadText, "the text above the first question is not read")
            }
            guard !stem.isEmpty else {
                return result.skip(place, .stemMissing, "it has a type and no question")
            }
            guard type.map({ ["MC", "MA", "MR", "TF"].contains($0) }) ?? true else {
                return result.skip(
                    place, .typeUnsupported,
                    "questions of the type \"\(type?.prefix(60) ?? "")\" are not supported")
            }
            guard !options.isEmpty else {
                return result.skip(place, .optionsMissing, "it has no options a, b … below it")
            }
            let further = options.flatMap { $0.text.split(separator: "\n").dropFirst() }
            if let label = further.map(String.init).first(where: { Self.option($0) != nil }) {
                return result.skip(place, LetteredOptions.swallowed(label))
            }
            switch key(answers) {
            case .failure(let reason): result.skip(place, reason)
            case .success(let key): result.add(draft(key, place))
            }
        }

        private func key(_ answers: Answers) -> Result<[Int], SkipReason> {
            let marked = options.indices.filter { options[$0].isMarked }
            var key = marked
            if answers.isGiven {
                let written = number.flatMap(answers.key)
                let listed = written.flatMap { OptionLetters.indices(of: $0, count: options.count) }
                if let written, listed == nil {
                    return .failure(
                        SkipReason(
                            .keyUnknown, "its answer \"\(written)\" names none of its options"))
                }
                if let listed {
                    guard marked.isEmpty || marked == listed.sorted() else {
                        return .failure(
                            SkipReason(
                                .keyDisagrees,
                                "its * and the list of answers name different options as right"))
                    }
                    key = listed
                }
            }
            guard !key.isEmpty else {
                return .failure(
                    SkipReason(
                        .keyNone,
                        answers.isGiven
                            ? "the list of answers at the end has no answer for its number"
                            : "no option has * before its letter"))
            }
            guard key.count == 1 || type != "MC" && type != "TF" else {
                return .failure(
                    SkipReason(
                        .keyDisagrees, "one answer is allowed, and several are marked as right"))
            }
            return .success(key)
        }

        private func draft(_ key: [Int], _ place: String) -> QuestionDraft {
            var draft = QuestionDraft(
                place: place, type: .singleChoice, stem: stem.joined(separator: "\n"))
            draft.options = options.enumerated().map {
                .init(
                    text: $1.text, isRight: key.contains($0),
                    feedback: $1.feedback.isEmpty ? nil : $1.feedback.joined(separator: "\n"))
            }
            draft.explanation = explanation.joined(separator: "\n")
            draft.hadLetters = true
            draft.chooseTypeByKey()
            if type == "MA" || type == "MR" { draft.type = .multiChoice }
            return draft
        }
    }
}
