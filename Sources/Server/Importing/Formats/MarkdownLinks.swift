/// The links and pictures of a line of Markdown.
struct MarkdownLinks {
    /// The line without its pictures; a link `[text](address "title")` becomes `text (address)`.
    private(set) var text = ""
    /// The addresses of the pictures.
    private(set) var images: [String] = []

    /// Reads a line in one pass.
    init(_ line: String) {
        var rest = line[...]
        while let open = rest.firstIndex(of: "["),
            let end = rest[open...].dropFirst().firstIndex(where: { "[]".contains($0) })
        {
            text += rest[..<open]
            let label = rest[open..<end].dropFirst()
            // Only the innermost of two brackets can be a link.
            guard rest[end] == "]", rest[end...].dropFirst().first == "(" else {
                text += rest[open..<end]
                rest = rest[end...]
                if rest.first == "]" { text.append(contentsOf: [rest.removeFirst()]) }
                continue
            }
            let inside = rest[end...].dropFirst(2)
            guard let close = inside.firstIndex(of: ")") else {
                rest = rest[open...]
                break
            }
            add(label, inside[..<close])
            rest = inside[close...].dropFirst()
        }
        text += rest
    }

    private mutating func add(_ label: Substring, _ target: Substring) {
        let address = target.prefix { !$0.isWhitespace }
        if text.last == "!", !address.isEmpty {
            text.removeLast()
            images.append(String(address))
        } else if !label.isEmpty, !address.isEmpty {
            text += "\(label) (\(address))"
        } else {
            text += "[\(label)](\(target))"
        }
    }
}
