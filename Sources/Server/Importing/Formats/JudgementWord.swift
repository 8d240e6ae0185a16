/// The words and signs for true and false in twelve languages.
enum JudgementWord {
    private static let trueWords: Set = [
        "true", "t", "wahr", "richtig", "vrai", "verdadero", "vero", "verdadeiro", "waar", "juist",
        "prawda", "верно", "правда", "doğru", "对", "對", "正确", "正確", "正しい", "正", "○", "〇", "참",
        "صحيح", "صح", "√", "✓", "✔",
    ]
    private static let falseWords: Set = [
        "false", "f", "falsch", "faux", "falso", "onwaar", "onjuist", "fałsz", "неверно", "ложь",
        "yanlış", "错", "錯", "错误", "錯誤", "誤り", "誤", "거짓", "خطأ", "×", "✗", "✘",
    ]

    /// Returns what a word says; `nil` for any other text.
    static func truth(of text: String) -> Bool? {
        guard text.utf8.count <= 40 else { return nil }
        // An emoji has a mark of its form behind the sign.
        let word = text.trimmed.lowercased().filter { $0 != "\u{FE0F}" }
        let bare = word.hasSuffix(".") ? String(word.dropLast()) : word
        return trueWords.contains(bare) ? true : falseWords.contains(bare) ? false : nil
    }

    /// Returns whether a text is a single letter, which may also name an option.
    static func isLetter(_ text: String) -> Bool {
        text.trimmed.utf8.count == 1
    }
}
