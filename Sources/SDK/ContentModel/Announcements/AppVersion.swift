/// The version of an app: numbers separated by dots, compared number by number.
///
/// 1.9 is older than 1.10; trailing zeros are ignored, and a part that is not a number counts as
/// zero.
struct AppVersion: Comparable {
    private let numbers: [Int]

    init(_ text: String) {
        var numbers = text.split(separator: ".", omittingEmptySubsequences: false)
            .map { Int($0) ?? 0 }
        while numbers.last == 0 { numbers.removeLast() }
        self.numbers = numbers
    }

    /// Returns true if a text consists of numbers separated by dots, such as `2.10`.
    static func isPlain(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false)
            .allSatisfy { Int($0) != nil && $0.allSatisfy(\.isNumber) }
    }

    static func < (left: AppVersion, right: AppVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}

/// Language tags (RFC 5646) and their comparison by RFC 4647.
enum LanguageTag {
    /// Returns true for subtags of 1 to 8 letters and digits with hyphens between them, the first of 2 to 8 letters.
    static func isWellFormed(_ tag: String) -> Bool {
        let subtags = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard tag.utf8.count <= 35, let first = subtags.first, first.count >= 2 else {
            return false
        }
        return subtags.allSatisfy { subtag in
            (1...8).contains(subtag.count)
                && subtag.allSatisfy { byte in
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                }
        } && first.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
    }

    /// Returns true if a tag is in a range: `de-AT` is in `de` (basic filtering, section 3.3.1).
    static func matches(_ tag: String, range: String) -> Bool {
        let (tag, range) = (tag.lowercased(), range.lowercased())
        return tag == range || tag.hasPrefix(range + "-")
    }

    /// Returns the first of the tags that has a key, each tag also truncated from its end (lookup,
    /// section 3.4).
    static func lookUp(_ tags: [String], in keys: some Sequence<String>) -> String? {
        let keys = Dictionary(keys.map { ($0.lowercased(), $0) }, uniquingKeysWith: { $1 })
        for tag in tags {
            var subtags = tag.lowercased().split(separator: "-")
            while !subtags.isEmpty {
                if let found = keys[subtags.joined(separator: "-")] { return found }
                subtags.removeLast()
            }
        }
        return nil
    }
}
