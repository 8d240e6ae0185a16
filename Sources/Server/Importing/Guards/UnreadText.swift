import ContentModel

/// The text of a file that stands in no written question, found without the readers.
///
/// A unit is a line of a text, a cell of a table or a string of JSON. One with six words or more is unread if fewer
/// than a quarter of its triples of words stand in a question, a note or the reason of a skipped one.
struct UnreadText: Sendable, Hashable {
    /// A unit with its line.
    struct Unit: Sendable, Hashable {
        var line: Int
        var text: String
    }

    /// The number of units with six words or more.
    private(set) var count = 0
    /// The unread ones, in order.
    private(set) var unread: [Unit] = []

    private static let wordsMin = 6
    /// The least unread units for which a file fails, if they are more than a third of all.
    private static let unreadMin = 5

    /// Compares units with what was written.
    init(_ units: [Unit], in result: ImportResult) {
        var known: Set<UInt64> = []
        for text in Self.texts(of: result) { known.formUnion(WordTriples(text).triples) }
        for unit in units {
            let words = WordTriples(unit.text)
            guard words.count >= Self.wordsMin else { continue }
            count += 1
            let found = words.triples.count(where: known.contains)
            if found * 4 < words.triples.count { unread.append(unit) }
        }
    }

    private static func texts(of result: ImportResult) -> [String] {
        result.questions.flatMap { question in
            [question.stem, question.explanation ?? "", question.code?.text ?? "", question.id]
                + question.options.flatMap { [$0.text, $0.feedback ?? ""] } + question.tags
        } + result.notes.map(\.message) + result.skipped.map(\.reason)
    }

    /// True when so much is unread that questions must have been lost.
    var isFailure: Bool { unread.count >= Self.unreadMin && unread.count * 3 > count }

    /// Where unread text begins, and how much there is; `nil` for none.
    var shown: String? {
        guard let first = unread.first else { return nil }
        return
            "\(unread.count) of \(count) long lines or texts are in no question, the first at line \(first.line):"
            + " \"\(first.text.trimmed.prefix(80))\""
    }

    // MARK: Units

    /// Returns the units of a file, without those of skipped questions; `nil` for formats without lines.
    static func units(
        _ text: String, _ format: ImportFormat, _ drafts: ImportedDrafts
    ) -> [Unit]? {
        var units: [Unit]
        switch format {
        case .aiken, .markdown: units = lines(text)
        case .csv where drafts.profile != nil: units = cells(text, drafts)
        case .json, .jsonLines: units = strings(text, format, drafts)
        default: return nil
        }
        let skipped = Lines(drafts)
        units.removeAll { skipped.contains($0.line) }
        return units
    }

    /// Returns lines, without comments and the front matter.
    private static func lines(_ text: String) -> [Unit] {
        var units: [Unit] = []
        var isFrontMatter = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if line == "---", index == 0 || isFrontMatter {
                isFrontMatter = index == 0
                continue
            }
            let bare = line.drop { $0.isWhitespace }
            let isComment = bare.hasPrefix("<!--")
            if !isFrontMatter, !isComment {
                units.append(Unit(line: index + 1, text: String(line)))
            }
        }
        return units
    }

    /// Returns cells below the header, without those of columns that a note names.
    private static func cells(_ text: String, _ drafts: ImportedDrafts) -> [Unit] {
        let separator = Character(drafts.profile?.separator ?? ",")
        var units: [Unit] = []
        var titles: [String] = []
        var (row, line, start, cell, isQuoted) = ([Unit](), 1, 1, "", false)
        func close() {
            row.append(Unit(line: start, text: cell))
            cell = ""
        }
        for character in text {
            if character == "\n" { line += 1 }
            if character == "\"" {
                isQuoted.toggle()
            } else if isQuoted {
                cell.append(character)
            } else if character == separator {
                close()
            } else if character == "\n" {
                close()
                if titles.isEmpty {
                    titles = row.map(\.text.trimmed)
                } else {
                    units += zip(row, titles).filter { !drafts.unreadFields.contains($1) }.map(\.0)
                }
                (row, start) = ([], line)
            } else {
                cell.append(character)
            }
        }
        close()
        return units + zip(row, titles).filter { !drafts.unreadFields.contains($1) }.map(\.0)
    }

    /// Returns strings, without those of fields and lists that a note names.
    private static func strings(
        _ text: String, _ format: ImportFormat, _ drafts: ImportedDrafts
    ) -> [Unit] {
        let unread = Set((drafts.lists ?? []).filter { !$0.isRead }.map { $0.path + "[]" })
        return ListCount.strings(text).filter { found in
            !drafts.unreadFields.contains(found.key)
                && !ListCount.isInside(found.path, unread)
        }.map { Unit(line: $0.line, text: $0.text) }
    }

    /// The lines of skipped questions.
    private struct Lines {
        private var ranges: [ClosedRange<Int>] = []

        /// The most lines above a skipped question's place that belong to it.
        private static let linesAbove = 10

        init(_ drafts: ImportedDrafts) {
            func line(_ place: String) -> Int? {
                place.hasPrefix("line ") ? Int(place.dropFirst(5)) : nil
            }
            let skipped = Set(drafts.skipped.compactMap { line($0.place) })
            let places = skipped.union(drafts.drafts.compactMap { line($0.place) }).sorted()
            for (index, place) in places.enumerated() where skipped.contains(place) {
                let before = index > 0 ? places[index - 1] + 1 : 1
                let after = index + 1 < places.count ? places[index + 1] - 1 : Int.max
                ranges.append(max(before, place - Self.linesAbove)...max(after, place))
            }
        }

        func contains(_ line: Int) -> Bool {
            var (low, high) = (0, ranges.count)
            while low < high {
                let middle = (low + high) / 2
                if ranges[middle].contains(line) { return true }
                if ranges[middle].lowerBound > line { high = middle } else { low = middle + 1 }
            }
            return false
        }
    }
}

/// The triples of words of a text, as hashes; tags, entities and addresses are no words.
struct WordTriples {
    /// The number of words.
    private(set) var count = 0
    /// The triples, each once.
    private(set) var triples: Set<UInt64> = []

    private var last: (UInt64, UInt64) = (0, 0)

    init(_ text: String) {
        let bytes = Array(text.lowercased().utf8)
        var (place, hash, length) = (0, UInt64.offset, 0)
        while place <= bytes.count {
            let byte = place < bytes.count ? bytes[place] : 0x20
            if length == 0, Self.isAddress(bytes, place) {
                place = bytes[place...].firstIndex(where: Self.endsAddress) ?? bytes.count
                continue
            }
            if Self.isWord(byte), !Self.isPunctuation(bytes, place) {
                hash = (hash ^ UInt64(byte)) &* UInt64.prime
                length += 1
                place += 1
                continue
            }
            if length > 0 { add(hash) }
            (hash, length) = (UInt64.offset, 0)
            place += Self.markup(bytes, place)
        }
    }

    private mutating func add(_ word: UInt64) {
        count += 1
        if count > 2 {
            let triple = (last.0 &* 31 &+ last.1) &* 31 &+ word
            triples.insert(triple)
        }
        last = (last.1, word)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }

    /// Returns whether an address of the web begins here.
    private static func isAddress(_ bytes: [UInt8], _ place: Int) -> Bool {
        place < bytes.count && bytes[place] == UInt8(ascii: "h")
            && (bytes[place...].starts(with: "http://".utf8)
                || bytes[place...].starts(with: "https://".utf8))
    }

    private static func endsAddress(_ byte: UInt8) -> Bool {
        byte <= 0x20 || "\"'<>)]}".utf8.contains(byte)
    }

    /// Returns whether a character is of the general punctuation, such as dashes and quotation marks.
    private static func isPunctuation(_ bytes: [UInt8], _ place: Int) -> Bool {
        bytes[place] == 0xE2 && place + 1 < bytes.count && [0x80, 0x81].contains(bytes[place + 1])
            || place > 0 && bytes[place - 1] == 0xE2 && [0x80, 0x81].contains(bytes[place])
            || place > 1 && bytes[place - 2] == 0xE2 && [0x80, 0x81].contains(bytes[place - 1])
    }

    /// Returns the number of bytes of a tag, an entity, or of the mark alone.
    private static func markup(_ bytes: [UInt8], _ place: Int) -> Int {
        guard place + 1 < bytes.count else { return 1 }
        let end: UInt8? =
            bytes[place] == UInt8(ascii: "<")
                && (isWord(bytes[place + 1]) || bytes[place + 1] == UInt8(ascii: "/"))
            ? UInt8(ascii: ">") : bytes[place] == UInt8(ascii: "&") ? UInt8(ascii: ";") : nil
        guard let end else { return 1 }
        let limit = min(bytes.count, place + (end == UInt8(ascii: ";") ? 12 : 500))
        guard let close = bytes[place..<limit].firstIndex(of: end) else { return 1 }
        return close - place + 1
    }
}

extension UInt64 {
    fileprivate static let offset: UInt64 = 0xcbf2_9ce4_8422_2325
    fileprivate static let prime: UInt64 = 0x100_0000_01b3
}
