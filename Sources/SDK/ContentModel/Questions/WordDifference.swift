/// The shortest difference of two texts by words, from their longest common subsequence.
///
/// ```swift
/// let difference = WordDifference(from: "A big boat.", to: "A small boat.")
/// print(difference.runs.map(\.text))
/// ```
public struct WordDifference: Sendable, Hashable {
    /// Consecutive words that were all added, removed or unchanged.
    public struct Run: Sendable, Hashable {
        /// The kind of change of words.
        public enum Kind: Sendable, Hashable {
            case same, removed, added
        }

        /// The text with its spaces.
        public var text: String
        /// The kind of change.
        public var kind: Kind
    }

    /// The maximum number of pairs of words that are compared; longer texts count as replaced.
    static let pairsMax = 4_000_000

    /// The runs in order: those not added form the former text, those not removed the present one.
    public private(set) var runs: [Run] = []

    /// Creates the difference of two texts.
    public init(from former: String, to present: String) {
        let (old, new) = (Self.words(former), Self.words(present))
        let head = zip(old, new).prefix { $0 == $1 }.count
        let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed())
            .prefix { $0 == $1 }.count
        add(old.prefix(head), .same)
        compare(old[head..<(old.count - tail)], new[head..<(new.count - tail)])
        add(old.suffix(tail), .same)
    }

    /// Splits a text before each word: a word includes the spaces after it, and other characters are separate.
    ///
    /// Letters of scripts without spaces are words of their own.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var isOpen = false
        for character in text {
            if character.isWhitespace, !words.isEmpty {
                words[words.count - 1].append(character)
                isOpen = false
            } else if isOpen, character.isJoined {
                words[words.count - 1].append(character)
            } else {
                words.append(String(character))
                isOpen = character.isJoined
            }
        }
        return words
    }

    private mutating func compare(_ old: ArraySlice<String>, _ new: ArraySlice<String>) {
        guard old.count * new.count <= Self.pairsMax else {
            add(old, .removed)
            add(new, .added)
            return
        }
        let lengths = Self.commonLengths(Array(old), Array(new))
        var (row, column) = (0, 0)
        while row < old.count || column < new.count {
            let (left, right) = (old.dropFirst(row).first, new.dropFirst(column).first)
            if let left, left == right {
                add([left], .same)
                (row, column) = (row + 1, column + 1)
            } else if let left,
                right == nil || lengths[row + 1][column] >= lengths[row][column + 1]
            {
                add([left], .removed)
                row += 1
            } else if let right {
                add([right], .added)
                column += 1
            }
        }
    }

    /// Returns the lengths of the longest common subsequences of all ends of both lists.
    private static func commonLengths(_ old: [String], _ new: [String]) -> [[Int32]] {
        var lengths = [[Int32]](
            repeating: [Int32](repeating: 0, count: new.count + 1), count: old.count + 1)
        for row in old.indices.reversed() {
            for column in new.indices.reversed() {
                lengths[row][column] =
                    old[row] == new[column]
                    ? lengths[row + 1][column + 1] + 1
                    : max(lengths[row + 1][column], lengths[row][column + 1])
            }
        }
        return lengths
    }

    private mutating func add(_ words: some Sequence<String>, _ kind: Run.Kind) {
        let text = words.joined()
        guard !text.isEmpty else { return }
        if runs.last?.kind == kind {
            runs[runs.count - 1].text += text
        } else {
            runs.append(Run(text: text, kind: kind))
        }
    }
}

extension Character {
    /// True for a letter, digit or mark that belongs to the word before it.
    fileprivate var isJoined: Bool {
        guard isLetter || isNumber || self == "_" || self == "'" || self == "’" else {
            return false
        }
        guard let first = unicodeScalars.first else { return false }
        // Kana, ideographs and Thai are written without spaces.
        return switch first.value {
        case 0x0E00...0x0EFF, 0x3040...0x30FF, 0x3400...0x9FFF, 0x20000...0x3FFFF: false
        default: true
        }
    }
}
