/// Finds the number of options that a stem asks for, as "Select two" does.
enum SelectCount {
    /// Finds the number; `nil` if the stem asks for none, or for a number "or more".
    ///
    /// - Parameters:
    ///   - stem: The question's text.
    ///   - isAddressed: True to count only a sentence that begins with the verb, and not "when you select two layers".
    /// - Returns: The number, at least 0.
    static func find(in stem: String, isAddressed: Bool) -> Int? {
        if let count = japanese(stem) { return count }
        let words = words(stem)
        for (place, word) in words.enumerated()
        where isAsking(words, place, isAddressed: isAddressed) {
            if isAddressed, isStory(words, word.sentence, stem) { continue }
            var next = place + 1
            while next < words.count, LintText.fillers.contains(words[next].text) { next += 1 }
            guard next < words.count, !words[next].begins,
                let count = LintText.numbers[words[next].text] ?? Int(words[next].text)
            else { continue }
            let after = next + 1 < words.count ? words[next + 1].text : ""
            let further = next + 2 < words.count ? words[next + 2].text : ""
            // "Two of these" in English, "twee of meer" in Dutch.
            let isOrMore = LintText.orMore.contains(after) && (after != "of" || further == "meer")
            return isOrMore ? nil : count
        }
        return nil
    }

    /// Returns true if a word asks for what follows: "select", or the "which" of "which two".
    private static func isAsking(_ words: [Word], _ place: Int, isAddressed: Bool) -> Bool {
        let word = words[place]
        return (LintText.verbs.contains(word.text) || LintText.askers.contains(word.text))
            && (!isAddressed || word.begins)
    }

    /// Returns true if a sentence only introduces the question, as "Pick three cards from a deck: how likely …?" does:
    /// it is longer than an instruction, and a question follows.
    private static func isStory(_ words: [Word], _ sentence: Int, _ stem: String) -> Bool {
        guard words.count(where: { $0.sentence == sentence }) > 4,
            let last = words.last(where: { $0.sentence == sentence }), last.isAsked == false
        else { return false }
        return words.contains { $0.sentence > sentence && $0.isAsked }
    }

    /// A word in small letters.
    private struct Word {
        var text: String
        /// True for the first word of a sentence or a bracket.
        var begins: Bool
        /// The number of its sentence.
        var sentence: Int
        /// True for a word of a sentence that ends with a question mark.
        var isAsked = false
    }

    /// Returns the words in small letters, each with whether it begins a sentence or a bracket.
    private static func words(_ stem: String) -> [Word] {
        var words: [Word] = []
        var word = ""
        var begins = true
        var sentence = 0
        for character in stem {
            // "Two-phase" is one word.
            if character.isLetter || character.isNumber || character == "-" && !word.isEmpty {
                word.append(character)
                continue
            }
            if !word.isEmpty {
                let text = word.lowercased()
                words.append(Word(text: text, begins: begins, sentence: sentence))
                word = ""
                // "Please select two" is addressed too.
                begins = begins && ["please", "bitte"].contains(text)
            }
            guard ".?!:;([\n–—-؟。？！（".contains(character) else { continue }
            if "?؟？".contains(character) {
                for index in words.indices.reversed() {
                    guard words[index].sentence == sentence else { break }
                    words[index].isAsked = true
                }
            }
            begins = true
            sentence += 1
        }
        if !word.isEmpty {
            words.append(Word(text: word.lowercased(), begins: begins, sentence: sentence))
        }
        return words
    }

    private static func japanese(_ stem: String) -> Int? {
        guard stem.contains("つ"),
            let match = stem.firstMatch(of: /([2-6２-６二三四五六])つ(?:を|だけ)?(?:選|えら)/),
            let sign = match.1.first
        else { return nil }
        let signs: [Character: Int] = [
            "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "２": 2, "３": 3, "４": 4, "５": 5, "６": 6,
            "二": 2, "三": 3, "四": 4, "五": 5, "六": 6,
        ]
        return signs[sign]
    }
}
