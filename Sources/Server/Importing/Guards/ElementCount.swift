/// A count of the elements of XML that begin a question, made of its bytes without a parser.
enum ElementCount {
    /// Refuses a document of which the reader lost a question.
    ///
    /// - Throws: `ImportError` with both numbers.
    static func check(_ count: Int, found: Int, file: String) throws(ImportError) {
        guard count <= found else {
            throw ImportError(
                file, .count,
                "has \(count) elements that begin a question, of which \(found) were told apart")
        }
    }

    /// Counts the start tags that begin a question, outside of comments and CDATA.
    ///
    /// They are `question`, but for categories, in `quiz`, `item` in
    /// `questestinterop`, and `assessmentItem` elsewhere. O(bytes).
    static func questions(_ text: String) -> Int {
        var scan = TagScan(Array(text.utf8))
        var count = 0
        var root: String?
        while let tag = scan.next() {
            guard !tag.isEnd else { continue }
            let name = tag.name.lowercased()
            let top = root ?? name
            root = top
            if begins(name, tag.text, in: top) { count += 1 }
        }
        return count
    }

    private static func begins(_ name: String, _ tag: Substring, in root: String) -> Bool {
        switch root {
        case "quiz": name == "question" && !tag.contains(Pattern.categoryType)
        case "questestinterop": name == "item"
        default: name == "assessmentitem" || name == "qti-assessment-item"
        }
    }
}
