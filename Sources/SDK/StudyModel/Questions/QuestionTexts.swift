import Foundation
import Synchronization
import Underway

/// The searched texts of a bank: of each question the stem, the code, the options and the id, folded.
struct QuestionTexts: Sendable {
    /// The maximum number of words of a search; more are ignored.
    static let wordsMax = 8

    /// The folded texts, in the order of the bank's questions.
    private let texts: [[CChar]]

    init(_ questions: [Question]) {
        texts = questions.map { question in
            let shown = ([question.stem] + question.options.map(\.text)).map { text in
                question.textForm == .plain ? text : question.richText(text).plainText
            }
            let parts = shown + [question.code?.text ?? "", question.id]
            return Self.folded(parts.joined(separator: "\n"))
        }
    }

    /// Returns the indices of the questions with all words of a search, in order; all of them for no word.
    ///
    /// Cost: O(length of the texts) a word.
    func indices(of search: String) -> [Int] {
        let words = search.split(whereSeparator: \.isWhitespace).prefix(Self.wordsMax)
            .map { Self.folded(String($0)) }
        guard !words.isEmpty else { return Array(texts.indices) }
        return texts.indices.filter { index in
            words.allSatisfy { strstr(texts[index], $0) != nil }
        }
    }

    /// Returns a text without differences of case, accents and width, in UTF-8 with a zero byte at its end.
    static func folded(_ text: String) -> [CChar] {
        var bytes = Array(text.utf8CString)
        guard bytes.allSatisfy({ $0 >= 0 }) else {
            let folded = text.folding(
                options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            return Array(folded.utf8CString)
        }
        for index in bytes.indices where (0x41...0x5A).contains(bytes[index]) {
            bytes[index] += 0x20
        }
        return bytes
    }
}

/// The searched texts of the banks that were searched last, each folded once for its release.
public final class QuestionTextCache: Sendable {
    /// All that the texts depend on.
    struct Key: Sendable, Hashable {
        var bank: QuestionFilter.Bank
        var version: String
        var freshness: ContentFreshness
        var questionCount: Int
    }

    /// The number of banks that are kept at most.
    static let countMax = 4

    private let entries = Mutex<[(key: Key, texts: QuestionTexts)]>([])

    /// Creates an empty cache.
    public init() {}

    /// Returns the texts of a bank, from memory or by folding them.
    func texts(of found: Fresh<Blueprint>, _ bank: QuestionFilter.Bank) -> QuestionTexts {
        let questions = found.value.questions
        let key = Key(
            bank: bank, version: found.value.version, freshness: found.freshness,
            questionCount: questions.count)
        if let known = entries.withLock({ $0.first { $0.key == key }?.texts }) { return known }
        let texts = QuestionTexts(questions)
        entries.withLock { entries in
            entries.removeAll { $0.key.bank == bank }
            entries.append((key, texts))
            entries.removeFirst(max(0, entries.count - Self.countMax))
        }
        return texts
    }
}
