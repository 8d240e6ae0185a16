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

    /// Reads what `text` wrote; nothing of anything else.
    package static func texts(_ text: String) -> [String] {
        guard case .array(let nodes)? = try? JSONParser.parse(Array(text.utf8)).content else {
            return []
        }
        return nodes.compactMap { if case .string(let text) = $0.content { text } else { nil } }
    }
}
