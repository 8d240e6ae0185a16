import ContentModel
import Foundation
import TestSupport
import Testing

/// Texts that cost the most: work grows with the size, not with its square.
@Suite(.serialized) struct HostileTextTests {
    /// Parts that are repeated, with what comes before and behind them.
    static let texts: [(first: String, part: String, last: String)] = [
        ("", "[", ""), ("", "]", ""), ("", "[a](", ""), ("", "[a](https:", ""),
        ("", "![", "](a.png)"),
        ("", "[a](https://a(", ""), ("[", "[]", "](https://a.b)"), ("", "*a ", ""), ("", "*", "a"),
        ("", "a**b", "c* "), ("", "*a **a ", ""), ("****", "a**", "b******"), ("", "$", ""),
        ("", "$a", ""),
        ("", "$$\n", ""), ("", "\\", ""), ("", "$\\$", ""), ("", "`\\`$", ""), ("", "\n", ""),
        ("a", " \\\n", "a"),
        ("", "- ", ""), ("", "- a\n+ b\n", ""), ("", "-\n\n", ""), ("- a\n", "lazy\n", ""),
        ("- a\n", "  + b\n  - c\n", ""), ("", "| a |\n|---|\n", ""), ("", "|", ""),
        ("", "~~~\n", ""), ("", "1. ", ""),
        ("", "\t", "- a"), ("", "**a*", "*"), ("", "*\\*", ""), ("", "か*。", ""),
        ("", "\u{301}", ""),
    ]

    @Test(arguments: texts.indices)
    func workGrowsWithTheSize(index: Int) {
        let (small, large) = (Self.text(index, bytes: 1_024), Self.text(index, bytes: 16_384))
        let (first, second) = (Self.seconds(for: small), Self.seconds(for: large))
        // Sixteen times the size: 16 for linear work, 256 for quadratic.
        #expect(second < 0.005 + 64 * first, "\(Self.texts[index]): \(first) s, \(second) s")
        #expect(RichText(large, form: .markdown).brokenLaw == nil)
    }

    @Test func runsOfAllLengthsAreCheap() {
        let runs = { (count: Int) in
            (1...count).map { String(repeating: "`", count: $0) }.joined(separator: "a")
        }
        let (first, second) = (Self.seconds(for: runs(43)), Self.seconds(for: runs(178)))
        #expect(second < 0.005 + 64 * first)
    }

    @Test func nestedListsAreText() {
        let lines = (0..<170).map { String(repeating: " ", count: $0) + "- a\n" }
        #expect(RichText(lines.joined(), form: .markdown).brokenLaw == nil)
    }

    private static func text(_ index: Int, bytes: Int) -> String {
        let (first, part, last) = texts[index]
        let count = (bytes - first.utf8.count - last.utf8.count) / part.utf8.count
        return first + String(repeating: part, count: count) + last
    }

    /// Returns the processor time for a text; the least of three, because other tests run beside.
    private static func seconds(for source: String) -> Double {
        ProcessorTime.seconds(runs: 3) { _ = RichText(source, form: .markdown) }
    }
}
