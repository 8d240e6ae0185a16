import ContentModel

/// One attempt to replace a value in a text; collects splices.
struct SourceEdit {
    /// The strategies, from the smallest change to the largest.
    enum Strategy: CaseIterable {
        /// Changes only the differing members and elements.
        case parts
        /// Replaces the whole value, in the style of its surroundings.
        case whole
        /// Replaces the whole value by a single line.
        case line
    }

    /// The replacement of some bytes; an insertion where there are none.
    private struct Splice {
        var range: Range<Int>
        var text: String
    }

    private let source: SourceText
    private let lines: SourceLines
    private let spans: NodeSpans
    private let strategy: Strategy
    private let fragment: SourceFragment
    private var splices: [Splice] = []

    /// Creates an attempt.
    init(_ source: SourceText, strategy: Strategy) {
        let isJSON = source.file.hasSuffix(".json")
        self.source = source
        self.strategy = strategy
        lines = SourceLines(source.bytes, isJSON: isJSON)
        spans = NodeSpans(lines: lines, isJSON: isJSON)
        fragment = SourceFragment(
            isJSON: isJSON, newline: lines.newline, isPlainest: strategy == .line)
    }

    /// Returns the changed text; `nil` when the strategy does not apply.
    mutating func bytes(replacing changes: [(path: [DocumentStep], value: JSONValue)]) -> [UInt8]? {
        for (path, value) in changes {
            var node = source.root
            var place = NodePlace.root(isJSON: spans.isJSON)
            for step in path {
                guard let next = node.node(at: CollectionOfOne(step)) else { return nil }
                place = spans.inner(of: node, place)
                node = next
            }
            strategy == .parts ? change(node, place, to: value) : replace(node, place, with: value)
        }
        return spliced()
    }

    private func spliced() -> [UInt8]? {
        let bytes = source.bytes
        // At the same offset insertions come first, in the order of their creation.
        let ordered = splices.enumerated().map { index, splice in
            (key: (splice.range.lowerBound, splice.range.isEmpty ? 0 : 1, index), splice: splice)
        }.sorted { $0.key < $1.key }
        var result: [UInt8] = []
        var end = 0
        for (_, splice) in ordered {
            guard splice.range.lowerBound >= end, splice.range.upperBound <= bytes.count else {
                return nil
            }
            result += bytes[end..<splice.range.lowerBound]
            result += splice.text.utf8
            end = splice.range.upperBound
        }
        return result + bytes[end...]
    }

    // MARK: One value

    private mutating func change(
        _ node: DocumentNode, _ place: NodePlace, to value: JSONValue
    ) {
        if node.value.canonicalBytes == value.canonicalBytes { return }
        switch (node.content, value) {
        case (.object(let members), .object(let values)) where !members.isEmpty:
            if !changeMembers(members, of: node, place, to: values) {
                replace(node, place, with: value)
            }
        case (.array(let elements), .array(let values)) where elements.count == values.count:
            let inner = spans.inner(of: node, place)
            for (element, value) in zip(elements, values) { change(element, inner, to: value) }
        default: replace(node, place, with: value)
        }
    }

    private mutating func replace(
        _ node: DocumentNode, _ place: NodePlace, with value: JSONValue
    ) {
        let span = spans.span(of: node, place)
        splices.append(Splice(range: span, text: text(value, in: place, of: node, span)))
    }

    private func text(
        _ value: JSONValue, in place: NodePlace, of node: DocumentNode, _ span: Range<Int>
    ) -> String {
        // A missing value belongs directly behind its colon or dash.
        if place.isInFlow {
            let text = fragment.flow(value, indent: indent(of: span.lowerBound))
            return span.isEmpty ? " " + text : text
        }
        let column = node.position.column - 1
        if spans.isBlock(node, place) || (place.isElement && !span.isEmpty) {
            return fragment.block(value, column: column, like: names(node))
        }
        // The space before the value stays.
        let text = fragment.afterName(value, indent: max(0, place.parentIndent))
        return span.isEmpty || !text.hasPrefix(" ") ? text : String(text.dropFirst())
    }

    private func names(_ node: DocumentNode) -> [String] {
        guard case .object(let members) = node.content else { return [] }
        return members.map(\.key)
    }

    /// Returns the spaces that begin the line of an offset.
    private func indent(of offset: Int) -> Int {
        let line = source.bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return source.bytes[line...].prefix { $0 == UInt8(ascii: " ") }.count
    }

    // MARK: The members of a map

    /// Changes, removes and adds members; returns false when the map has to be replaced as a whole.
    private mutating func changeMembers(
        _ members: [DocumentNode.Member], of node: DocumentNode, _ place: NodePlace,
        to values: [String: JSONValue]
    ) -> Bool {
        let inner = spans.inner(of: node, place)
        let kept = members.filter { values[$0.key] != nil }
        guard !kept.isEmpty, let removals = removals(members, kept, inner) else { return false }
        splices += removals
        let names = Set(members.map(\.key))
        for name in SourceFragment.ordered(values.keys.filter { !names.contains($0) }) {
            let added = insertion(name, values[name] ?? .null, into: kept, inner)
            splices.append(added)
        }
        for member in kept { change(member.value, inner, to: values[member.key] ?? .null) }
        return true
    }

    /// Returns the splices that remove members; `nil` if the first one goes, whose position the
    /// next would have to take.
    private func removals(
        _ members: [DocumentNode.Member], _ kept: [DocumentNode.Member], _ place: NodePlace
    ) -> [Splice]? {
        guard members.first?.key == kept.first?.key else { return nil }
        let names = Set(kept.map(\.key))
        var removals: [Splice] = []
        for (before, member) in zip(members, members.dropFirst()) where !names.contains(member.key)
        {
            let end = spans.span(of: member.value, place).upperBound
            if place.isInFlow {
                let start = spans.span(of: before.value, place).upperBound
                removals.append(Splice(range: start..<max(start, end), text: ""))
                continue
            }
            let key = lines.offset(of: member.keyPosition)
            guard let start = lines.indentationStart(key) else { return nil }
            removals.append(Splice(range: start..<max(start, lines.nextLine(end)), text: ""))
        }
        return removals
    }

    /// Returns the splice that adds a member, behind the last of those that usually precede it.
    private func insertion(
        _ name: String, _ value: JSONValue, into kept: [DocumentNode.Member], _ place: NodePlace
    ) -> Splice {
        let earlier = kept.last { SourceFragment.ordered([name, $0.key]).first != name }
        let neighbour = earlier ?? kept[kept.count - 1]
        let end = spans.span(of: neighbour.value, place).upperBound
        let column = neighbour.keyPosition.column - 1
        guard !place.isInFlow else {
            let key = lines.offset(of: neighbour.keyPosition)
            let separator =
                lines.indentationStart(key).map { _ in
                    "," + lines.newline + String(repeating: " ", count: column)
                } ?? ", "
            let text = fragment.flow(value, indent: indent(of: key))
            return Splice(range: end..<end, text: separator + fragment.name(name) + ": " + text)
        }
        let place = lines.lineEnd(end)
        let text = fragment.afterName(value, indent: column)
        return Splice(
            range: place..<place,
            text: lines.newline + String(repeating: " ", count: column) + fragment.name(name) + ":"
                + text)
    }
}
