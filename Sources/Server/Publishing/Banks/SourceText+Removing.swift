import ContentModel

extension SourceText {
    /// Returns the bytes without an element of a list; all other bytes stay the same.
    ///
    /// The result is parsed again and compared before it is returned. Where the element's lines cannot go by themselves, as
    /// on a line with others, the list is replaced.
    ///
    /// - Throws: `PublishingError` `invalidRequest` when there is no such element, or no way gives the wanted document.
    func removing(_ index: Int, fromListAt path: [DocumentStep]) throws -> [UInt8] {
        guard case .array(let elements)? = root.node(at: path)?.content,
            elements.indices.contains(index)
        else {
            throw PublishingError(.invalidRequest, "\(file) has no such element.")
        }
        var left = elements
        left.remove(at: index)
        let shorter = JSONValue.array(left.map(\.value))
        let wanted = root.value.replacing(path, with: shorter).canonicalBytes
        if !left.isEmpty, let edited = withoutLines(of: index, elements) {
            let report = DecodingReport(file: file, strictness: .authored)
            let read = SourceDocument.parse(edited, report: report)
            if read?.value.canonicalBytes == wanted { return edited }
        }
        return try replacing(path, with: shorter)
    }

    /// Returns the bytes without the lines of an element and the comments right above it; those above the next one stay.
    private func withoutLines(of index: Int, _ elements: [DocumentNode]) -> [UInt8]? {
        guard !file.hasSuffix(".json") else { return nil }
        let lines = SourceLines(bytes, isJSON: false)
        func start(of node: DocumentNode) -> Int { lineStart(lines.offset(of: node.position)) }
        let end =
            elements.indices.contains(index + 1)
            ? back(from: start(of: elements[index + 1]), overEmptyLines: true) : bytes.count
        // What stands above the first one may be about all of them.
        let own = start(of: elements[index])
        let first = index == 0 ? own : back(from: own, overEmptyLines: false)
        guard first < end else { return nil }
        return Array(bytes[..<first]) + Array(bytes[end...])
    }

    private func lineStart(_ offset: Int) -> Int {
        bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    }

    /// Returns the start of the comments, and perhaps empty lines, above a line.
    private func back(from start: Int, overEmptyLines: Bool) -> Int {
        var start = start
        while start > 0 {
            let before = lineStart(start - 1)
            let text = String(decoding: bytes[before..<start], as: UTF8.self)
            let isComment = text.drop { $0 == " " }.hasPrefix("#")
            guard isComment || (overEmptyLines && text.allSatisfy(\.isWhitespace)) else { break }
            start = before
        }
        return start
    }
}
