import ContentModel

/// The numbers of a document as they are written: `1.10` is no 1.1 where it is the text of an option.
struct NumberSpelling {
    /// The characters of the document, those beyond ASCII as zeros, so that each is found by its number.
    private var characters: [UInt8] = []
    /// The places where lines begin.
    private var starts = [0]

    /// - Parameter text: The document from which the places of its values come.
    init(_ text: String) {
        characters.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            characters.append(UInt8(ascii: scalar.isASCII ? scalar : "\0"))
            if scalar == "\n" { starts.append(characters.count) }
        }
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
        guard starts.indices.contains(position.line - 1), position.column > 0 else { return nil }
        let start = starts[position.line - 1] + position.column - 1
        let number = characters.dropFirst(start).prefix { "+-.0123456789eE".utf8.contains($0) }
        return number.isEmpty ? nil : String(decoding: number, as: UTF8.self)
    }
}
