/// The lines of one question.
struct GIFTBlock {
    var line: Int
    var body = ""
    var tags: [String] = []
    var id: String?

    /// Returns the blocks of a text, which end at a blank line outside braces; comments are
    /// removed, their marks kept.
    ///
    /// A brace that opens below a blank line inside of another block means that the first one was never closed: its
    /// block ended at that line.
    static func blocks(of text: String) -> [GIFTBlock] {
        var blocks: [GIFTBlock] = []
        var current: GIFTBlock?
        var depth = 0
        // The lines since a blank one inside of braces.
        var held: (line: Int, body: String)?
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
                if depth == 0, beginsAnew(bare), let block = current,
                    block.body.contains("}")
                {
                    blocks.append(block)
                    current = nil
                }
                if let open = held, bare.contains("{"), GIFTSyntax.opens(line) {
                    if let block = current { blocks.append(block) }
                    current = GIFTBlock(
                        line: open.body.isEmpty ? index + 1 : open.line, body: open.body)
                    (held, depth) = (nil, 0)
                }
                depth = max(0, depth + GIFTSyntax.depth(of: line))
                if bare.allSatisfy(\.isWhitespace), held == nil { held = (index + 2, "") }
                if depth > 0, held != nil {
                    held?.body += line + "\n"
                    continue
                }
                var block = current ?? GIFTBlock(line: index + 1)
                // The only reference grows in place; a second one would copy the body each line.
                current = nil
                if block.body.isEmpty { block.line = index + 1 }
                block.body += (held?.body ?? "") + line + "\n"
                held = nil
                current = block
            }
        }
        if let held { current?.body += held.body }
        return blocks + (current.map { $0.body.isEmpty ? [] : [$0] } ?? [])
    }

    /// Returns whether a line outside of braces begins a category or a question with a title, whatever stands above it.
    private static func beginsAnew(_ line: Substring) -> Bool {
        line.hasPrefix("::") || line.prefix(10).uppercased() == "$CATEGORY:"
    }

    /// Reads `[id:x]` and `[tag:y]` in a comment, as Moodle writes them.
    private mutating func readMarks(_ comment: Substring) {
        for match in comment.matches(of: Pattern.giftMark) {
            let value = match.2.replacing(Pattern.escaped) { $0.1 }
            if match.1 == "id" {
                id = String(value)
            } else {
                tags.append(String(value))
            }
        }
    }
}
