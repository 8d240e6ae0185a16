import ContentModel

/// The numbers of a document as they are written: `1.10` is no 1.1 where it is the text of an option.
struct NumberSpelling {
    private let lines: [Substring]

    /// - Parameter text: The document from which the places of its values come.
    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Replaces numbers whose usual form is another than the written one by their text.
    func applied(to node: DocumentNode) -> DocumentNode {
        var node = node
        switch node.content {
        case .integer(let number):
            if let text = written(node.position), Int(text) == Int(number), text != "\(number)" {
                node.content = .string(text)
            }
        case .decimal(let number):
            if let text = written(node.position), Double(text) == number, text != "\(number)" {
                node.content = .string(text)
            }
        case .array(let nodes): node.content = .array(nodes.map(applied))
        case .object(let members):
            node.content = .object(
                members.map {
                    .init(key: $0.key, keyPosition: $0.keyPosition, value: applied(to: $0.value))
                })
        default: break
        }
        return node
    }

    /// Returns the characters of a number at a place.
    private func written(_ position: SourcePosition) -> String? {
        guard lines.indices.contains(position.line - 1), position.column > 0 else { return nil }
        let line = lines[position.line - 1].unicodeScalars.dropFirst(position.column - 1)
        let number = line.prefix { "+-.0123456789eE".unicodeScalars.contains($0) }
        return number.isEmpty ? nil : String(number)
    }
}
