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

/// The comparison of language tags by RFC 4647.
enum LanguageTag {
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
