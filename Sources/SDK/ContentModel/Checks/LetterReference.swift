/// Finds references to options by letters, which the app does not show.
enum LetterReference {
    /// Finds "option B", "Antwort C", "選択肢A", or "(D)" at the start of a sentence, as in explanations copied from paper.
    static func first(in explanation: String) -> String? {
        guard mayHaveLetter(explanation) else { return nil }
        let words = explanation.split(whereSeparator: \.isWhitespace)
        for (word, next) in zip(words, words.dropFirst()) {
            let bare = word.split { "'’".contains($0) }.last ?? word
            let noun = bare.lowercased().filter(\.isLetter)
            let letter = String(next.filter(\.isLetter))
            // "Answer A is", not "answer: A car is": what follows a colon is a text.
            guard LintText.optionNouns.contains(noun), LintText.letters.contains(letter),
                word.last?.isPunctuation != true || word.last == "("
            else { continue }
            return "\(word) \(letter)"
        }
        if let match = explanation.firstMatch(of: /(?:選択肢|解答)\s?[A-Fア-オ]/) {
            return String(match.0)
        }
        let mark = explanation.firstMatch(of: /(?:^|[.!?\n]\s*)(\([A-E]\))\s+\p{Ll}+/)
        return mark.map { String($0.1) }
    }

    /// Finds what ``SpokenLetter`` does, unless the question or its options have such letters themselves.
    static func spoken(in explanation: String, of question: Question) -> String? {
        guard explanation.utf8.count <= 20_000, let found = SpokenLetter.first(in: explanation),
            question.image == nil,
            !areLabels(in: question.stem + "\n" + (question.code?.text ?? "")),
            !question.options.contains(where: { areLabels(in: $0.text) })
        else { return nil }
        return found
    }

    /// Returns the letters of an option such as "Both A and C" or "only B"; none for other texts.
    static func letters(ofOption text: String) -> [String] {
        // "O(A*B)", "B=A" and "A.B" are formulas and code.
        guard text.utf8.count <= 60, mayHaveLetter(text),
            !text.contains(where: { "*=+()`[]{}<>\\_|^~@#$%".contains($0) }),
            !text.dropLast().contains(".")
        else { return [] }
        let words = spaced(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
        var letters: [String] = []
        var joins = 0
        for word in words {
            if LintText.letters.contains(word) {
                letters.append(word)
            } else if LintText.joins.contains(word.lowercased())
                || LintText.optionNouns.contains(word.lowercased())
            {
                joins += 1
            } else {
                return []
            }
        }
        // "A A" is what a program prints.
        guard Set(letters).count == letters.count else { return [] }
        return letters.count + joins > 1 ? letters : []
    }

    /// Returns true if options consist of letters that name no option, as "A, P" beside "C, A" of four.
    static func areLettersOfTheirOwn(in options: [QuestionOption]) -> Bool {
        let ownCount = min(options.count, LintText.letters.count)
        return options.contains { option in
            let words = option.text.split { !$0.isLetter && !$0.isNumber }
            guard words.count > 1,
                words.allSatisfy({ $0.count == 1 && $0.first?.isUppercase == true })
            else { return false }
            return words.contains { !"ABCDEF".prefix(ownCount).contains($0) }
        }
    }

    /// Returns true if a text has letters of options by themselves, as a stem that labels statements or points does.
    ///
    /// An "A" before a word in small letters is an article, unless that joins it to another. Code that prints "A" has it.
    static func areLabels(in text: String) -> Bool {
        if text.contains("\""), text.contains(/"[A-F]"/) { return true }
        var words = spaced(text).split(whereSeparator: \.isWhitespace)[...]
        while let word = words.popFirst() {
            let letter = String(word.filter { $0.isLetter || $0.isNumber })
            guard LintText.letters.contains(letter), !word.contains("'") else { continue }
            let next = words.first ?? ""
            let isArticle =
                word == "A" && next.first?.isLowercase == true
                && !LintText.joins.contains(String(next))
            if !isArticle { return true }
        }
        return false
    }

    /// Parts capitals from the Japanese around them.
    private static func spaced(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.value >= 0x3000 }) else { return text }
        return text.replacing(/[A-F]/) { " \($0.output) " }
    }

    /// Rules out most texts: whether a capital from A to F, or a letter that is not Latin, occurs.
    private static func mayHaveLetter(_ text: String) -> Bool {
        text.utf8.contains { (0x41...0x46).contains($0) || $0 >= 0xD8 }
    }
}
