/// FNV-1a with 64 bits (Fowler, Noll and Vo) over texts, each terminated by the byte FF.
package struct FNVHash: Sendable {
    /// The hash of the texts so far.
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Creates the hash of no text.
    package init() {}

    /// Adds a text and its terminator.
    package mutating func mix(_ text: String) {
        mix(bytes: text.utf8)
        mix(bytes: CollectionOfOne(0xFF))
    }

    /// Adds bytes that contain their terminators.
    package mutating func mix(bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}

extension [String: FieldValue] {
    /// The names and values as one text, ordered by the names' UTF-8 bytes.
    var digestText: String {
        sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { "\($0.key)=\($0.value.digestText)" }.joined(separator: "\u{1F}")
    }
}

extension Change {
    /// The change as a text that differs whenever the user's input differs.
    var digestText: String {
        switch self {
        case .put(let fields): "put " + fields.digestText
        case .delete: "delete"
        case .count(let field, let tally): "count \(field) \(tally.added) \(tally.removed)"
        case .restore(let record): "restore " + record.values.digestText
        }
    }
}
