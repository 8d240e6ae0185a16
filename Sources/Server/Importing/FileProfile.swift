/// The decisions about a whole file, made before any key is read, with their evidence.
///
/// ```json
/// {"fits": {"letters": 240, "texts": 3}, "decisive": {"letters": 237}, "keys": ["letters"], "keyed": 240}
/// ```
public struct FileProfile: Sendable, Hashable, Codable {
    /// A list of a document, with the number of its entries.
    public struct List: Sendable, Hashable, Codable {
        /// The path, such as `$.easy`.
        public var path: String
        /// The number of entries.
        public var records: Int
    }

    /// The lists of questions.
    public var lists: [List] = []
    /// The lists that hold no questions.
    public var unreadLists: [List] = []
    /// The readings by which the keys were read.
    public var keys: [KeyReading] = []
    /// The number of keys that fit each reading, by its name.
    public var fits: [String: Int] = [:]
    /// The number of keys that fit one reading only, by its name.
    public var decisive: [String: Int] = [:]
    /// The number of keys.
    public var keyed = 0
    /// True when the user named the reading of keys.
    public var isKeyReadingGiven = false

    init() {}

    /// The lines that say what was decided and why; none if there was nothing to decide.
    public var lines: [String] {
        var lines: [String] = []
        if lists.count + unreadLists.count > 1 {
            let read = lists.prefix(20).map { "\($0.path) (\($0.records))" }
            let unread = unreadLists.prefix(20).map { "\($0.path) (\($0.records))" }
            lines.append(
                "questions in \(read.joined(separator: ", "))"
                    + (unread.isEmpty ? "" : "; none in \(unread.joined(separator: ", "))"))
        }
        if let keys = keyLine { lines.append(keys) }
        return lines
    }

    private var keyLine: String? {
        guard !keys.isEmpty else { return nil }
        let evidence = keys.map { "\(fits[$0.rawValue] ?? 0) of \(keyed) fit" }
        let others = KeyReading.allCases.filter { !keys.contains($0) }.compactMap { other in
            fits[other.rawValue].map { "\($0) also fit \(other.words)" }
        }
        let named = zip(keys, evidence).map { "\($0.words) (\($1))" }.joined(separator: " and ")
        return "keys: \(named)" + others.map { ", \($0)" }.joined()
            + (isKeyReadingGiven ? ", as --keys says" : "")
    }
}
