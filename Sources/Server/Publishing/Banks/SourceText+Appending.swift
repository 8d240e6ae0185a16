import ContentModel

extension SourceText {
    /// Returns the bytes with a value added at the end of a list; all other bytes stay unchanged.
    ///
    /// The result is parsed again and compared before it is returned. If the value cannot be added separately, as to an
    /// empty list, the list is replaced.
    ///
    /// - Throws: `PublishingError` `invalidRequest` if there is no such list, or no edit gives the wanted document.
    func appending(_ value: JSONValue, toListAt path: [DocumentStep]) throws -> [UInt8] {
        guard case .array(let elements)? = root.node(at: path)?.content else {
            throw PublishingError(.invalidRequest, "\(file) has no such list.")
        }
        let longer = JSONValue.array(elements.map(\.value) + [value])
        let wanted = root.value.replacing(path, with: longer).canonicalBytes
        for isPlainest in [false, true] {
            guard let edited = appended(value, path, elements, isPlainest: isPlainest) else {
                break
            }
            let report = DecodingReport(file: file, strictness: .authored)
            let read = SourceDocument.parse(edited, report: report)
            if read?.value.canonicalBytes == wanted { return edited }
        }
        return try replacing(path, with: longer)
    }

    private func appended(
        _ value: JSONValue, _ path: [DocumentStep], _ elements: [DocumentNode], isPlainest: Bool
    ) -> [UInt8]? {
        guard let last = elements.last else { return nil }
        let isJSON = file.hasSuffix(".json")
        let lines = SourceLines(bytes, isJSON: isJSON)
        let spans = NodeSpans(lines: lines, isJSON: isJSON)
        let fragment = SourceFragment(
            isJSON: isJSON, newline: lines.newline, isPlainest: isPlainest)
        var (node, place) = (root, NodePlace.root(isJSON: isJSON))
        for step in path {
            guard let next = node.node(at: CollectionOfOne(step)) else { return nil }
            place = spans.inner(of: node, place)
            node = next
        }
        let inner = spans.inner(of: node, place)
        let end = spans.span(of: last, inner).upperBound
        let start = lines.offset(of: last.position)
        guard spans.isBlock(node, place) else {
            let pad = lines.indentationStart(start).map { start - $0 }
            let separator =
                pad.map { "," + lines.newline + String(repeating: " ", count: $0) } ?? ", "
            return inserted(separator + fragment.flow(value, indent: pad ?? 0), at: end)
        }
        let column = node.position.column - 1
        var gap = lines.newline
        if elements.count > 1 {
            let before = spans.span(of: elements[elements.count - 2], inner).upperBound
            if hasEmptyLine(before..<max(before, start)) { gap += lines.newline }
        }
        return inserted(
            gap + String(repeating: " ", count: column) + "- "
                + fragment.block(value, column: column + 2),
            at: lines.lineEnd(end))
    }

    private func inserted(_ text: String, at offset: Int) -> [UInt8] {
        Array(bytes[..<offset]) + Array(text.utf8) + Array(bytes[offset...])
    }

    private func hasEmptyLine(_ range: Range<Int>) -> Bool {
        let marks = bytes[range].filter { $0 != UInt8(ascii: "\r") }
        return zip(marks, marks.dropFirst()).contains {
            $0 == UInt8(ascii: "\n") && $1 == UInt8(ascii: "\n")
        }
    }
}
