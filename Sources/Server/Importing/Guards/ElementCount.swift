/// A count of the elements of XML that begin a question, made of its bytes without a parser.
enum ElementCount {
    /// Refuses a document of which the reader lost a question.
    ///
    /// - Throws: `ImportError` with both numbers.
    static func check(_ count: Int, found: Int, file: String) throws(ImportError) {
        guard count <= found else {
            throw ImportError(
                file,
                "has \(count) elements that begin a question, of which \(found) were told apart")
        }
    }

    /// Counts the start tags that begin a question, outside of comments and CDATA.
    ///
    /// They are `question`, but for categories, in `quiz`, `item` in
    /// `questestinterop`, and `assessmentItem` elsewhere. O(bytes).
    static func questions(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        var (count, place) = (0, 0)
        var root: String?
        while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            place = start + 1
            let rest = bytes[place...]
            if rest.starts(with: "!--".utf8) {
                place = end(of: "-->", bytes, from: place + 3)
            } else if rest.starts(with: "![CDATA[".utf8) {
                place = end(of: "]]>", bytes, from: place + 8)
            } else if let first = rest.first, first != UInt8(ascii: "/"),
                first != UInt8(ascii: "!"),
                first != UInt8(ascii: "?")
            {
                let stop = tagEnd(bytes, from: place)
                let tag = String(decoding: bytes[place..<stop], as: UTF8.self)
                let name = self.name(tag)
                let top = root ?? name
                root = top
                if begins(name, tag, in: top) { count += 1 }
                place = stop
            }
        }
        return count
    }

    private static func begins(_ name: String, _ tag: String, in root: String) -> Bool {
        switch root {
        case "quiz": name == "question" && !tag.contains(Pattern.categoryType)
        case "questestinterop": name == "item"
        default: name == "assessmentitem" || name == "qti-assessment-item"
        }
    }

    /// Returns the name of a tag without its prefix, in small letters.
    private static func name(_ tag: String) -> String {
        let name = tag.prefix { !$0.isWhitespace && $0 != "/" && $0 != ">" }
        return name.split(separator: ":").last.map { $0.lowercased() } ?? ""
    }

    /// Returns the end of a tag, in which quotes hide its mark.
    private static func tagEnd(_ bytes: [UInt8], from start: Int) -> Int {
        var quote: UInt8?
        for place in start..<bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if quote == nil {
                    quote = bytes[place]
                } else if quote == bytes[place] {
                    quote = nil
                }
            case UInt8(ascii: ">") where quote == nil: return place
            default: break
            }
        }
        return bytes.count
    }

    private static func end(of mark: String, _ bytes: [UInt8], from start: Int) -> Int {
        let mark = Array(mark.utf8)
        var place = start
        while place + mark.count <= bytes.count {
            if bytes[place] == mark[0], bytes[place...].starts(with: mark) {
                return place + mark.count
            }
            place += 1
        }
        return bytes.count
    }
}
