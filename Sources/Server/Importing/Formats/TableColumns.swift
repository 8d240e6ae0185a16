import ContentModel

/// The columns of a table of questions by their content, where their names do not say them.
struct TableColumns {
    /// The names of the columns, by which a record is read.
    private(set) var names: [String]
    /// The columns that the content showed, by the part of a question.
    private(set) var found: [String: [String]] = [:]

    private let titles: [String]
    private let rows: [[String]]

    /// The least rows from which the content decides without asking.
    private static let rowsMin = 10

    /// Finds the parts that no name says.
    ///
    /// - Parameters:
    ///   - header: The names of the columns.
    ///   - titles: The columns as the file writes them.
    ///   - rows: The rows below.
    ///   - file: The file, for messages.
    /// - Throws: ``ImportError`` with the columns that may be meant, if the content does not decide.
    init(_ header: CSVHeader, titles: [String], rows: [[String]], file: String) throws(ImportError)
    {
        names = header.names
        self.titles = titles
        self.rows = rows
        let known = KnownParts(names, header.given)
        guard header.given.isEmpty, !known.hasKey || !known.hasStem && known.hasOptions else {
            return
        }
        guard let options = known.options ?? group(names) else { return }
        var keys: [(column: Int, right: [[Int]])] = []
        for column in names.indices
        where !options.contains(column) && !known.isKnown(names[column]) && !known.hasKey {
            if let right = key(column, options) { keys.append((column, right)) }
        }
        let taken = Set(options + keys.map(\.column))
        guard let stem = known.stem ?? stem(without: taken) else { return }
        guard known.hasKey || !keys.isEmpty else { return }
        keys.removeAll { $0.column == stem }
        let agree = keys.allSatisfy { $0.right == keys[0].right }
        guard agree, rows.count >= Self.rowsMin else {
            throw Self.open(file, titles, rows.count, stem, options, keys.map(\.column))
        }
        set(stem, options, keys.first?.column, known)
    }

    private mutating func set(_ stem: Int, _ options: [Int], _ key: Int?, _ known: KnownParts) {
        if known.stem == nil {
            names[stem] = "stem"
            found["stem"] = [titles[stem]]
        }
        if known.options == nil {
            for column in options {
                names[column] = "option_\(Self.mark(titles[column]).lowercased())"
            }
            found["options"] = options.map { titles[$0] }
        }
        if let key {
            names[key] = "correct"
            found["correct"] = [titles[key]]
        }
    }

    /// Asks which columns are meant, with the option that answers.
    private static func open(
        _ file: String, _ titles: [String], _ rows: Int, _ stem: Int, _ options: [Int],
        _ keys: [Int]
    ) -> ImportError {
        let map =
            ["\"stem=\(titles[stem])\""]
            + options.map { "\"option_\(mark(titles[$0]).lowercased())=\(titles[$0])\"" }
            + keys.prefix(1).map { "\"correct=\(titles[$0])\"" }
        let named = keys.prefix(5).map { "\"\(titles[$0])\"" }.joined(separator: " and ")
        let why =
            keys.count > 1
            ? "has several columns that may be the key: \(named)"
            : "has columns with unknown names, and too few rows (\(rows)) to know them by their content"
        return ImportError(
            file, .profileOpen, "\(why); say which, as in --map \(map.joined(separator: " "))")
    }

    // MARK: Content

    /// Returns the last letter or number of a column's name.
    private static func mark(_ title: String) -> String {
        let digits = String(title.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
        return digits.isEmpty ? String(title.suffix(1)) : digits
    }

    /// Returns the one group of columns whose names differ in a last number or letter, in order from the first.
    private func group(_ names: [String]) -> [Int]? {
        var groups: [String: [Int]] = [:]
        for column in names.indices {
            let mark = Self.mark(titles[column])
            guard mark.utf8.count == mark.count else { continue }
            groups[String(titles[column].dropLast(mark.count)), default: []].append(column)
        }
        let found = groups.values.filter { columns in
            guard columns.count > 1 else { return false }
            let marks = columns.map { Self.mark(titles[$0]).lowercased() }
            let numbers = marks.compactMap { Int($0) }
            if numbers.count == marks.count { return numbers == Array(1...numbers.count) }
            return marks
                == (0..<marks.count).map { String(UnicodeScalar(UInt8(97 + min($0, 25)))) }
        }
        return found.count == 1 ? found[0] : nil
    }

    /// Returns the right options of each row if a column is a key of one reading in all of them.
    private func key(_ column: Int, _ options: [Int]) -> [[Int]]? {
        let isNumbered = options.allSatisfy { Int(Self.mark(titles[$0])) != nil }
        var left: Set<KeyReading>?
        var fits: [KeyReadings.Fit] = []
        for row in rows {
            guard row.indices.contains(column) else { return nil }
            let fit = Self.fit(row[column].trimmed, row, options, isNumbered: isNumbered)
            left = left.map { $0.intersection(fit.keys) } ?? Set(fit.keys)
            if left?.isEmpty != false { return nil }
            fits.append(fit)
        }
        guard let readings = left else { return nil }
        let reading = KeyReading.allCases.first(where: readings.contains)
        return reading.map { reading in fits.map { $0[reading] ?? [] } }
    }

    /// Returns what a cell names among the cells of options.
    static func fit(
        _ cell: String, _ row: [String], _ options: [Int], isNumbered: Bool
    ) -> KeyReadings.Fit {
        let named = options.enumerated().map { index, column in
            MappedRecord.NamedOption(
                name: isNumbered ? String(index + 1) : nil,
                option: .init(text: row.indices.contains(column) ? row[column].trimmed : ""),
                isColumn: true)
        }
        guard !cell.isEmpty else { return [:] }
        return KeyOptions(named, areNumbered: isNumbered).fit(cell).mapValues { $0.sorted() }
            .filter { _, right in right.allSatisfy { !named[$0].option.text.isEmpty } }
    }

    /// Returns the column with the longest texts that differ in 90 % of the rows.
    private func stem(without taken: Set<Int>) -> Int? {
        let lengths = names.indices.filter { !taken.contains($0) }.compactMap { column in
            let texts = rows.compactMap { $0.indices.contains(column) ? $0[column] : nil }
            let distinct = Set(texts).count * 10 >= rows.count * 9
            let length = texts.reduce(0) { $0 + $1.utf8.count }
            return distinct && length > 0 ? (column: column, length: length) : nil
        }
        guard let most = lengths.map(\.length).max() else { return nil }
        return lengths.first { $0.length == most }?.column
    }
}

/// The parts of a question that the names of columns say.
struct KnownParts {
    let stem: Int?
    let options: [Int]?
    let hasKey: Bool
    private let known: Set<String>

    /// - Parameters:
    ///   - names: The names of the columns.
    ///   - given: The names that the user gave.
    init(_ names: [String], _ given: Set<String>) {
        func column(_ part: String) -> Int? {
            let synonyms = MappedRecord.synonyms[part] ?? []
            return synonyms.lazy.compactMap { names.firstIndex(of: $0) }.first
        }
        stem = column("stem")
        let all = names.indices.filter { MappedRecord.optionName(names[$0]) != nil }
        let numbered = all.filter { MappedRecord.optionName(names[$0]).flatMap { Int($0) } != nil }
        // A row such as "1, Which?, …, B" has one of each.
        let named = numbered.count == 1 && all.count == 2 ? [] : all
        let isList = column("options") != nil || column("wrong") != nil
        options = named.count > 1 || isList ? named : nil
        hasKey =
            column("correct") != nil || column("right") != nil
            || names.contains { MappedRecord.flaggedOption($0) != nil }
            || names.contains { $0.hasPrefix(CSVHeader.repeatedKey) }
        known = Set(MappedRecord.knownNames).union(given)
        hasGiven = names.contains(where: given.contains)
    }

    var hasStem: Bool { stem != nil }
    var hasOptions: Bool { options != nil }
    /// True when no name says a part.
    var isEmpty: Bool { stem == nil && options == nil && !hasKey && !hasGiven }
    private let hasGiven: Bool

    func isKnown(_ name: String) -> Bool { known.contains(name) }
}

/// A table whose first row is a question.
struct HeaderlessTable {
    /// The names of the columns: `question`, `option_a`, `option_b` … and `answer`.
    let names: [String]

    /// Finds the columns of a table without a header; `nil` if its rows are no questions, or several ways fit.
    ///
    /// The question comes first or behind a running number, the key last or behind the question. A key of one reading
    /// fits every row, so the first row is no header.
    init?(_ rows: [[String]]) {
        guard rows.count > 1, let width = rows.first?.count, width > 3,
            rows.allSatisfy({ $0.count == width })
        else { return nil }
        var layouts: [[String]] = []
        let numbers = rows.map { Int($0[0].trimmed) }
        let stem = numbers.contains(nil) ? 0 : 1
        for key in Set([width - 1, stem + 1]) where width - stem > 3 {
            let options = Array(stem + 1..<width).filter { $0 != key }
            guard Self.fits(rows, key, options),
                Set(rows.map { $0[stem] }).count * 10 >= rows.count * 9
            else { continue }
            var names = Array(repeating: "", count: width)
            for (index, column) in options.enumerated() {
                names[column] =
                    index < 26 ? "option_" + DraftFinisher.optionID(index) : "option_\(index)"
            }
            names[stem] = "question"
            names[key] = "answer"
            if stem == 1 { names[0] = "row" }
            layouts.append(names)
        }
        guard layouts.count == 1 else { return nil }
        names = layouts[0]
    }

    private static func fits(_ rows: [[String]], _ key: Int, _ options: [Int]) -> Bool {
        var left: Set<KeyReading>?
        for row in rows {
            let fit = TableColumns.fit(row[key].trimmed, row, options, isNumbered: false)
            left = left.map { $0.intersection(fit.keys) } ?? Set(fit.keys)
            if left?.isEmpty != false { return false }
        }
        return true
    }
}
