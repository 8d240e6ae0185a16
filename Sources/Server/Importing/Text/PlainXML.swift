/// An XML document of elements, attributes and text alone: without its document type, comments, instructions and CDATA
/// sections, whose text stays.
///
/// Foundation's parser on Linux ends the process at an instruction without data and at some document types, also after
/// a mistake in the document, when it no longer takes marks for what they are. None of these marks reaches it. Lines
/// stay where they are.
struct PlainXML {
    /// The document, in UTF-8; it has neither `<!` nor `<?`.
    private(set) var bytes: [UInt8] = []

    /// The most attributes of a tag, each of which the parser compares with all others.
    static let attributesMax = 1_000

    private let source: [UInt8]
    private var position = 0
    /// True once the root has begun, after which a document type is invalid.
    private var hasRoot = false
    private var hasDocumentType = false

    /// Rewrites a document.
    ///
    /// - Throws: `ImportError` where it declares entities, which multiply or name files, or where a mark is not
    ///   well-formed.
    init(_ text: String, file: String) throws(ImportError) {
        source = Array(text.utf8)
        bytes.reserveCapacity(source.count)
        while position < source.count {
            guard source[position] == UInt8(ascii: "<") else {
                bytes.append(source[position])
                position += 1
                continue
            }
            guard try readMark(file) else {
                let line = source[..<position].count { $0 == UInt8(ascii: "\n") } + 1
                throw ImportError(file, .syntax, "is not well-formed XML at line \(line)")
            }
        }
    }

    /// Reads what a `<` begins; returns whether it is well-formed.
    private mutating func readMark(_ file: String) throws(ImportError) -> Bool {
        if starts("<!--") { return skip("<!--", past: "-->") }
        if starts("<?") { return skip("<?", past: "?>") }
        if starts("<![CDATA[") { return readSection() }
        if starts("<!DOCTYPE") {
            guard !hasRoot, !hasDocumentType else { return false }
            hasDocumentType = true
            return try skipDocumentType(file)
        }
        guard !starts("<!") else { return false }
        return try readTag(file)
    }

    /// Keeps a tag, in which quotes hide its end; a `<` has no place in it.
    private mutating func readTag(_ file: String) throws(ImportError) -> Bool {
        hasRoot = true
        var attributeCount = 0
        var quote: UInt8?
        var end = position + 1
        while end < source.count {
            let byte = source[end]
            end += 1
            switch byte {
            case UInt8(ascii: "<"): return false
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if quote == nil { quote = byte } else if quote == byte { quote = nil }
            case UInt8(ascii: "=") where quote == nil: attributeCount += 1
            case UInt8(ascii: ">") where quote == nil:
                guard attributeCount <= Self.attributesMax else {
                    let line = source[..<position].count { $0 == UInt8(ascii: "\n") } + 1
                    throw ImportError(
                        file, .limit,
                        "has a tag with more than \(Self.attributesMax) attributes at line \(line)")
                }
                bytes += source[position..<end]
                position = end
                return true
            default: break
            }
        }
        return false
    }

    /// Keeps the text of a CDATA section, escaped.
    private mutating func readSection() -> Bool {
        let start = position + 9
        guard let end = index(of: "]]>", from: start) else { return false }
        for byte in source[start..<end] {
            switch byte {
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            default: bytes.append(byte)
            }
        }
        position = end + 3
        return true
    }

    /// Passes over a document type with its internal subset, in which quotes and comments hide brackets.
    private mutating func skipDocumentType(_ file: String) throws(ImportError) -> Bool {
        var depth = 0
        var isInSubset = false
        while position < source.count {
            if isInSubset, starts("<!--") {
                guard skip("<!--", past: "-->") else { return false }
                continue
            }
            if isInSubset, starts("<?") {
                guard skip("<?", past: "?>") else { return false }
                continue
            }
            guard !starts("<!ENTITY") else {
                throw ImportError(
                    file, .syntax,
                    "declares entities of its own in its DOCTYPE, which are not read; write out what they stand for"
                )
            }
            let byte = source[position]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let rest = source[(position + 1)...]
                guard let end = rest.firstIndex(of: byte) else { return false }
                skip(to: end)
            case UInt8(ascii: "["): isInSubset = true
            case UInt8(ascii: "]"): isInSubset = false
            case UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: ">"): depth -= 1
            default: break
            }
            skip(to: position + 1)
            if byte == UInt8(ascii: ">"), depth <= 0, !isInSubset { return true }
        }
        return false
    }

    /// Passes over what stands from an opening mark past its end, and returns whether it ends.
    ///
    /// `<!-->` is no whole comment.
    private mutating func skip(_ opening: StaticString, past mark: StaticString) -> Bool {
        guard let end = index(of: mark, from: position + opening.utf8CodeUnitCount) else {
            return false
        }
        skip(to: end + mark.utf8CodeUnitCount)
        return true
    }

    /// Passes over bytes but for their line feeds.
    private mutating func skip(to end: Int) {
        bytes += source[position..<end].filter { $0 == UInt8(ascii: "\n") }
        position = end
    }

    private func index(of mark: StaticString, from start: Int) -> Int? {
        let size = mark.utf8CodeUnitCount
        guard start + size <= source.count else { return nil }
        return mark.withUTF8Buffer { mark in
            (start...source.count - size).first { source[$0..<$0 + size].elementsEqual(mark) }
        }
    }

    private func starts(_ mark: StaticString) -> Bool {
        let end = position + mark.utf8CodeUnitCount
        guard end <= source.count else { return false }
        return mark.withUTF8Buffer { $0.elementsEqual(source[position..<end]) }
    }
}
