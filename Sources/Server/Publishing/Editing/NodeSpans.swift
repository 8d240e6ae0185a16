import ContentModel

/// A locator of the bytes of a document's nodes.
///
/// The parsers report only where a node starts. The end follows from its content and style: for a
/// map or list in block style it is the end of its last value.
struct NodeSpans {
    /// The text with its lines.
    let lines: SourceLines
    /// True for JSON.
    let isJSON: Bool

    private var bytes: [UInt8] { lines.bytes }

    /// Returns the bytes of a node; empty for a missing value, as after `key:`.
    func span(of node: DocumentNode, _ place: NodePlace) -> Range<Int> {
        let start = lines.offset(of: node.position)
        return start..<max(start, end(of: node, place))
    }

    /// Returns true for a map or list without brackets.
    func isBlock(_ node: DocumentNode, _ place: NodePlace) -> Bool {
        guard !place.isInFlow else { return false }
        switch node.content {
        case .array, .object:
            return !isOpening(contentStart(node))
        default: return false
        }
    }

    /// Returns the context of a map's values or a list's elements.
    func inner(of node: DocumentNode, _ place: NodePlace) -> NodePlace {
        guard isBlock(node, place) else { return NodePlace(isInFlow: true, parentIndent: -1) }
        if case .object(let members) = node.content, let first = members.first {
            return NodePlace(isInFlow: false, parentIndent: first.keyPosition.column - 1)
        }
        return NodePlace(
            isInFlow: false, parentIndent: node.position.column - 1, isElement: true)
    }

    private func isOpening(_ offset: Int) -> Bool {
        offset < bytes.count
            && (bytes[offset] == UInt8(ascii: "{") || bytes[offset] == UInt8(ascii: "["))
    }

    /// Returns the offset of a node's content, after its anchors and tags.
    private func contentStart(_ node: DocumentNode) -> Int {
        var offset = lines.offset(of: node.position)
        while !isJSON, offset < bytes.count,
            bytes[offset] == UInt8(ascii: "&") || bytes[offset] == UInt8(ascii: "!")
        {
            while offset < bytes.count, !isBlank(bytes[offset]) { offset += 1 }
            while offset < bytes.count, isBlank(bytes[offset]) { offset += 1 }
        }
        return offset
    }

    private func end(of node: DocumentNode, _ place: NodePlace) -> Int {
        let start = contentStart(node)
        guard start < bytes.count else { return start }
        let last: DocumentNode?
        switch node.content {
        case .object(let members): last = members.last?.value
        case .array(let elements): last = elements.last
        default: return scalarEnd(start, node, place)
        }
        if isOpening(start) { return FlowScan(bytes, isJSON: isJSON).end(start) }
        return last.map { end(of: $0, inner(of: node, place)) } ?? start
    }

    private func scalarEnd(_ start: Int, _ node: DocumentNode, _ place: NodePlace) -> Int {
        switch bytes[start] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return FlowScan(bytes, isJSON: isJSON).quoteEnd(start)
        case UInt8(ascii: "|") where !place.isInFlow, UInt8(ascii: ">") where !place.isInFlow:
            return literalEnd(start, place.parentIndent)
        default:
            if case .null = node.content, !"~nN".utf8.contains(bytes[start]) { return start }
            return plainEnd(start, place)
        }
    }

    /// Returns the end of a scalar after `|` or `>`: that of its last line with text, or of the
    /// trailing empty lines where they belong to the value.
    private func literalEnd(_ start: Int, _ parentIndent: Int) -> Int {
        var end = lines.lineEnd(start)
        let keepsEmpty = bytes[start..<end].prefix { !isBlank($0) }.contains(UInt8(ascii: "+"))
        var line = lines.nextLine(start)
        while line < bytes.count {
            let text = firstText(line)
            let isEmpty = text == bytes.count || isNewline(bytes[text])
            guard isEmpty || text - line > parentIndent else { break }
            if !isEmpty || keepsEmpty { end = lines.lineEnd(line) }
            line = lines.nextLine(line)
        }
        return end
    }

    /// Returns the offset of the first byte of a line that is not a space.
    private func firstText(_ line: Int) -> Int {
        var offset = line
        while offset < bytes.count, bytes[offset] == UInt8(ascii: " ") { offset += 1 }
        return offset
    }

    /// Returns the end of a plain scalar, which may continue on lines with more indentation.
    private func plainEnd(_ start: Int, _ place: NodePlace) -> Int {
        var end = start
        var offset = start
        while offset < bytes.count {
            let byte = bytes[offset]
            if isNewline(byte) {
                guard let next = continuation(offset, place) else { return end }
                offset = next
                continue
            }
            if byte == UInt8(ascii: "#"), offset > start, isBlank(bytes[offset - 1]) { return end }
            if byte == UInt8(ascii: ":"), endsKey(offset, place) { return end }
            if place.isInFlow, ",[]{}".utf8.contains(byte) { return end }
            offset += 1
            if !isBlank(byte) { end = offset }
        }
        return end
    }

    private func endsKey(_ offset: Int, _ place: NodePlace) -> Bool {
        guard offset + 1 < bytes.count else { return true }
        let next = bytes[offset + 1]
        return isBlank(next) || (place.isInFlow && ",[]{}".utf8.contains(next))
    }

    /// Returns the offset at which a plain scalar continues after the end of a line; `nil` if it
    /// ends there.
    private func continuation(_ newline: Int, _ place: NodePlace) -> Int? {
        var line = newline
        while line < bytes.count, isNewline(bytes[line]) {
            let start = line + 1
            var text = start
            while text < bytes.count, bytes[text] == 0x20 || bytes[text] == 0x09 { text += 1 }
            guard text < bytes.count else { return nil }
            if isNewline(bytes[text]) {
                line = text
                continue
            }
            let isDeeper = place.isInFlow || firstText(start) - start > place.parentIndent
            return isDeeper && bytes[text] != UInt8(ascii: "#") ? text : nil
        }
        return nil
    }

    private func isNewline(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || isNewline(byte) }
}
