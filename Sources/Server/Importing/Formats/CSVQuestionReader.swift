import ContentModel

/// A reader of a table of questions: `stem`, `option_a`, `option_b` … and `correct` (letters), or
/// other column names by a mapping.
///
/// Every cell of a table that we exported is taken as it is.
enum CSVQuestionReader {
    static func read(
        _ bytes: [UInt8], file: String, settings: ImportSettings
    ) throws(ImportError) -> ImportedDrafts {
        let decoded = try DecodedText(bytes, file: file)
        var table = try CSVTable(
            decoded.text, file: file, rowsMax: QuestionImporter.questionsMax,
            separator: settings.separator?.asciiValue)
        var profile = FileProfile()
        profile.separator = String(table.separator)
        let header = try names(&table, file, settings, &profile)
        guard !table.rows.isEmpty else { throw Self.emptyTable(table, file) }
        let isExport = CSVExportRow.isExport(header)
        var result = ImportedDrafts()
        result.encoding = decoded.encoding
        result.begun = table.rows.count
        result.profile = isExport ? nil : profile
        if profile.hasHeader == false || !profile.columns.isEmpty {
            result.note(file, .columns, columnsNote(profile))
        }
        var rows: [(place: String, fields: [String: String])] = []
        for row in table.rows {
            let place = "line \(row.line)"
            guard row.fields.count <= table.header.count else {
                result.skip(
                    place, .syntax,
                    "the row has \(row.fields.count) fields, the header \(table.header.count);"
                        + " a text that holds the separator stands in quotes")
                continue
            }
            let cells = isExport ? row.fields.map(CSVFormula.restored) : row.fields
            rows.append((place, Dictionary(uniqueKeysWithValues: zip(header, cells))))
        }
        if isExport, settings.mapping.isEmpty, settings.joins.isEmpty {
            readExport(rows, file, &result)
        } else {
            let records = rows.map { record($0.place, $0.fields, isExport: isExport) }
            try RecordLoader(file, settings).read(
                records, form: isExport ? .plain : nil, into: &result)
        }
        return result
    }

    /// Returns the names of the columns, by which a record is read.
    private static func names(
        _ table: inout CSVTable, _ file: String, _ settings: ImportSettings,
        _ profile: inout FileProfile
    ) throws(ImportError) -> [String] {
        let header = CSVHeader(table.header, settings)
        let rows = table.rows.map(\.fields)
        let isKnown = !KnownParts(header.names, header.given).isEmpty
        profile.hasHeader = true
        if settings.hasHeader == false || settings.hasHeader == nil && !isKnown,
            !table.header.isEmpty
        {
            let all = [table.header] + rows
            if settings.mapping.isEmpty, let found = HeaderlessTable(all)?.names {
                profile.hasHeader = false
                table.setHeader(found)
                return found
            }
            guard settings.hasHeader != false else {
                profile.hasHeader = false
                table.setHeader(table.header.indices.map { "column \($0 + 1)" })
                return CSVHeader(table.header, settings).names
            }
        }
        if !isKnown, areAnswers(table.header, rows) {
            throw ImportError(
                file, .noQuestion,
                "has people's answers, not questions: each row begins with a time, and the questions"
                    + " name the columns. `underway analyse` reads such a file")
        }
        let columns = try TableColumns(header, titles: table.header, rows: rows, file: file)
        profile.columns = columns.found
        return columns.names
    }

    /// Returns whether rows are answers to questions that name the columns.
    private static func areAnswers(_ header: [String], _ rows: [[String]]) -> Bool {
        !rows.isEmpty && header.count > 1
            && rows.allSatisfy { $0.first?.prefixMatch(of: Pattern.timestamp) != nil }
    }

    private static func columnsNote(_ profile: FileProfile) -> String {
        if profile.hasHeader == false {
            return "the first row is a question, and no header; --header yes takes it for one"
        }
        let parts = profile.columns.sorted { $0.key < $1.key }.map { part, columns in
            "\(part) in \(columns.map { "\"\($0.prefix(60))\"" }.joined(separator: ", "))"
        }
        return
            "columns were found by their content: \(parts.joined(separator: "; ")); --map names others"
    }

    private static func emptyTable(_ table: CSVTable, _ file: String) -> ImportError {
        guard !table.header.allSatisfy(\.isEmpty) else {
            return ImportError(file, .noQuestion, "is empty")
        }
        let names = table.header.prefix(20).map { "\"\($0.prefix(60))\"" }
        return ImportError(
            file, .noQuestion,
            "has no row below its first line, which names the columns: \(names.joined(separator: ", "));"
                + " --format names another format"
        )
    }

    /// Reads the rows of our own export, and notes the columns that others added.
    private static func readExport(
        _ rows: [(place: String, fields: [String: String])], _ file: String,
        _ result: inout ImportedDrafts
    ) {
        var added: [String: Int] = [:]
        for (place, fields) in rows {
            for (name, cell) in fields where !cell.isEmpty && !CSVExportRow.isKnown(name) {
                added[name, default: 0] += 1
            }
            switch CSVExportRow(fields, place: place).draft() {
            case .success(let draft): result.add(draft)
            case .failure(let reason): result.skip(place, reason)
            }
        }
        for (name, count) in added.sorted(by: { $0.key < $1.key }).prefix(50) {
            let message = "the column \"\(name)\" of \(count) rows is none of ours and is not read"
            result.note(file, .fieldUnread, message)
        }
    }

    static func record(
        _ place: String, _ fields: [String: String], isExport: Bool
    ) -> RawRecord {
        var record = RawRecord(place: place, fields: fields.mapValues(JSONValue.string))
        record.fields[KahootHeader.timeLimit] = nil
        if isExport { record.fields["marks"] = nil }
        let marks = isExport ? ExportMarks.split(fields["marks"] ?? "") : []
        record.finish = { draft in
            KahootHeader.note(fields, in: &draft)
            draft.apply(marks: marks)
        }
        return record
    }
}
