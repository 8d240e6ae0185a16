/// Finds the number of options that a stem asks for, as "Select two" does.
enum SelectCount {
    /// Looks for the number; `nil` where the stem asks for none, or for a number "or more".
    ///
    /// - Parameters:
    ///   - stem: The question's text.
    ///   - isAddressed: Whether only a sentence that begins with the verb counts, and not "when you select two layers".
    /// - Returns: The number, at least 0.
    static func find(in stem: String, isAddressed: Bool) -> Int? {
        if let count = japanese(stem) { return count }
        let words = words(stem)
        for (place, word) in words.enumerated()
        where LintWords.verbs.contains(word.text) && (!isAddressed || word.begins) {
            var next = place + 1
            while next < words.count, LintWords.fillers.contains(words[next].text) { next += 1 }
            guard next < words.count, !words[next].begins,
                let count = LintWords.numbers[words[next].text] ?? Int(words[next].text)
            else { continue }
            let after = next + 1 < words.count ? words[next + 1].text : ""
            return LintWords.orMore.contains(after) ? nil : count
        }
        return nil
    }

    /// Returns the words in small letters, each with whether it begins a sentence or a bracket.
    private static func words(_ stem: String) -> [(text: String, begins: Bool)] {
        var words: [(text: String, begins: Bool)] = []
        var word = ""
        var begins = true
        for character in stem {
            if character.isLetter || character.isNumber {
                word.append(character)
                continue
            }
            if !word.isEmpty {
                let text = word.lowercased()
                words.append((text, begins))
                word = ""
                // "Please select two" is addressed too.
                begins = begins && ["please", "bitte"].contains(text)
            }
            if ".?!:;([\n–—-؟。？！（".contains(character) { begins = true }
        }
        if !word.isEmpty { words.append((word.lowercased(), begins)) }
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
