/// What stands before the root of an XML document.
enum XMLProlog {
    /// A declaration of entities, which multiply or name files.
    struct DeclaresEntities: Error {}

    /// Returns a document without its document type, whose lines stay empty; without all, where it has several.
    ///
    /// No reader here needs a document type, and Foundation's parser on Linux ends the process at some internal
    /// subsets. A text that merely speaks of `<!DOCTYPE` in its content is left alone.
    /// - Throws: ``DeclaresEntities``.
    static func withoutDocumentType(_ text: String) throws(DeclaresEntities) -> String {
        let bytes = Array(text.utf8)
        var scanner = Scanner(bytes)
        var rest: [UInt8] = []
        var start = 0
        while let type = scanner.documentType() {
            guard !scanner.hasEntities else { throw DeclaresEntities() }
            rest += bytes[start..<type.lowerBound] + bytes[type].filter { $0 == UInt8(ascii: "\n") }
            start = type.upperBound
        }
        return start == 0 ? text : String(decoding: rest + bytes[start...], as: UTF8.self)
    }

    private struct Scanner {
        private let bytes: [UInt8]
        private var position = 0
        private(set) var hasEntities = false

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        /// Returns the place of the document type; `nil` where the root comes first.
        mutating func documentType() -> Range<Int>? {
            while position < bytes.count {
                if starts("<!--") {
                    skip("<!--", past: "-->")
                } else if starts("<?") {
                    skip("<?", past: "?>")
                } else if starts("<!DOCTYPE") {
                    let start = position
                    skipDeclaration()
                    return start..<position
                } else if bytes[position] == UInt8(ascii: "<") {
                    return nil
                } else {
                    position += 1
                }
            }
            return nil
        }

        /// Skips a document type with its internal subset, in which quotes and comments hide brackets.
        private mutating func skipDeclaration() {
            var depth = 0
            var isInSubset = false
            while position < bytes.count {
                if isInSubset, starts("<!--") {
                    skip("<!--", past: "-->")
                    continue
                }
                if isInSubset, starts("<?") {
                    skip("<?", past: "?>")
                    continue
                }
                if starts("<!ENTITY") { hasEntities = true }
                switch bytes[position] {
                case UInt8(ascii: "\""), UInt8(ascii: "'"):
                    let quote = bytes[position]
                    position += 1
                    while position < bytes.count, bytes[position] != quote { position += 1 }
                case UInt8(ascii: "["): isInSubset = true
                case UInt8(ascii: "]"): isInSubset = false
                case UInt8(ascii: "<"): depth += 1
                case UInt8(ascii: ">"):
                    depth -= 1
                    if depth <= 0, !isInSubset {
                        position += 1
                        return
                    }
                default: break
                }
                position += 1
            }
            position = bytes.count
        }

        private func starts(_ mark: StaticString) -> Bool {
            let count = mark.utf8CodeUnitCount
            guard position + count <= bytes.count else { return false }
            return mark.withUTF8Buffer { $0.elementsEqual(bytes[position..<position + count]) }
        }

        /// Skips from an opening mark past its end: `<!-->` is no whole comment.
        private mutating func skip(_ opening: StaticString, past mark: StaticString) {
            position += opening.utf8CodeUnitCount
            while position < bytes.count, !starts(mark) { position += 1 }
            position = min(bytes.count, position + mark.utf8CodeUnitCount)
        }
    }
}
