import ContentModel

/// The fields of a record by the names that the user, or other programs, give them.
extension MappedRecord {
    /// Returns the names of the fields that a file may have for one of ours.
    func fieldNames(_ name: String) -> [String] {
        settings.mapping[name].map { [$0] } ?? Self.synonyms[name] ?? [name]
    }

    /// The columns of options with their letters or numbers, in order.
    ///
    /// Columns that the user names (`option_a=Antwort A`) are all; otherwise they are recognised by their names:
    /// `option_a`, `A`, `Answer 2`.
    var optionColumns: [(name: String, column: String)] {
        let given = settings.optionColumns
        let found =
            given.isEmpty
            ? fields.keys.compactMap { column in
                Self.optionName(column).map { (name: $0, column: column) }
            } : given.filter { fields[$0.column] != nil }
        return found.sorted { Self.order($0.name) < Self.order($1.name) }
    }

    /// The values that are numbers if the record is a number to enter.
    var numbers: [String] {
        optionNames.isEmpty && value("wrong") == nil
            ? ["correct", "tolerance"].compactMap(text) : []
    }

    /// The fields with content that hold options.
    private var optionNames: [String] {
        fieldNames("options").filter { fields[$0] != nil && fields[$0] != "" }
            + optionColumns.map(\.column).filter { fields[$0] != "" && fields[$0] != .null }
    }

    /// True when the options are in columns such as `Answer 2`, whose numbers the key names.
    var hasNumberedColumns: Bool {
        value("options") == nil && optionColumns.contains { Int($0.name) != nil }
    }

    private static func order(_ name: String) -> Int {
        Int(name) ?? Int(name.unicodeScalars.first?.value ?? 0)
    }

    /// The fields with content of which no part of a question is read.
    var unreadFields: [String] {
        var read = Set(Self.synonyms.keys.flatMap(fieldNames) + settings.joins.values.joined())
        // Options have neither.
        if !optionNames.isEmpty {
            read.subtract(fieldNames("tolerance") + fieldNames("unit"))
        }
        if value("options") == nil {
            for (name, column) in optionColumns {
                read.insert(column)
                read.formUnion(fieldNames("image_" + name) + fieldNames("feedback_" + name))
                read.insert("correct_" + name)
            }
        }
        return fields.compactMap { name, value in
            value == .null || value == "" || read.contains(name) ? nil : name
        }
    }

    /// Says which fields a record has in place of one that is missing.
    func missing(_ part: String, as name: String) -> SkipReason {
        let codes: [String: ImportCode] = ["stem": .stemMissing, "options": .optionsMissing]
        let code = codes[name] ?? .keyNone
        if let empty = fieldNames(name).first(where: { fields[$0] == "" || fields[$0] == .null }) {
            return SkipReason(code, "its field \"\(empty)\", for the \(part), is empty")
        }
        let shown = fields.keys.sorted().prefix(20).map { "\"\($0.prefix(60))\"" }
        return SkipReason(
            code,
            "it has no field for the \(part); its fields are \(shown.joined(separator: ", "))"
                + (fields.count > 20 ? " and \(fields.count - 20) more" : "") + hint(name))
    }

    /// Shows how to name the field of a part, with one that is not read and may be meant: the longest text for a
    /// question, the shortest for its key.
    private func hint(_ name: String) -> String {
        let unread = unreadFields.sorted()
        let lengths = unread.map { field in fields[field].flatMap(text)?.utf8.count ?? 0 }
        let byLength = zip(unread, lengths).sorted { $0.1 < $1.1 }.map(\.0)
        let meant =
            switch name {
            case "stem": byLength.last
            case "correct": byLength.first
            default: unread.first
            }
        guard let meant else { return "" }
        return name == "options"
            ? "; --map names each option's, as in --map \"option_a=\(meant)\""
            : "; --map names it, as in --map \"\(name)=\(meant)\""
    }
}

extension ImportSettings {
    /// Our names that a mapping may use, except those of single options such as `option_a`.
    public static var mappable: [String] { MappedRecord.synonyms.keys.sorted() }

    /// Returns true if a mapping may use a name: one of ``mappable``, or a name such as `option_a`, `image_2` or
    /// `feedback_c`.
    ///
    /// - Parameter name: The name.
    /// - Returns: True if the import reads a field of that name.
    public static func isMappable(_ name: String) -> Bool {
        MappedRecord.synonyms[name] != nil || optionPart(name) != nil
    }

    /// The columns that the user named for single options.
    var optionColumns: [(name: String, column: String)] {
        mapping.compactMap { ours, theirs in
            guard let (part, name) = Self.optionPart(ours), part == "option" else { return nil }
            return (name, theirs)
        }
    }

    /// Returns the parts of a name such as `option_a`.
    private static func optionPart(_ name: String) -> (part: String, name: String)? {
        let parts = name.split(separator: "_", maxSplits: 1).map(String.init)
        guard parts.count == 2, ["option", "image", "feedback"].contains(parts[0]),
            let option = MappedRecord.optionName(parts[1])
        else { return nil }
        return (parts[0], option)
    }
}
