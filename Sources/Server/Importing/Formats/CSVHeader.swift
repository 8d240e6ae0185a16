/// The columns of a table of questions under the names by which its fields are read.
///
/// Case, spaces and hyphens make no difference: `Correct Answer` is `correct_answer`.
struct CSVHeader {
    /// The names, each once.
    private(set) var names: [String] = []
    /// The names that the user gave.
    let given: Set<String>

    /// - Parameters:
    ///   - header: The first row.
    ///   - settings: The names of columns that the user gave.
    init(_ header: [String], _ settings: ImportSettings) {
        let given = Array(settings.mapping.values) + settings.joins.values.joined()
        self.given = Set(settings.mapping.values)
        let known = given + MappedRecord.knownNames
        var spellings: [String: String] = [:]
        for name in known where spellings[Self.bare(name)] == nil {
            spellings[Self.bare(name)] = name
        }
        let columns = KahootHeader.names(header)
        for (name, words) in FieldWords.words {
            for word in words where spellings[word] == nil { spellings[word] = name }
        }
        // A name that is spelled exactly is that one, whatever else resembles it.
        let exact = Set(columns).intersection(known)
        var counts: [String: Int] = [:]
        for column in columns {
            let name = spellings[Self.bare(column)] ?? Self.optionColumn(column) ?? column
            names.append(Self.free(exact.contains(name) ? column : name, column, &counts))
        }
        if settings.mapping["correct"] == nil { nameFlags(columns) }
    }

    // MARK: Flags beside options

    /// The name of a further column for the key, where no order says to which option each belongs.
    static let repeatedKey = "correct, repeated"

    /// The words for a key that are none for an option.
    private static let flagWords = Set(
        (MappedRecord.synonyms["correct"] ?? []).map(bare) + (FieldWords.words["answer"] ?? [])
            + ["right", "iscorrect", "isright", "istrue"]
    ).subtracting(FieldWords.options)

    /// Names the columns that say of each option whether it is right: `Correct A`, or `Correct` behind each option.
    private mutating func nameFlags(_ columns: [String]) {
        let options = names.map(MappedRecord.optionName)
        let marks = columns.map(Self.flagMark)
        let marked = columns.indices.filter { options[$0] == nil && marks[$0] != nil }
        let all = options.compactMap(\.self)
        if marked.count > 1, Set(marked.compactMap { marks[$0] }) == Set(all),
            marked.count == all.count
        {
            return rename(
                Dictionary(
                    uniqueKeysWithValues: marked.map { ($0, "correct_" + (marks[$0] ?? "")) }))
        }
        let bare = columns.map(Self.bare)
        let words = Dictionary(grouping: columns.indices) { bare[$0] }
            .filter { $0.value.count > 1 && Self.flagWords.contains($0.key) }
        guard let keys = words.values.max(by: { $0.count < $1.count }) else { return }
        let order = columns.indices.filter { options[$0] != nil || keys.contains($0) }
        let isBehindEach =
            order.count == 2 * keys.count
            && order.indices.allSatisfy { keys.contains(order[$0]) == ($0 % 2 == 1) }
        var renamed: [Int: String] = [:]
        for (place, column) in order.enumerated() where keys.contains(column) {
            renamed[column] =
                isBehindEach
                ? "correct_" + (options[order[place - 1]] ?? "")
                : "\(Self.repeatedKey) (\(column + 1))"
        }
        rename(renamed)
    }

    /// Gives columns other names; names of which two are the same belong to no option.
    private mutating func rename(_ renamed: [Int: String]) {
        var taken = Set(names.indices.filter { renamed[$0] == nil }.map { names[$0] })
        let areFree = renamed.values.allSatisfy { taken.insert($0).inserted }
        for (column, name) in renamed.sorted(by: { $0.key < $1.key }) {
            var free = areFree ? name : "\(Self.repeatedKey) (\(column + 1))"
            while !areFree, !taken.insert(free).inserted { free += "'" }
            names[column] = free
        }
    }

    /// Returns the letter or number of the option of which a column such as `Correct A` or `option_a_correct` speaks.
    private static func flagMark(_ column: String) -> String? {
        let bare = bare(column)
        for word in flagWords {
            if bare.hasPrefix(word), bare.count <= word.count + 2,
                let mark = MappedRecord.optionName(String(bare.dropFirst(word.count)))
            {
                return mark
            }
            if bare.hasSuffix(word),
                let mark = MappedRecord.optionName(String(bare.dropLast(word.count)))
            {
                return mark
            }
        }
        return nil
    }

    /// Returns a name for a column; a further one of a name keeps its own, so that it is listed as not read.
    private static func free(
        _ name: String, _ column: String, _ counts: inout [String: Int]
    ) -> String {
        var free = counts[name] == nil ? name : column
        while let count = counts[free] {
            counts[free] = count + 1
            // Each number is tried once for each column, however many there are of one name.
            free = "\(column) (\(count + 1))"
        }
        counts[free] = 1
        return free
    }

    /// Returns a name in small letters, without what stands between words.
    private static func bare(_ name: String) -> String {
        name.lowercased().filter { !" _-*:".contains($0) }
    }

    /// Returns the name of a column with a part of an option, such as `image_a` or `feedback_2`.
    private static func optionColumn(_ column: String) -> String? {
        let parts = column.lowercased().split { " _-".contains($0) }
        guard parts.count == 2,
            ["option", "answer", "choice", "image", "feedback"].contains(parts[0]),
            MappedRecord.optionName(String(parts[1])) != nil
        else { return nil }
        return "\(parts[0])_\(parts[1])"
    }
}
