extension RichText {
    /// The names of the pictures within the text, in their order, each once.
    public var imageNames: [String] {
        var names: [String] = []
        for block in blocks { block.collectImages(&names) }
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}

extension TextBlock {
    fileprivate func collectImages(_ names: inout [String]) {
        switch self {
        case .paragraph(let spans): for span in spans { span.collectImages(&names) }
        case .code: break
        case .list(_, let items): for block in items.joined() { block.collectImages(&names) }
        case .table(let table):
            for cell in ([table.head] + table.rows).joined() {
                for span in cell { span.collectImages(&names) }
            }
        }
    }
}

extension TextSpan {
    fileprivate func collectImages(_ names: inout [String]) {
        if case .image(let name, _) = self { names.append(name) }
        for child in children { child.collectImages(&names) }
    }
}
