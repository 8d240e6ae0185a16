/// A parser of JSON (RFC 8259) into a tree of values with positions.
///
/// Stricter than the standard where tolerance would hide a mistake: a name that occurs twice in one
/// object is an error (section 4 leaves it open). Nesting is bounded, so that hostile input cannot
/// exhaust the stack. Cost: one pass, O(n).
package struct JSONParser {
    /// The maximum nesting of arrays and objects.
    package static let depthMax = 64

    /// Parses one whole document.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8.
    ///   - nodesMax: The maximum number of values in the document, nested ones included; each uses about 100 bytes of
    ///     memory, even if it is shorter in the document.
    /// - Returns: The document's value.
    /// - Throws: `DocumentSyntaxError` at the first position that is not JSON, or that exceeds
    ///   `nodesMax`.
    package static func parse(
        _ bytes: [UInt8], nodesMax: Int = .max
    ) throws(DocumentSyntaxError) -> DocumentNode {
        let result: Result<DocumentNode, DocumentSyntaxError> = bytes.withUnsafeBufferPointer {
            var parser = JSONParser(bytes: $0, nodesLeft: nodesMax)
            do throws(DocumentSyntaxError) {
                return .success(try parser.document())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset = 0
    private var line = 1
    /// The offset of column 0 when columns count bytes; it advances with each byte that continues a
    /// code point, so that columns count code points.
    private var columnOrigin = -1
    /// The number of further values that the document may have.
    private var nodesLeft: Int
    /// True when the whole document is UTF-8, so that its texts need no validation.
    private let isValid: Bool

    private init(bytes: UnsafeBufferPointer<UInt8>, nodesLeft: Int) {
        self.bytes = bytes
        self.nodesLeft = nodesLeft
        isValid = String(validating: bytes, as: UTF8.self) != nil
    }

    private mutating func document() throws(DocumentSyntaxError) -> DocumentNode {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            offset = 3
            columnOrigin = 2
        }
        skipWhitespace()
        let node = try value(depth: 0)
        skipWhitespace()
        guard offset == bytes.count else { throw failure("text after the end of the document") }
        return node
    }

    private var position: SourcePosition {
        SourcePosition(line: line, column: offset - columnOrigin)
    }

    private func failure(_ message: String) -> DocumentSyntaxError {
        DocumentSyntaxError(position: position, message: message)
    }

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipWhitespace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "\n"):
                line += 1
                columnOrigin = offset
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            default: return
            }
            offset += 1
        }
    }

    private mutating func value(depth: Int) throws(DocumentSyntaxError) -> DocumentNode {
        guard depth < Self.depthMax else {
            throw failure("nested deeper than \(Self.depthMax) levels")
        }
        let start = position
        guard nodesLeft > 0 else {
            throw DocumentSyntaxError(
                position: start, message: "more values than are allowed", isTooLarge: true)
        }
        nodesLeft -= 1
        guard let byte = current else { throw failure("the document ends too early") }
        switch byte {
        case UInt8(ascii: "{"): return DocumentNode(.object(try members(depth)), at: start)
        case UInt8(ascii: "["): return DocumentNode(.array(try elements(depth)), at: start)
        case UInt8(ascii: "\""): return DocumentNode(.string(try string()), at: start)
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return DocumentNode(try number(), at: start)
        }
    }

    private mutating func literal(
        _ word: StaticString, _ content: DocumentNode.Content
    ) throws(DocumentSyntaxError) -> DocumentNode {
        let start = position
        let length = word.utf8CodeUnitCount
        guard offset + length <= bytes.count,
            (0..<length).allSatisfy({ bytes[offset + $0] == word.utf8Start[$0] })
        else { throw failure("expected \(word)") }
        offset += length
        return DocumentNode(content, at: start)
    }

    private mutating func elements(_ depth: Int) throws(DocumentSyntaxError) -> [DocumentNode] {
        var elements: [DocumentNode] = []
        offset += 1
        skipWhitespace()
        if current == UInt8(ascii: "]") {
            offset += 1
            return elements
        }
        while true {
            elements.append(try value(depth: depth + 1))
            if try endOfList(UInt8(ascii: "]")) { return elements }
        }
    }

    private mutating func members(
        _ depth: Int
    ) throws(DocumentSyntaxError) -> [DocumentNode.Member] {
        var members: [DocumentNode.Member] = []
        var names: Set<String> = []
        offset += 1
        skipWhitespace()
        if current == UInt8(ascii: "}") {
            offset += 1
            return members
        }
        while true {
            let keyPosition = position
            guard current == UInt8(ascii: "\"") else { throw failure("expected a name in quotes") }
            let key = try string()
            guard isNew(key, among: members, &names) else {
                throw DocumentSyntaxError(
                    position: keyPosition, message: "\"\(key)\" stands here twice",
                    isDuplicateKey: true)
            }
            skipWhitespace()
            guard current == UInt8(ascii: ":") else { throw failure("expected a colon") }
            offset += 1
            skipWhitespace()
            let value = try value(depth: depth + 1)
            members.append(.init(key: key, keyPosition: keyPosition, value: value))
            if try endOfList(UInt8(ascii: "}")) { return members }
        }
    }

    /// Returns true if a name is new: small objects are searched, large ones get a set.
    private func isNew(
        _ key: String, among members: [DocumentNode.Member], _ names: inout Set<String>
    ) -> Bool {
        if members.count < 16 { return !members.contains { $0.key == key } }
        if names.isEmpty { names = Set(members.map(\.key)) }
        return names.insert(key).inserted
    }

    /// Consumes the comma or the closing mark behind an element; returns true at the closing mark.
    private mutating func endOfList(_ close: UInt8) throws(DocumentSyntaxError) -> Bool {
        skipWhitespace()
        guard let byte = current else { throw failure("the document ends too early") }
        offset += 1
        if byte == close { return true }
        guard byte == UInt8(ascii: ",") else {
            offset -= 1
            throw failure("expected a comma or the end of the list")
        }
        skipWhitespace()
        return false
    }

    private mutating func number() throws(DocumentSyntaxError) -> DocumentNode.Content {
        let start = offset
        if current == UInt8(ascii: "-") { offset += 1 }
        let first = current
        guard digits() > 0 else {
            offset = start
            throw failure("expected a value")
        }
        if first == UInt8(ascii: "0"), offset - start > (bytes[start] == first ? 1 : 2) {
            throw failure("a number may not start with 0")
        }
        var isInteger = true
        if current == UInt8(ascii: ".") {
            isInteger = false
            offset += 1
            guard digits() > 0 else { throw failure("expected digits after the point") }
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            isInteger = false
            offset += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { offset += 1 }
            guard digits() > 0 else { throw failure("expected digits in the exponent") }
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isInteger, let integer = Int(text) { return .integer(integer) }
        guard let decimal = Double(text), decimal.isFinite else {
            throw failure("the number is too large")
        }
        return .decimal(decimal)
    }

    private mutating func digits() -> Int {
        let start = offset
        while let byte = current, (0x30...0x39).contains(byte) { offset += 1 }
        return offset - start
    }
}

extension JSONParser {
    /// Parses a string and its quotation marks.
    private mutating func string() throws(DocumentSyntaxError) -> String {
        offset += 1
        let start = offset
        var continuations = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") {
                let text = try utf8(start..<offset)
                offset += 1
                columnOrigin += continuations
                return text
            }
            if byte == UInt8(ascii: "\\") { break }
            guard byte >= 0x20 else { throw failure("a control character inside text") }
            if byte & 0xC0 == 0x80 { continuations += 1 }
            offset += 1
        }
        columnOrigin += continuations
        return try escapedString(from: start)
    }

    private func utf8(_ range: Range<Int>) throws(DocumentSyntaxError) -> String {
        if isValid {
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        }
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw failure("text that is not valid UTF-8")
        }
        return text
    }

    /// Parses the rest of a string that has escapes: the slow path.
    private mutating func escapedString(from start: Int) throws(DocumentSyntaxError) -> String {
        var text = try utf8(start..<offset)
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return text
            case UInt8(ascii: "\\"):
                text.unicodeScalars.append(try escape())
            case ..<0x20:
                throw failure("a control character inside text")
            default:
                let run = offset
                while let next = current, next >= 0x20, next != UInt8(ascii: "\""),
                    next != UInt8(ascii: "\\")
                {
                    if next & 0xC0 == 0x80 { columnOrigin += 1 }
                    offset += 1
                }
                text += try utf8(run..<offset)
            }
        }
        throw failure("the text has no closing quote")
    }

    private mutating func escape() throws(DocumentSyntaxError) -> Unicode.Scalar {
        offset += 1
        guard let byte = current else { throw failure("the document ends too early") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw failure("an unknown escape")
        }
    }

    private mutating func unicodeEscape() throws(DocumentSyntaxError) -> Unicode.Scalar {
        let high = try fourHexDigits()
        if let scalar = Unicode.Scalar(high) { return scalar }
        guard high < 0xDC00, current == UInt8(ascii: "\\"), offset + 1 < bytes.count,
            bytes[offset + 1] == UInt8(ascii: "u")
        else { throw failure("half of a surrogate pair") }
        offset += 2
        let low = try fourHexDigits()
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else { throw failure("half of a surrogate pair") }
        return scalar
    }

    private mutating func fourHexDigits() throws(DocumentSyntaxError) -> UInt32 {
        guard offset + 4 <= bytes.count,
            let value = UInt32(
                String(decoding: bytes[offset..<offset + 4], as: UTF8.self), radix: 16),
            bytes[offset] != UInt8(ascii: "+")
        else { throw failure("expected four hexadecimal digits") }
        offset += 4
        return value
    }
}
