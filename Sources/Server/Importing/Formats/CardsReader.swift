/// A reader of cards as text: two columns, as Quizlet exports them, or notes of Anki, whose first lines name the columns.
enum CardsReader {
    /// The settings in the lines `#name:value` at the beginning.
    private struct Header {
        var separator = UInt8(ascii: "\t")
        /// True when a line names the separator.
        var isGiven = false
        var isHTML = false
        /// The columns, from 0, that are no fields: `guid`, `notetype`, `deck`, `tags`.
        var columns: [String: Int] = [:]

        mutating func read(_ line: Substring) {
            let parts = line.dropFirst().split(separator: ":", maxSplits: 1).map {
                String($0).trimmed
            }
            guard parts.count == 2 else { return }
            switch parts[0].lowercased() {
            case "separator":
                isGiven = true
                separator = Self.separators[parts[1].lowercased()] ?? separator
            case "html": isHTML = parts[1].lowercased() == "true"
            case let name where name.hasSuffix(" column"):
                guard let number = Int(parts[1]), number > 0 else { return }
                columns[String(name.dropLast(" column".count))] = number - 1
            default: break
            }
        }

        private static let separators: [String: UInt8] = [
            "tab": 9, "comma": 44, "semicolon": 59, "pipe": 124, "colon": 58, "space": 32,
            "\\t": 9, ",": 44, ";": 59, "|": 124,
        ]
    }

    static func read(
        _ bytes: [UInt8], file: String, settings: ImportSettings
    ) throws(ImportError) -> ImportedDrafts {
        let decoded = try DecodedText(bytes, file: file)
        var header = Header()
        var rest = Substring(decoded.text)
        var skipped = 0
        while rest.first == "#" {
            let line = rest.prefix { $0 != "\n" }
            header.read(line)
            skipped += 1
            rest = rest[line.endIndex...].dropFirst()
        }
        var notes: [FlashcardDeck.Note] = []
        var decks: [String: String] = [:]
        let separator = header.isGiven ? header.separator : CardRows.separator(of: rest)
        let rows = try CardRows(rest, separator: separator, settings, file: file, line: skipped)
        for row in rows.rows {
            let fields = row.fields
            let place = rows.isByLine ? "line \(row.number)" : "card \(row.number)"
            notes.append(note(fields, header, place))
            decks[place] = header.columns["deck"].flatMap {
                fields.indices.contains($0) ? fields[$0] : nil
            }
        }
        let deck = FlashcardDeck(notes, media: [:], keys: settings.keys)
        try deck.keys.check(file: file)
        var result = deck.result
        for (number, reason) in rows.refused {
            result.skip(rows.isByLine ? "line \(number)" : "card \(number)", reason)
        }
        if rows.hasHeader {
            result.note(file, .columns, "the first row names the columns and is no card")
        }
        for index in result.drafts.indices {
            let deck = decks[result.drafts[index].place]?.split(separator: ":").last.map(
                String.init)
            result.drafts[index].setCategory(deck?.trimmed ?? "")
        }
        result.encoding = decoded.encoding
        let counted = rows.isByLine ? QuestionBeginnings.cards(rest, hasHeader: rows.hasHeader) : 0
        result.begun = max(notes.count, counted, result.entryCount)
        return result
    }

    private static func note(
        _ fields: [String], _ header: Header, _ place: String
    ) -> FlashcardDeck.Note {
        func column(_ name: String) -> String? {
            header.columns[name].flatMap { fields.indices.contains($0) ? fields[$0] : nil }
        }
        let special = Set(header.columns.values)
        let own = fields.indices.filter { !special.contains($0) }.map { index in
            (
                name: "field \(index + 1)",
                value: header.isHTML ? fields[index] : XMLElement.escaped(fields[index])
            )
        }
        return FlashcardDeck.Note(
            place: place, guid: column("guid") ?? own.map(\.value).joined(separator: "\u{0}"),
            model: column("notetype") ?? "", isCloze: false, fields: own,
            tags: column("tags")?.split(separator: " ").map(String.init) ?? [])
    }

    /// Returns whether a text is one of cards: its first line is one of Anki's, or most of its lines have one tab and none has two.
    static func isCards(_ head: Substring) -> Bool {
        if head.hasPrefix("#separator:") || head.hasPrefix("#html:") { return true }
        let lines = head.split(separator: "\n").prefix(200)
        let tabs = lines.map { $0.count { $0 == "\t" } }
        return lines.count > 1 && tabs.allSatisfy { $0 < 2 }
            && 3 * tabs.count { $0 == 1 } >= 2 * lines.count
    }
}
