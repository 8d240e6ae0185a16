import TestSupport

/// Texts of marks in random order.
enum RandomMarks {
    private static let marks = [
        "*", "*", "**", "***", "`", "``", "$", "$$", "[", "](https://a.b/c)", "](a.png)", "![", "]",
        "(", ")",
        "\\", "\n", "\n", "\n\n", "- ", "+ ", "1. ", "2) ", "\n- ", "\n  - ", "\n2. ", "|", "\n| ",
        "\n|---|\n",
        "\n|:-:|--:|\n", "~~~\n", "```\n", "```swift\n", " ", " ", "  ", "    ", "\t", "a", "b",
        "word", "1", "5",
        ".", "!", "か", "。", "\u{301}", "\u{A0}", "\u{202E}", "\0", "\r", "<b>", "&amp;", "_", "#",
        "{", "}",
        "\\frac{1}{2}", "{}",
    ]

    /// Returns a text of at most so many marks.
    static func text(of marksMax: Int, using random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...marksMax, using: &random))
            .map { _ in marks.randomElement(using: &random) ?? "" }.joined()
    }
}
