/// The lines of one question.
struct GIFTBlock {
    var line: Int
    var body = ""
    var tags: [String] = []
    var id: String?

    /// Returns the blocks of a text, which end at a blank line outside braces; comments are
    /// removed, their marks kept.
    static func blocks(of text: String) -> [GIFTBlock] {
        var blocks: [GIFTBlock] = []
        var current: GIFTBlock?
        var depth = 0
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let bare = line.drop { $0 == " " || $0 == "\t" }
            if bare.hasPrefix("//") {
                var block = current ?? GIFTBlock(line: index + 1)
                block.readMarks(bare)
                current = block
            } else if bare.allSatisfy(\.isWhitespace), depth == 0 {
                if let block = current, !block.body.isEmpty {
                    blocks.append(block)
                    current = nil
                }
            } else {
                var block = current ?? GIFTBlock(line: index + 1)
                // The only reference grows in place; a second one would copy the body each line.
                current = nil
                if block.body.isEmpty { block.line = index + 1 }
                block.body += line + "\n"
                depth = max(0, depth + GIFTSyntax.depth(of: line))
                current = block
            }
        }
        return blocks + (current.map { $0.body.isEmpty ? [] : [$0] } ?? [])
    }

    /// Reads `[id:x]` and `[tag:y]` in a comment, as Moodle writes them.
    private mutating func readMarks(_ comment: Substring) {
        for match in comment.matches(of: /\[(id|tag):((?:[^\]\\]|\\.)*)\]/) {
            let value = match.2.replacing(/\\(.)/) { $0.1 }
            if match.1 == "id" {
                id = String(value)
            } else {
                tags.append(String(value))
            }
        }
    }
}
