/// A count of what begins a question in a document of lists, made without its reader.
enum OutlineCount {
    /// Counts in Markdown: the lines with an answer, or the numbers above an indented list, if there are more of them.
    static func markdown(_ text: String) -> Int {
        var (answers, numbers) = (0, 0)
        var isFenced = false
        var isBelowNumber = false
        for line in text.split(separator: "\n") {
            let bare = line.drop { $0.isWhitespace }
            guard !bare.isEmpty else { continue }
            if bare.hasPrefix("```") || bare.hasPrefix("~~~") { isFenced.toggle() }
            guard !isFenced else { continue }
            if isAnswer(bare) { answers += 1 }
            let isIndented = line.first == " " || line.first == "\t"
            if isBelowNumber, isIndented, bare.first.map({ "-*+".contains($0) }) == true,
                bare.dropFirst().first == " "
            {
                numbers += 1
            }
            let digits = bare.prefix { $0.isASCII && $0.isNumber }
            let rest = bare.dropFirst(digits.count)
            isBelowNumber =
                !isIndented && !digits.isEmpty && (rest.hasPrefix(". ") || rest.hasPrefix(") "))
        }
        return max(answers, numbers)
    }

    /// Counts in Markdown that has neither boxes nor lettered options.
    static func lists(_ text: String) -> Int {
        QuestionBeginnings.markdown(text) == 0 ? markdown(text) : 0
    }

    /// Counts in the text of Word: the paragraphs with an answer, the typed options A above B, or the lists with a star,
    /// if there are more of them.
    static func word(_ document: [UInt8]) -> Int {
        var scan = TagScan(document)
        var (text, level, isDeleted, tableDepth) = ("", 0, false, 0)
        var paragraphs: [(text: String, level: Int)] = []
        while let tag = scan.next() {
            switch (tag.name, tag.isEnd) {
            case ("tbl", false): tableDepth += tag.isEmpty ? 0 : 1
            case ("tbl", true): tableDepth -= 1
            case ("p", false): (text, level) = ("", 0)
            case ("ilvl", false): level = tag.attribute("w:val").flatMap { Int($0) } ?? 0
            case ("del", let isEnd) where !tag.isEmpty: isDeleted = !isEnd
            case ("t", true) where !isDeleted: text += tag.before
            case ("p", true) where tableDepth == 0: paragraphs.append((text.trimmed, level))
            default: break
            }
        }
        var (answers, pairs, starred) = (0, 0, 0)
        var (isBelowA, isInStarred) = (false, false)
        for (text, level) in paragraphs where !text.isEmpty {
            if isAnswer(text[...]) { answers += 1 }
            let bare = text.first == "*" ? text.dropFirst().drop { $0 == " " } : text[...]
            let isTyped = bare.dropFirst().first == ")"
            if isTyped, bare.first == "B" || bare.first == "b", isBelowA { pairs += 1 }
            isBelowA = isTyped && (bare.first == "A" || bare.first == "a")
            let hasStar = text.first == "*" && !text.hasPrefix("**")
            if level == 0 {
                isInStarred = false
            } else if hasStar, !isInStarred {
                isInStarred = true
                starred += 1
            }
        }
        return max(answers, pairs, starred)
    }

    /// Counts in a web page: the lines with an answer, or the options A above B, if there are more of them.
    static func page(_ text: String) -> Int {
        let left: Set = [
            "nav", "script", "style", "header", "footer", "form", "head", "title", "noscript",
            "template", "button", "select",
        ]
        let inline: Set = [
            "b", "strong", "i", "em", "span", "code", "u", "a", "sub", "sup", "mark", "font",
        ]
        var scan = TagScan(Array(text.utf8))
        var lines = [""]
        var skipped: String?
        while let tag = scan.next() {
            let name = tag.name.lowercased()
            if let open = skipped {
                if tag.isEnd, name == open { skipped = nil }
                continue
            }
            lines[lines.count - 1] += tag.before
            if !inline.contains(name) { lines.append("") }
            if left.contains(name), !tag.isEnd, !tag.isEmpty { skipped = name }
        }
        var (answers, pairs) = (0, 0)
        var isBelowA = false
        for line in lines.map(\.trimmed) where !line.isEmpty {
            if isAnswer(line[...]) { answers += 1 }
            let isTyped =
                line.dropFirst().first.map { ".)".contains($0) } == true
                && line.dropFirst(2).first == " "
            if isTyped, line.first == "B", isBelowA { pairs += 1 }
            isBelowA = isTyped && line.first == "A"
        }
        return max(answers, pairs)
    }

    /// Returns whether a line begins with the words before an answer.
    private static func isAnswer(_ line: Substring) -> Bool {
        let bare = line.prefix(60).lowercased().drop { "*_>#- ".contains($0) }
        let words = ["the correct answer is ", "the right answer is "]
        if words.contains(where: bare.hasPrefix) { return true }
        let head = bare.prefix { $0 != ":" }.filter { !"*_".contains($0) }
        return bare.contains(":")
            && ["answer", "correct answer", "right answer", "the correct answer is", "ans"]
                .contains(head)
    }
}
