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
    /// The coding of values, where it is not `as-typed`.
    public var values: ValueForm?
    /// The separator of a table.
    public var separator: String?
    /// Whether the first row of a table names its columns.
    public var hasHeader: Bool?
    /// The columns of the parts of a question, where their content showed them: stem, options and correct.
    public var columns: [String: [String]] = [:]
    /// The decimal sign, where it is a comma.
    public var decimal: DecimalSign?
    /// What became of letters before options; `nil` if there are none.
    public var letters: LetterRule?
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
        lines += [tableLine, keyLine].compactMap(\.self)
        if let letters {
            lines.append("options: their letters were \(letters == .remove ? "removed" : "kept")")
        }
        if let values { lines.append("values: decoded from \(values.rawValue)") }
        if decimal == .comma { lines.append("numbers: with a decimal comma") }
        return lines
    }

    private var tableLine: String? {
        guard let separator else { return nil }
        let names = ["\t": "tab", ",": "comma", ";": "semicolon", "|": "bar"]
        let found = ["stem", "options", "correct"].compactMap { part in
            columns[part].map { columns in
                "\(part) in \(columns.map { "\"\($0.prefix(60))\"" }.joined(separator: ", "))"
            }
        }
        return
            (["separator: \(names[separator] ?? separator)"]
            + (hasHeader == false ? ["no header"] : []) + found).joined(separator: "; ")
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
