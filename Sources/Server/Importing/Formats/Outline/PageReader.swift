import ContentModel

/// A reader of web pages of questions: their blocks are lines, and items of lists are options.
enum PageReader {
    static func read(
        _ text: String, file: String, keys: KeyReading?
    ) throws(ImportError) -> ImportedDrafts {
        var result = ImportedDrafts()
        var page = PageLines(text)
        try OutlineReader(page.lines(), unit: "line", keys: keys).read(into: &result, file: file)
        return result
    }
}

/// The lines of a web page, without what is around its content.
struct PageLines {
    private static let left: Set = [
        "nav", "script", "style", "header", "footer", "form", "head", "title", "noscript",
        "template", "button", "select",
    ]
    private static let blocks: Set = [
        "p", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "tr", "td", "th",
        "table", "section", "article", "br", "dl", "dt", "dd", "blockquote", "pre", "details",
        "summary", "main", "body", "hr", "label", "fieldset", "figure",
    ]

    private var rest: Substring
    private var number = 1
    private var result: [OutlineLine] = []
    /// The HTML of the line so far.
    private var html = ""
    private var lineNumber = 1
    private var lists: [(isOrdered: Bool, counts: Bool)] = []
    private var isItem = false
    private var headingDepth = 0
    /// The open elements with what they mark.
    private var open: [(name: String, mark: OutlineLine.Mark?)] = []
    private var marks: Set<OutlineLine.Mark>?

    init(_ text: String) { rest = text[...] }

    /// Returns the lines.
    mutating func lines() -> [OutlineLine] {
        while let start = rest.firstIndex(of: "<") {
            add(rest[..<start])
            rest = rest[start...]
            if rest.hasPrefix("<!--") {
                skip(past: "-->")
                continue
            }
            let inner = rest.dropFirst()
            guard let first = inner.first, first.isLetter || "/!?".contains(first),
                let end = MarkupText.tagEnd(inner)
            else {
                add("&lt;")
                rest = inner
                continue
            }
            let tag = inner[..<end]
            number += tag.count { $0 == "\n" }
            rest = inner[end...].dropFirst()
            read(tag)
        }
        add(rest)
        close()
        return result
    }

    private mutating func skip(past mark: String) {
        let end = rest.firstRange(of: mark)?.upperBound ?? rest.endIndex
        number += rest[..<end].count { $0 == "\n" }
        rest = rest[end...]
    }

    private mutating func add(_ text: Substring) {
        let isBlank = !text.contains { !$0.isWhitespace }
        if !isBlank {
            if html.trimmed.isEmpty {
                lineNumber = number + text.prefix { $0.isWhitespace }.count { $0 == "\n" }
            }
            let now = Set(open.compactMap(\.mark))
            marks = marks.map { $0.intersection(now) } ?? now
        }
        number += text.count { $0 == "\n" }
        html += text
    }

    private mutating func read(_ tag: Substring) {
        let isEnd = tag.first == "/"
        let name = tag.dropFirst(isEnd ? 1 : 0).prefix { $0.isLetter || $0.isNumber }.lowercased()
        if !isEnd, Self.left.contains(name), tag.last != "/" { return skipElement(name) }
        guard Self.blocks.contains(name) else {
            html += "<\(tag)>"
            isEnd ? end(name) : begin(name, tag)
            return
        }
        close()
        switch name {
        case "ul", "ol":
            if isEnd { _ = lists.popLast() } else { lists.append((name == "ol", true)) }
            if !isEnd, tag.contains(Pattern.listStart) { lists[lists.count - 1].counts = false }
        case "li":
            isItem = !isEnd
            if !isEnd, !lists.isEmpty, tag.contains(Pattern.listStart) {
                lists[lists.count - 1].counts = false
            }
        case "h1", "h2", "h3", "h4", "h5", "h6": headingDepth = isEnd ? 0 : 1
        default: break
        }
        isEnd ? end(name) : begin(name, tag)
    }

    /// Skips an element with its content.
    private mutating func skipElement(_ name: String) {
        while let start = rest.firstRange(of: "</") {
            number += rest[..<start.upperBound].count { $0 == "\n" }
            rest = rest[start.upperBound...]
            guard rest.prefix(name.count).lowercased() == name else { continue }
            skip(past: ">")
            return
        }
        rest = ""
    }

    private mutating func begin(_ name: String, _ tag: Substring) {
        guard !["br", "hr", "img", "input", "meta", "link"].contains(name), tag.last != "/" else {
            return
        }
        var mark: OutlineLine.Mark?
        if name == "b" || name == "strong" { mark = .bold }
        if name == "mark" { mark = .highlight }
        if let match = tag.firstMatch(of: Pattern.classNames) {
            let words = match.1.lowercased().split { !$0.isLetter }
            let isRight =
                words.contains("correct") && !words.contains { ["incorrect", "not"].contains($0) }
            if isRight { mark = .style }
        }
        guard open.count < 1_000 else { return }
        open.append((name, mark))
    }

    private mutating func end(_ name: String) {
        guard let place = open.lastIndex(where: { $0.name == name }) else { return }
        open.removeSubrange(place...)
    }

    private mutating func close() {
        defer {
            html = ""
            marks = nil
        }
        let content = MarkupText(html, readsTeX: true)
        guard !content.text.isEmpty || !content.images.isEmpty else { return }
        var line = OutlineLine(content.text, number: lineNumber)
        line.images = content.images
        line.isHeading = headingDepth > 0
        line.marks = line.isHeading ? [] : marks ?? []
        if isItem, let list = lists.last {
            line.item = (list.isOrdered ? .number(nil) : .dot, lists.count)
            if !list.counts {
                line.problem = SkipReason(
                    .syntax, "the numbers of its options do not count from 1")
            }
        }
        line.takeTypedBullet(readsStars: false)
        result.append(line)
    }
}
