import ContentModel

/// A list of texts in one column of a database, as a JSON array.
package enum StoredTexts {
    /// Writes the list.
    package static func text(_ texts: [String]) -> String {
        // Texts without a quotation mark, backslash or control character need no escapes.
        let isPlain = texts.allSatisfy { text in
            text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }
        }
        if isPlain { return texts.isEmpty ? "[]" : "[\"\(texts.joined(separator: "\",\""))\"]" }
        let json = JSONValue.array(texts.map { .string($0) })
        return String(decoding: json.canonicalBytes, as: UTF8.self)
    }

    /// Reads the output of `text`; an empty list for anything else.
    package static func texts(_ text: String) -> [String] {
        if let plain = plainTexts(text) { return plain }
        guard case .array(let nodes)? = try? JSONParser.parse(Array(text.utf8)).content else {
            return []
        }
        return nodes.compactMap { if case .string(let text) = $0.content { text } else { nil } }
    }

    /// Reads texts without escapes, the usual case; `nil` for any other form.
    ///
    /// Without a backslash, a quotation mark can only begin or end a text.
    private static func plainTexts(_ text: String) -> [String]? {
        if text == "[]" { return [] }
        let bytes = text.utf8
        guard bytes.count >= 4, bytes.starts(with: [0x5B, 0x22]),
            bytes.suffix(2).elementsEqual([0x22, 0x5D]),
            !bytes.contains(where: { $0 == 0x5C || $0 < 0x20 })
        else { return nil }
        // Between the marks, every second piece is a text, with a comma between two of them.
        let pieces = bytes.dropFirst(2).dropLast(2).split(
            separator: 0x22, omittingEmptySubsequences: false)
        var texts: [String] = []
        for (index, piece) in pieces.enumerated() {
            if index % 2 == 0 {
                texts.append(String(Substring(piece)))
            } else if !piece.elementsEqual([0x2C]) {
                return nil
            }
        }
        return pieces.count % 2 == 1 ? texts : nil
    }
}
