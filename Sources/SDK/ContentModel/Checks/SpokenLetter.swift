/// Finds sentences that call an option by its letter or place, as "B is correct" and "the first option is wrong" do.
enum SpokenLetter {
    /// Returns the words that name an option; `nil` if a text has none.
    ///
    /// The letter is at the start of a sentence before a judgement ("B is correct", "(b) ist falsch"). It may also be
    /// at the end of one after the word for an answer ("The correct answer is B.", "Answer: B"). A number or an ordinal
    /// needs both words ("Option 2 is correct", "Die zweite Antwort ist richtig").
    ///
    /// - Parameter text: The text. O(characters).
    /// - Returns: The words, such as "B" or "the first option".
    static func first(in text: String) -> String? {
        for sentence in text.split(whereSeparator: { ".!?;\n".contains($0) }) {
            let words = sentence.split { $0.isWhitespace || ",:()*\"“”".contains($0) }
            guard words.count > 1, words.count <= 40 else { continue }
            if let found = judged(words) ?? answered(words) { return found }
        }
        return nil
    }

    /// "B is correct", "A and C are wrong", "option 2 is right", "the first option is wrong".
    private static func judged(_ words: [Substring]) -> String? {
        guard
            let copula = words.firstIndex(where: { LintText.copulas.contains($0.lowercased()) }),
            copula > 0, copula + 1 < words.count,
            words[(copula + 1)...].prefix(3).contains(where: {
                LintText.judgements.contains($0.lowercased())
            })
        else { return nil }
        let subject = words[..<copula]
        let named = subject.filter { isLetter($0) }
        if !named.isEmpty, subject.allSatisfy({ isLetter($0) || isPart($0) }) {
            return subject.joined(separator: " ")
        }
        let isPlace = { (word: Substring) in
            LintText.ordinals.contains(word.lowercased())
                || word.utf8.count == 1 && ("1"..."9").contains(String(word))
        }
        guard subject.contains(where: isPlace), subject.contains(where: isNoun),
            subject.allSatisfy({ isPlace($0) || isPart($0) })
        else { return nil }
        return subject.joined(separator: " ")
    }

    /// "The correct answer is B", "Answer: B".
    private static func answered(_ words: [Substring]) -> String? {
        guard let last = words.last, isCapital(last), words.count <= 8,
            words.dropLast().contains(where: isNoun),
            words.dropLast().allSatisfy({
                isPart($0) || LintText.copulas.contains($0.lowercased())
                    || LintText.judgements.contains($0.lowercased())
            })
        else { return nil }
        return words.suffix(2).joined(separator: " ")
    }

    private static func isCapital(_ word: Substring) -> Bool {
        LintText.letters.contains(String(word))
    }

    /// Returns true if a word is a letter of an option, small ones only in a sentence that judges them.
    private static func isLetter(_ word: Substring) -> Bool {
        isCapital(word) || word.utf8.count == 1 && ("b"..."f").contains(String(word))
    }

    private static func isNoun(_ word: Substring) -> Bool {
        LintText.optionNouns.contains(word.lowercased())
    }

    /// Returns true for a word that may accompany the letters: an article, a noun for options, a joining word.
    private static func isPart(_ word: Substring) -> Bool {
        let small = word.lowercased()
        return LintText.optionNouns.contains(small) || LintText.joins.contains(small)
            || LintText.articles.contains(small)
    }
}
