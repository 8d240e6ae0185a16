import ContentModel

/// The rows of a text of cards, with what parts them.
struct CardRows {
    /// The rows that are no header, with the numbers of their lines, or of the cards where lines do not part them.
    private(set) var rows: [(number: Int, fields: [String])] = []
    /// The rows that cannot be cards, with the reasons.
    private(set) var refused: [(number: Int, reason: SkipReason)] = []
    /// True when the first row names the columns.
    private(set) var hasHeader = false
    /// True when each card has a line of its own.
    let isByLine: Bool

    /// Reads the rows of a text.
    ///
    /// - Parameters:
    ///   - text: The text below the settings of Anki.
    ///   - separator: What parts the fields, unless the user names it.
    ///   - settings: The user's separators.
    ///   - file: The file, for messages.
    ///   - line: The number of lines above the text.
    /// - Throws: `ImportError` for a quote that never ends.
    init(
        _ text: Substring, separator: UInt8, _ settings: ImportSettings, file: String, line: Int
    ) throws(ImportError) {
        isByLine = settings.rowSeparator.map { Self.unescaped($0) == "\n" } ?? true
        if settings.fieldSeparator != nil || settings.rowSeparator != nil {
            let between = settings.fieldSeparator.map(Self.unescaped) ?? "\t"
            let rowEnd = settings.rowSeparator.map(Self.unescaped) ?? "\n"
            for (index, row) in text.split(separator: rowEnd, omittingEmptySubsequences: false)
                .enumerated()
            {
                let fields = row.split(separator: between, omittingEmptySubsequences: false)
                    .map { String($0).trimmed }
                add(fields, number: index + 1 + (isByLine ? line : 0), fieldsMax: 2)
            }
        } else {
            var scanner = CSVScanner(Array(text.utf8), separator: separator)
            while let row = scanner.next() {
                let fields = row.fields.map { String(decoding: $0, as: UTF8.self).trimmed }
                add(fields, number: row.line + line, fieldsMax: .max)
            }
            if let open = scanner.openQuoteLine {
                throw ImportError(
                    file, .syntax, "has a quote on line \(open + line) that never ends")
            }
        }
        if let first = rows.first, line == 0, Self.areNames(first.fields) {
            hasHeader = true
            rows.removeFirst()
        }
    }

    private mutating func add(_ fields: [String], number: Int, fieldsMax: Int) {
        guard !fields.allSatisfy(\.isEmpty) else { return }
        guard fields.count <= fieldsMax else {
            refused.append(
                (
                    number,
                    SkipReason(
                        .syntax, "it has \(fields.count) sides; another separator may be meant")
                ))
            return
        }
        rows.append((number, fields))
    }

    /// Returns a separator with `\t` and `\n` as people write them.
    private static func unescaped(_ text: String) -> String {
        text.replacing("\\t", with: "\t").replacing("\\n", with: "\n")
    }

    /// Returns what gives most rows two fields: a tab, or else a comma, a semicolon or a bar.
    static func separator(of text: Substring) -> UInt8 {
        let lines = text.split(separator: "\n").prefix(200)
        let candidates: [Character] = ["\t", ";", ",", "|"]
        let counts = candidates.map { mark in lines.count { $0.contains(mark) } }
        let best = counts.max() ?? 0
        let place = counts.firstIndex(of: best) ?? 0
        return candidates[counts[0] > 0 ? 0 : place].asciiValue ?? UInt8(ascii: "\t")
    }

    /// Returns whether a line names the two sides of cards.
    static func isHeader(_ line: Substring) -> Bool {
        [",", ";", "\t"].contains { (mark: Character) in
            areNames(line.split(separator: mark).map { $0.filter { $0 != "\"" }.trimmed })
        }
    }

    private static func areNames(_ fields: [String]) -> Bool {
        let texts = fields.map { $0.lowercased() }
        return texts.count == 2 && texts[0] != texts[1] && texts.allSatisfy(words.contains)
    }

    /// The words for the sides of a card in the languages of the app.
    private static let words: Set = [
        "term", "definition", "front", "back", "question", "answer", "word", "meaning",
        "begriff", "vorderseite", "rückseite", "frage", "antwort",
        "terme", "définition", "recto", "verso", "réponse", "término", "definición", "anverso",
        "reverso", "pregunta", "respuesta", "termine", "definizione", "fronte", "retro", "domanda",
        "risposta", "termo", "definição", "frente", "pergunta", "resposta", "definitie",
        "voorkant", "achterkant", "vraag", "antwoord", "pojęcie", "definicja", "przód", "tył",
        "pytanie", "odpowiedź", "термин", "определение", "вопрос", "ответ", "terim", "tanım",
        "soru", "cevap", "术语", "定义", "问题", "答案", "正面", "背面", "用語", "定義", "質問", "答え",
        "مصطلح", "تعريف", "سؤال", "جواب",
    ]
}
