/// A walk over the marks of XML that knows nothing of documents.
struct TagScan {
    /// A start tag or an end tag.
    struct Tag {
        /// The name without its prefix.
        var name: Substring
        var isEnd: Bool
        /// True for a tag without content.
        var isEmpty: Bool
        /// All between the brackets.
        var text: Substring
        /// The characters between the tag before and this one, of CDATA too.
        var before: String

        /// Returns the value of an attribute.
        func attribute(_ name: String) -> Substring? {
            var rest = text
            while let start = rest.firstRange(of: name) {
                let isName = rest[..<start.lowerBound].last?.isWhitespace == true
                rest = rest[start.upperBound...]
                let value = rest.drop { $0.isWhitespace }
                guard isName, value.first == "=" else { continue }
                let quoted = value.dropFirst().drop { $0.isWhitespace }
                guard let quote = quoted.first, quote == "\"" || quote == "'" else { return nil }
                return quoted.dropFirst().prefix { $0 != quote }
            }
            return nil
        }
    }

    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the next tag; `nil` at the end.
    mutating func next() -> Tag? {
        var before = ""
        while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            before += String(decoding: bytes[place..<start], as: UTF8.self)
            let rest = bytes[(start + 1)...]
            if rest.starts(with: "!--".utf8) {
                place = end(of: "-->", from: start + 4)
            } else if rest.starts(with: "![CDATA[".utf8) {
                place = end(of: "]]>", from: start + 9)
                before += String(
                    decoding: bytes[(start + 9)..<max(start + 9, place - 3)], as: UTF8.self)
            } else if rest.first == UInt8(ascii: "?") || rest.first == UInt8(ascii: "!") {
                place = end(of: ">", from: start + 1)
            } else {
                return tag(start + 1, before)
            }
        }
        place = bytes.count
        return nil
    }

    private mutating func tag(_ start: Int, _ before: String) -> Tag {
        var quote: UInt8?
        var stop = start
        while stop < bytes.count {
            let byte = bytes[stop]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                if quote == nil { quote = byte } else if quote == byte { quote = nil }
            } else if byte == UInt8(ascii: ">"), quote == nil {
                break
            }
            stop += 1
        }
        place = min(stop + 1, bytes.count)
        let text = String(decoding: bytes[start..<stop], as: UTF8.self)[...]
        let isEnd = text.first == "/"
        let name = (isEnd ? text.dropFirst() : text).prefix { !$0.isWhitespace && $0 != "/" }
        return Tag(
            name: name.split(separator: ":").last ?? "", isEnd: isEnd,
            isEmpty: text.last == "/", text: text, before: before)
    }

    private func end(of mark: String, from start: Int) -> Int {
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
