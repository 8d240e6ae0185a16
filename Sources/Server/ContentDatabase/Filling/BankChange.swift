import ContentModel

/// The rows of one bank that differ from those in the tables.
struct BankChange: Sendable {
    /// A question to write.
    struct Row: Hashable, Sendable {
        var id: String
        /// The canonical JSON.
        var json: String
        /// The checksum of the JSON.
        var checksum: String
    }

    /// The new and changed questions, in the author's order.
    var written: [Row] = []
    /// The ids of the questions that are gone, sorted.
    var removed: [String] = []
    /// The ids of the questions that the database cannot store, because a text has U+0000.
    var leftOut: [String] = []

    /// Compares a bank with the checksums of the questions in the tables.
    init(to bank: Blueprint, from present: [String: String]) {
        var gone = present
        for question in bank.questions {
            let json = question.json
            guard !json.hasNull else {
                leftOut.append(question.id)
                continue
            }
            gone[question.id] = nil
            let bytes = json.canonicalBytes
            let checksum = Checksum(of: bytes).hex
            guard present[question.id] != checksum else { continue }
            written.append(
                Row(
                    id: question.id, json: String(decoding: bytes, as: UTF8.self),
                    checksum: checksum))
        }
        removed = gone.keys.sorted()
    }

    /// Returns the written rows in statements of at most that many rows and about that many bytes.
    func batches(rowsMax: Int, bytesMax: Int) -> [ArraySlice<Row>] {
        var batches: [ArraySlice<Row>] = []
        var start = written.startIndex
        var bytes = 0
        for (index, row) in written.enumerated() {
            let size = row.json.utf8.count
            if index > start, index - start == rowsMax || bytes + size > bytesMax {
                batches.append(written[start..<index])
                start = index
                bytes = 0
            }
            bytes += size
        }
        if start < written.endIndex { batches.append(written[start...]) }
        return batches
    }
}

extension JSONValue {
    /// True when a text in it has U+0000, which PostgreSQL cannot store.
    var hasNull: Bool {
        switch self {
        case .null, .bool, .integer, .decimal: false
        case .string(let text): text.utf8.contains(0)
        case .array(let values): values.contains(where: \.hasNull)
        case .object(let members): members.contains { $0.key.utf8.contains(0) || $0.value.hasNull }
        }
    }
}
